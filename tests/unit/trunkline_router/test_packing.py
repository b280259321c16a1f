"""Results that were written out once: the same answers as results that were not."""

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_router.cache.stored import Stored
from trunkline_router.catalogue.lists import OWN_INFO
from trunkline_router.model import Json, Outcome, Packed, Provenance
from trunkline_router.wire.answer import Answer, success
from trunkline_router.wire.event import data_of
from trunkline_router.wire.packing import answered_legacy, answered_modern, pack
from trunkline_router.wire.result import for_legacy, for_modern, note_of, with_note
from trunkline_shared import meta

# What orjson reads and writes: no surrogates alone, no number beyond 64 bits.
texts = st.text(st.characters(codec="utf-8"), max_size=12)
leaves = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts
)
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
meta_keys = texts | st.sampled_from([meta.CALL, meta.SERVER_INFO, meta.REUSE, meta.QUOTA, "x"])
results = st.builds(
    lambda known, others: others | known,
    st.fixed_dictionaries(
        {},
        optional={
            "resultType": st.just("complete"),
            "ttlMs": values,
            "cacheScope": values,
            "structuredContent": values | st.dictionaries(texts, values, max_size=3),
            "content": st.lists(values, max_size=3) | st.none(),
            "_meta": st.dictionaries(meta_keys, values, max_size=4) | leaves,
        },
    ),
    st.dictionaries(texts, values, max_size=3),
)
ids = st.integers(-(2**53), 2**53) | texts
outcomes = st.builds(
    lambda server, age_ms: Outcome(server=server, age_ms=age_ms, provenance=Provenance.CACHE),
    texts,
    st.integers(0, 2**40),
)


def _kept(packed: Packed) -> Packed:
    """Return a result as it comes out of a store that routers share."""
    stored = Stored(server="s", packed=packed, tags=("a:b",), ttl_s=60)
    again = Stored.from_bytes(stored.to_bytes(), 60)
    assert again is not None
    return again.packed


@pytest.mark.requirement("cache.same-answer")
@given(results, outcomes, ids)
def test_a_result_that_was_written_out_makes_the_same_modern_answer(
    result: Json, outcome: Outcome, request_id: int | str
) -> None:
    """The message equals the one that is made from the value, in memory and out of a store."""
    note = note_of(outcome, "0" * 32)
    expected = success(request_id, for_modern(with_note(result, note), OWN_INFO)).to_bytes()
    for packed in (pack(result), _kept(pack(result))):
        answer = Answer(pieces=answered_modern(request_id, packed, note, OWN_INFO))
        assert orjson.loads(answer.to_bytes()) == orjson.loads(expected)
        assert data_of(answer.to_event()) == answer.to_bytes()


@pytest.mark.requirement("cache.same-answer")
@given(results, outcomes, ids)
def test_a_result_that_was_written_out_makes_the_same_legacy_answer(
    result: Json, outcome: Outcome, request_id: int | str
) -> None:
    """The message equals the one that is made from the value, in memory and out of a store."""
    note = note_of(outcome, "0" * 32)
    expected = success(request_id, for_legacy(with_note(result, note))).to_bytes()
    for packed in (pack(result), _kept(pack(result))):
        answer = Answer(pieces=answered_legacy(request_id, packed, note))
        assert orjson.loads(answer.to_bytes()) == orjson.loads(expected)


@given(results)
def test_what_was_written_out_can_be_read_again(result: Json) -> None:
    """The router's own reads find the structured content that a server has sent."""
    unpacked = Outcome(server="s", packed=pack(result)).whole
    assert unpacked.get("structuredContent") == result.get("structuredContent")


@pytest.mark.parametrize("key", [meta.REUSE, meta.QUOTA])
def test_what_servers_tell_the_router_alone_does_not_reach_agents(key: str) -> None:
    """Notes about reuse and quota are in no answer, whether it was written out or not."""
    result: Json = {"content": [], "_meta": {key: {"a": 1}, "kept": 1}}
    note = note_of(Outcome(server="s"), "0" * 32)
    assert with_note(result, note)["_meta"] == {"kept": 1, meta.CALL: note}
    assert pack(result).meta == b'"kept":1'


def test_a_large_result_is_joined_once() -> None:
    """The bytes that were kept are themselves among the pieces of every answer."""
    packed = pack({"content": [{"type": "text", "text": "x" * 1_000_000}]})
    note = note_of(Outcome(server="s"), "0" * 32)
    pieces = (*answered_modern(1, packed, note, OWN_INFO), *answered_legacy(2, packed, note))
    assert sum(piece is packed.fields for piece in pieces) == 2
    assert sum(map(len, pieces)) - 2 * len(packed.fields) < 1000
