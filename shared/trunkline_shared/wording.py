"""What a model reads of a result: its data as JSON, or the words that the tool has chosen."""

import inspect
from typing import get_args

import orjson
from mcp.server.mcpserver.tools import Tool
from mcp_types import CallToolResult, InputRequiredResult, TextContent

Result = CallToolResult | InputRequiredResult


def words_its_result(tool: Tool) -> bool:
    """Say whether a tool makes its result itself, with what people and models read of it."""
    returned = inspect.signature(tool.fn, eval_str=True).return_annotation
    return returned is CallToolResult or CallToolResult in get_args(returned)[:1]


def has_words(result: Result) -> bool:
    """Say whether a result has any content."""
    return isinstance(result, CallToolResult) and bool(result.content)


def compact(result: Result) -> Result:
    """Make the text block the same JSON as the structured content, without its indentation."""
    if isinstance(result, InputRequiredResult) or result.structured_content is None:
        return result
    text = orjson.dumps(result.structured_content).decode()
    return result.model_copy(update={"content": [TextContent(type="text", text=text)]})
