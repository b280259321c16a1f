"""The claims of access tokens, whatever stands in them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_router.identity.claims import Expected, read_claims
from trunkline_router.wire.refusal import Refused

BASE = "https://trunkline.example"
EXPECTED = Expected(issuer="https://login.example", base=BASE, audience=None)
GOOD = {"iss": "https://login.example", "aud": f"{BASE}/mcp", "exp": 1_000, "sub": "alice"}
ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


NAMES = ("iss", "aud", "exp", "nbf", "sub", "client_id", "scope", "scp", "scopes")


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(NAMES, ANY)))
def test_any_claims_are_read_or_refused(odd: dict[str, object]) -> None:
    """No value of any kind breaks the reading."""
    try:
        read = read_claims(GOOD | odd, EXPECTED, 900)
    except Refused:
        return
    assert read.subject.startswith("oauth:")


TEXT = st.text(st.characters(exclude_categories=()), min_size=1)


@given(TEXT, TEXT, TEXT, TEXT)
def test_no_two_callers_share_a_name(one: str, by: str, other: str, through: str) -> None:
    """Whatever stands in `sub` and `client_id`, and never the name of a key."""
    first = read_claims({**GOOD, "sub": one, "client_id": by}, EXPECTED, 0).subject
    second = read_claims({**GOOD, "sub": other, "client_id": through}, EXPECTED, 0).subject
    assert (first == second) == ((one, by) == (other, through))
    assert ":" in first


@pytest.mark.parametrize("exp", [971, 970.5, 1_000])
def test_half_a_minute_of_leeway(exp: float) -> None:
    """A token ends thirty seconds after it says."""
    assert read_claims({**GOOD, "exp": exp}, EXPECTED, 1_000).expires == exp


@pytest.mark.parametrize("issuer", ["https://login.example", "https://login.example/"])
def test_a_slash_at_the_end_makes_no_other_issuer(issuer: str) -> None:
    """Nor is a longer name the same one."""
    assert read_claims({**GOOD, "iss": issuer}, EXPECTED, 0).subject == "oauth:alice"
    with pytest.raises(Refused, match="another authorization server"):
        read_claims({**GOOD, "iss": issuer + ".evil"}, EXPECTED, 0)


def test_a_token_may_be_for_several_servers() -> None:
    """And for nothing but their endpoints."""
    audience = [f"{BASE}/servers/one/mcp", f"{BASE}/servers/two/mcp/", "https://other.example"]
    assert read_claims({**GOOD, "aud": audience}, EXPECTED, 0).servers == frozenset({"one", "two"})
    whole = read_claims({**GOOD, "aud": [*audience, f"{BASE}/mcp"]}, EXPECTED, 0)
    assert whole.servers is None
