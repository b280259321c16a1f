"""From bytes to a message and its era."""

from collections.abc import Callable

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_router.model import Era
from trunkline_router.wire.envelope import decode, era_of, may_batch, read_message, salvage_id
from trunkline_router.wire.refusal import Refused
from trunkline_shared import meta

VERSION = "mcp-protocol-version"

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["jsonrpc", "id", "method", "params", "_meta", "result", "x"]), inner
        )
    ),
    max_leaves=12,
)


def outcome(read: Callable[[], object]) -> int | None:
    """Return the code of a refusal, None for success."""
    try:
        read()
    except Refused as refusal:
        return refusal.code
    return None


@given(st.binary(max_size=200))
def test_any_bytes_are_decoded_or_refused(raw: bytes) -> None:
    """Nothing but Refused leaves the decoder."""
    assert outcome(lambda: decode(raw)) in {None, -32700}


@given(JSON)
def test_any_json_is_a_message_or_refused(body: object) -> None:
    """Nothing but Refused leaves the envelope, and an id that can be read is found again."""
    code = outcome(lambda: read_message(body))
    assert code in {None, -32600, -32602}
    if code is None:
        message = read_message(body)
        assert message.is_response or message.method == message.body["method"]
        assert message.id is None or message.id == salvage_id(body)


@pytest.mark.parametrize(
    ("method", "envelope", "header", "era"),
    [
        ("tools/list", True, None, Era.MODERN),
        ("tools/list", True, "2025-11-25", Era.MODERN),
        ("initialize", True, None, Era.MODERN),
        ("initialize", False, "2026-07-28", Era.LEGACY),
        ("tools/list", False, None, Era.LEGACY),
        ("tools/list", False, "2024-11-05", Era.LEGACY),
        ("tools/list", False, "2026-07-28", Era.MODERN),
        ("tools/list", False, "2099-01-01", Era.MODERN),
    ],
)
def test_the_body_decides_the_era_before_the_header(
    method: str, *, envelope: bool, header: str | None, era: Era
) -> None:
    """Only where the body is silent the version header is asked."""
    params = {"_meta": {meta.PROTOCOL_VERSION: "2026-07-28"}} if envelope else {}
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    headers = {} if header is None else {VERSION: header}
    assert era_of(read_message(orjson.loads(orjson.dumps(body))), headers) is era


@pytest.mark.parametrize(
    ("header", "allowed"),
    [(None, True), ("2025-03-26", True), ("2024-11-05", True), ("2025-06-18", False)],
)
def test_batches_belong_to_the_first_revisions(header: str | None, *, allowed: bool) -> None:
    """Clients of 2025-03-26 send no version header."""
    assert may_batch({} if header is None else {VERSION: header}) is allowed
