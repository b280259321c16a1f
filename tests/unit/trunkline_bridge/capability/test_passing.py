"""Results of any shape become results that can be sent, bounded, and no failure gets lost."""

from typing import Any

import orjson
from hypothesis import given
from hypothesis import strategies as st
from mcp_types import CallToolResult, TextContent

from trunkline_bridge.capability.passing import CAP, PassedOn, Sender, passed_on
from trunkline_shared import meta, wire
from trunkline_shared.errors import NotFound

FAR = Sender(server="far", breaker=None)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=10,
)
BLOCKS = st.one_of(
    JSON,
    st.fixed_dictionaries({"type": st.just("text"), "text": st.text()}),
    st.fixed_dictionaries({"type": st.just("image"), "data": st.text(), "mimeType": st.text()}),
    st.fixed_dictionaries({"type": st.text(max_size=9)}, optional={"text": JSON}),
)


@given(
    content=st.one_of(st.none(), st.lists(BLOCKS, max_size=4)),
    structured=JSON,
    failed=st.booleans(),
    noted=JSON,
)
def test_any_result_can_be_passed_on(
    *, content: Any, structured: Any, failed: bool, noted: Any
) -> None:
    """As many blocks as there were, and a structured answer of its schema."""
    result = {
        "content": content, "structuredContent": structured, "isError": failed, "_meta": noted,
    }  # fmt: skip
    found = passed_on(result, FAR)
    assert found.is_error is failed
    assert len(found.content) == len(content or [])
    sent = orjson.loads(found.model_dump_json(by_alias=True))
    assert CallToolResult.model_validate(sent).is_error is failed
    if not failed:
        assert PassedOn.model_validate(found.structured_content).attempts == 1
    assert found.meta is not None
    assert meta.PASSED_ON in found.meta


def test_our_own_failure_is_the_same_failure_afterwards() -> None:
    """Byte for byte."""
    error = NotFound("There is none.", hint="Try another.", details={"a": [1]})
    found = passed_on(wire.to_result(error), FAR)
    (block,) = found.content
    assert isinstance(block, TextContent)
    assert block.text == wire.to_text(error)
    assert found.structured_content is None


@given(texts=st.lists(st.text(min_size=1), max_size=3), times=st.integers(1, 60_000))
def test_texts_together_are_bounded(texts: list[str], times: int) -> None:
    """The cap, and a note for each text that is cut."""
    result = {"content": [{"type": "text", "text": text * times} for text in texts]}
    found = passed_on(result, FAR)
    size = sum(len(one.text.encode()) for one in found.content if isinstance(one, TextContent))
    assert size <= CAP + 100 * len(texts)
