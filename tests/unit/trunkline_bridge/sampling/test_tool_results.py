"""What a tool has answered, as a model reads it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_types import TextContent

from trunkline_bridge.sampling.tool_results import LARGEST, failure_of, result_of, trimmed
from trunkline_shared.errors import NotFound


def told(content: Any, **answer: Any) -> str:
    """Return the text that a model reads of an answer."""
    (block,) = result_of("u", {"content": content, **answer}, LARGEST).content
    assert isinstance(block, TextContent)
    return block.text


def test_all_texts_of_an_answer_are_told() -> None:
    """A resource's too; a picture only by its kind."""
    content = [
        {"type": "text", "text": "one"},
        {"type": "resource", "resource": {"uri": "x://1", "text": "two"}},
        {"type": "resource_link", "uri": "x://2", "name": "n"},
        {"type": "image", "data": "aGk=", "mimeType": "image/png"},
    ]
    assert told(content) == "one\ntwo\n[a resource: x://2]\n[image: not text, left out]"


@pytest.mark.parametrize("content", [[], None, "text", [1, None], [{"type": "text"}]])
def test_an_answer_without_text_says_so(content: object) -> None:
    """A model refuses an empty text."""
    assert told(content).startswith(("(no text)", "["))


def test_what_cannot_be_seen_is_shown() -> None:
    """Foreign servers hide words for a model from the person who reads along."""
    assert told([{"type": "text", "text": "a\u202eb"}]) == "a\\u{202E}b"


def test_a_failure_is_told_as_one() -> None:
    """The server's own, and ours with its code and hint."""
    failed = result_of("u", {"content": [], "isError": True}, LARGEST)
    ours = failure_of("v", NotFound("No such thing.", hint="Try another."))
    assert (failed.is_error, ours.is_error, ours.tool_use_id) == (True, True, "v")
    assert '"error_code":"NOT_FOUND"' in str(ours.content[0])


@pytest.mark.requirement("bridge.sampling-bounded")
@given(text=st.text(max_size=2000), most=st.integers(100, 1000))
def test_a_text_is_never_longer_than_it_may_be(text: str, most: int) -> None:
    """It keeps its beginning and its end, and tells how long it was."""
    short = trimmed(text, most)
    assert len(short.encode()) <= most
    whole = text.encode(errors="replace")
    if len(whole) > most:
        assert f"[… {len(whole)} bytes in all" in short
