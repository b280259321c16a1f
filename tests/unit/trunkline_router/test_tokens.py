"""Tokens: one stated rule, the same for answers that were kept and for those that were not."""

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.trace import SpanKind

from trunkline_router.attributes import TOKENS_IN, TOKENS_OUT
from trunkline_router.cache.stored import Stored
from trunkline_router.model import Json
from trunkline_router.span import Recorder, Span
from trunkline_router.telemetry.tokens import note_tokens, tokens
from trunkline_router.wire.packing import pack
from trunkline_router.wire.result import readable, text_bytes
from trunkline_shared.clock import SystemClock

TEXTS = st.text(st.characters(codec="utf-8"), max_size=30)
BLOCKS = st.one_of(
    st.builds(lambda text: {"type": "text", "text": text}, TEXTS),
    st.builds(lambda text: {"type": "resource", "resource": {"uri": "x:", "text": text}}, TEXTS),
    st.just({"type": "image", "data": "AAAA", "mimeType": "image/png"}),
)


def a_span() -> Span:
    return Span("tools/call x", SpanKind.SERVER, None, {}, Recorder(clock=SystemClock()))


@pytest.mark.requirement("seeing.tokens")
@given(st.lists(BLOCKS, max_size=4))
def test_what_is_counted_is_the_text_of_the_content(blocks: list[Json]) -> None:
    """The UTF-8 of texts and of embedded resources; images are no text."""
    written = [str(text) for block in blocks if (text := _text(block)) is not None]
    assert text_bytes({"content": list(blocks)}) == sum(len(text.encode()) for text in written)


def _text(block: Json) -> object:
    inner = block.get("resource")
    return inner["text"] if isinstance(inner, dict) else block.get("text")


@pytest.mark.requirement("seeing.tokens")
@given(st.lists(BLOCKS, max_size=4), st.dictionaries(TEXTS, TEXTS, max_size=3))
def test_an_answer_that_is_kept_knows_what_its_text_costs(blocks: list[Json], more: Json) -> None:
    """Without being read again, and out of a store that routers share as well."""
    result: Json = {"content": list(blocks), "structuredContent": more}
    packed = pack(result)
    assert packed.text_bytes == text_bytes(readable(result))
    stored = Stored(server="s", packed=packed, tags=("a:b",), ttl_s=60)
    again = Stored.from_bytes(stored.to_bytes(), 60)
    assert again is not None
    assert again.packed.text_bytes == packed.text_bytes


@pytest.mark.parametrize(("count", "expected"), [(0, 0), (1, 1), (4, 1), (5, 2), (4000, 1000)])
def test_four_bytes_are_a_token(count: int, expected: int) -> None:
    """Begun ones count."""
    assert tokens(count) == expected


@given(st.dictionaries(TEXTS, TEXTS, max_size=4))
def test_arguments_count_as_json(arguments: Json) -> None:
    """As compact as it is written; none cost nothing."""
    span = a_span()
    note_tokens(span, arguments, 9)
    written = len(orjson.dumps(arguments)) if arguments else 0
    assert span.attributes[TOKENS_IN] == tokens(written)
    assert span.attributes[TOKENS_OUT] == 3


def test_arguments_that_nobody_could_write_cost_nothing() -> None:
    """What is nested too deeply is refused anyway, and must not fail here."""
    deep: Json = {}
    for _ in range(300):
        deep = {"a": deep}
    span = a_span()
    note_tokens(span, deep, 0)
    assert span.attributes[TOKENS_IN] == 0


def test_odd_content_counts_nothing() -> None:
    """Servers may send anything."""
    deep: Json = {"text": 5}
    for _ in range(2000):
        deep = {"resource": deep}
    for content in (None, 5, "x", {"text": "x"}, [None, 5, {"text": 5}, deep]):
        assert text_bytes({"content": content}) == 0
