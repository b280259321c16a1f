"""What a tool has answered, as a model reads it: bounded text, with a note of what is left out."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from mcp_types import TextContent, ToolResultContent

from trunkline_shared import wire
from trunkline_shared.errors import TrunklineError
from trunkline_shared.mesh.answers import Json, is_object
from trunkline_shared.untrusted import visible_escapes

LARGEST: Final = 24_000
"""Bytes of one result."""


def result_of(use: str, answer: Json, most_bytes: int) -> ToolResultContent:
    """Return the result for a tool use: the texts of the tool's answer."""
    text = "\n".join(_texts(answer.get("content"))) or "(no text)"
    return _told(use, visible_escapes(text)[0], most_bytes, failed=answer.get("isError") is True)


def failure_of(use: str, error: TrunklineError, most_bytes: int = LARGEST) -> ToolResultContent:
    """Return the result for a tool use that came to nothing."""
    return _told(use, wire.to_text(error), most_bytes, failed=True)


def _told(use: str, text: str, most_bytes: int, *, failed: bool) -> ToolResultContent:
    content = TextContent(text=trimmed(text, min(most_bytes, LARGEST)))
    return ToolResultContent(tool_use_id=use, content=[content], is_error=True if failed else None)


def trimmed(text: str, most_bytes: int) -> str:
    """Return a text that is cut in its middle where it is longer, and says so there."""
    whole = text.encode(errors="replace")
    if len(whole) <= most_bytes:
        return whole.decode()
    note = f"\n[… {len(whole)} bytes in all; the middle is left out here …]\n"
    half = max((most_bytes - len(note.encode())) // 2, 0)
    # An end reads as much as a beginning: logs and lists say there what became of it.
    start = whole[:half].decode(errors="ignore")
    end = whole[len(whole) - half :].decode(errors="ignore")
    return f"{start}{note}{end}"


def _texts(content: object) -> Iterator[str]:
    blocks = content if isinstance(content, Sequence) and not isinstance(content, str) else ()
    for block in blocks:
        if is_object(block):
            yield _text(block)


def _text(block: Json) -> str:
    text = block.get("text")
    if block.get("type") == "text" and isinstance(text, str):
        return text
    held = block.get("resource")
    if isinstance(held, Mapping) and isinstance(held.get("text"), str):
        return str(held["text"])
    if block.get("type") == "resource_link":
        return f"[a resource: {block.get('uri')}]"
    return f"[{block.get('type')}: not text, left out]"
