"""The two tools that stand for all others where tools are found by searching."""

from trunkline_router.model import Json

SEARCH = "search_tools"
USE = "use_tool"
DEFAULT_LIMIT = 5
MOST = 20

_SEARCH: Json = {
    "name": SEARCH,
    "title": "Search tools",
    "description": (
        "Find tools by what they do. Returns the best matches with name, description and input "
        "schema; call one with use_tool."
    ),
    "inputSchema": {
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "A few words: object and action."},
            "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": MOST,
                "default": DEFAULT_LIMIT,
            },
        },
        "required": ["query"],
    },
    "annotations": {
        "readOnlyHint": True,
        "destructiveHint": False,
        "idempotentHint": True,
        "openWorldHint": False,
    },
}
_USE: Json = {
    "name": USE,
    "title": "Use a tool",
    "description": "Call a tool that search_tools has found; its result comes back unchanged.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "As search_tools names it."},
            "arguments": {"type": "object", "description": "As the tool's input schema says."},
        },
        "required": ["name"],
    },
    "annotations": {
        "readOnlyHint": False,
        "destructiveHint": True,
        "idempotentHint": False,
        "openWorldHint": True,
    },
}
DEFINITIONS: tuple[Json, ...] = (_SEARCH, _USE)
"""What `tools/list` shows in place of everything."""
