"""What a client's model has said, read with suspicion."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_types import CreateMessageResult, ElicitResult, TextContent

from trunkline_bridge.sampling.sayings import MOST_USES, saying_of
from trunkline_shared.errors import Cancelled, InvalidInput, TooLarge


def spoken(*content: object, stop_reason: str | None = None, **changed: Any) -> dict[str, Any]:
    """Return an answer as it stands on the wire."""
    whole = {"role": "assistant", "content": list(content), "model": "m", **changed}
    return whole if stop_reason is None else whole | {"stopReason": stop_reason}


def text(said: str) -> dict[str, Any]:
    """Return a block of text."""
    return {"type": "text", "text": said}


def use(id_: str = "1", **given: Any) -> dict[str, Any]:
    """Return a block that wants a tool."""
    return {"type": "tool_use", "name": "t", "id": id_, "input": given}


def test_texts_are_joined_and_empty_ones_left_out() -> None:
    """Models refuse a conversation in which a text is empty."""
    said = saying_of(spoken(text("one"), text(""), {**text("two"), "annotations": None}))
    assert (said.text, said.uses) == ("one\ntwo", ())
    assert len(said.message.content_as_list) == 2


def test_an_answer_of_the_sdks_plain_form_is_read_too() -> None:
    """One block in place of a list is what clients without a need for tools send."""
    plain = CreateMessageResult(role="assistant", content=TextContent(text="x"), model="m")
    assert saying_of(plain).text == "x"


@pytest.mark.parametrize(
    ("stop_reason", "count"),
    [("toolUse", 1), (None, 1), ("tool_calls", 1), ("endTurn", 0), ("maxTokens", 0)],
)
def test_a_wish_for_tools_counts_unless_the_model_has_ended(
    stop_reason: str | None, count: int
) -> None:
    """A message that was cut off may hold half of a wish."""
    said = saying_of(spoken(text("I look."), use(), stop_reason=stop_reason))
    assert len(said.uses) == count


@pytest.mark.requirement("bridge.sampling-refused")
@pytest.mark.parametrize(
    "answer",
    [
        spoken(),
        spoken(text("")),
        spoken(use(), stop_reason="endTurn"),
        spoken({"type": "image", "data": "aGk=", "mimeType": "image/png"}),
        ElicitResult(action="decline"),
    ],
)
def test_nothing_said_is_a_refusal(answer: object) -> None:
    """Whoever stopped it, the run has been taken back."""
    with pytest.raises(Cancelled):
        saying_of(answer)


@pytest.mark.requirement("bridge.sampling-hostile")
@pytest.mark.parametrize(
    "answer",
    [
        None,
        "text",
        {},
        {"error": {"code": -1, "message": "no"}},
        spoken(text("x"), role="user"),
        spoken(use("1"), use("1")),
        spoken(use("")),
        spoken(use("x" * 257)),
        spoken(*(use(str(number)) for number in range(MOST_USES + 1))),
        spoken(use("1", n=2**70)),
        spoken(text("half of a character: \ud83d")),
        spoken({"type": "tool_use", "name": "t", "id": "1", "input": [1]}),
    ],
)
def test_what_is_no_answer_is_refused(answer: object) -> None:
    """With a reason, and as the client's own doing."""
    with pytest.raises(InvalidInput) as refused:
        saying_of(answer)
    assert refused.value.details["reason"] == "malformed_sampling"


@pytest.mark.requirement("bridge.sampling-hostile")
def test_depth_and_size_are_bounded() -> None:
    """Before anything is made of an answer."""
    deep: Any = 1
    for _ in range(10_000):
        deep = [deep]
    with pytest.raises(InvalidInput):
        saying_of(spoken(use("1", deep=deep)))
    with pytest.raises(TooLarge):
        saying_of(spoken(text("x" * 500_000)))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@pytest.mark.requirement("bridge.sampling-hostile")
@given(content=st.lists(JSON | st.builds(use, st.text(), x=JSON) | st.builds(text, st.text())))
def test_any_answer_is_read_or_refused(content: list[Any]) -> None:
    """Never an error of our own."""
    try:
        said = saying_of(spoken(*content))
    except (Cancelled, InvalidInput, TooLarge):
        return
    assert said.uses or said.text.strip()
