"""A conversation, and the text in which it travels."""

import base64
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_types import SamplingMessage, TextContent, ToolResultContent, ToolUseContent

from trunkline_bridge.query.models import ToolCall
from trunkline_bridge.sampling.conversation import LARGEST, Conversation
from trunkline_shared.errors import InvalidInput, TooLarge

CALL = ToolCall(server="s", tool="t", ok=False, ms=3, error_code="NOT_FOUND")
WISH = ToolUseContent(name="t", id="1", input={"a": [1, {"b": None}]})


@pytest.mark.requirement("bridge.sampling-replicas")
@given(prompt=st.text(st.characters(exclude_categories=["Cs"])), result=st.text(max_size=50))
def test_a_conversation_comes_back_as_it_was(prompt: str, result: str) -> None:
    """With messages, calls, turns and times; whatever was said in it."""
    shown = result.encode(errors="replace").decode()
    begun = Conversation.begin(prompt, now=1000.5, timeout_s=60).asked()
    whole = begun.answered(SamplingMessage(role="assistant", content=[WISH])).with_results(
        [ToolResultContent(tool_use_id="1", content=[TextContent(text=shown)], is_error=True)],
        [CALL],
    )
    assert Conversation.of_state(whole.to_state()) == whole
    assert (whole.turns, whole.until, len(whole.messages)) == (1, 1060.5, 3)


@pytest.mark.requirement("bridge.sampling-bounded")
def test_a_conversation_that_has_grown_too_large_does_not_travel() -> None:
    """Its room is gone, and the error names the size."""
    large = Conversation.begin("x" * (LARGEST + 1), now=0, timeout_s=1)
    assert large.room < 0
    with pytest.raises(TooLarge):
        large.to_state()


@pytest.mark.parametrize(
    "state",
    [
        "",
        "not one",
        "é",
        base64.b85encode(b"no zlib").decode(),
        base64.b85encode(zlib.compress(b"{}")).decode(),
        base64.b85encode(zlib.compress(b"[" * 10_000_000)).decode(),
    ],
)
def test_a_state_of_another_version_is_refused(state: str) -> None:
    """In a rolling update a newer replica may have written it; nothing grows without bounds."""
    with pytest.raises(InvalidInput):
        Conversation.of_state(state)
