"""Tokens before they are believed: whatever they hold, they are read or refused."""

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jwt.utils import base64url_encode

from tests.interaction.authorization import pair, signed
from trunkline_router.identity.key_set import ALGORITHMS, key_set_of
from trunkline_router.identity.signatures import Forged, NoToken, unverified, verified

KEYS = key_set_of({"keys": [pair().public]})
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-10, 10) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)
HEADERS = st.fixed_dictionaries(
    {},
    optional={
        "alg": st.sampled_from([*ALGORITHMS, "none", "HS256", "", "rs256"]) | JSON,
        "kid": st.just("first") | JSON,
        "typ": JSON,
        "crit": JSON,
        "b64": st.booleans() | JSON,
        "jwk": st.just(pair("RS256", "mine").public),
    },
)


def part(value: object) -> str:
    return base64url_encode(orjson.dumps(value)).decode()


@settings(max_examples=300, deadline=None)
@given(HEADERS | JSON, st.dictionaries(st.text(max_size=5), JSON) | JSON, st.binary(max_size=260))
def test_no_token_made_by_hand_is_believed(header: object, claims: object, mac: bytes) -> None:
    """Any header, any claims, any signature: no token, or forged."""
    token = f"{part(header)}.{part(claims)}.{base64url_encode(mac).decode()}"
    try:
        said = unverified(token)
    except NoToken:
        return
    if said.algorithm in ALGORITHMS:
        with pytest.raises(Forged):
            verified(token, KEYS.matching(None, said.algorithm), said.algorithm)


@given(st.text(max_size=60) | st.text("abcAZ019-_.=", max_size=60))
def test_no_text_breaks_the_reading(text: str) -> None:
    """Dots, letters beyond ASCII, nothing at all."""
    with pytest.raises(NoToken):
        unverified(text)


def test_a_token_nested_without_end_is_none() -> None:
    """A header has room for some thousand brackets."""
    deep = base64url_encode(b'{"a":' + b"[" * 5000 + b"]" * 5000 + b"}").decode()
    with pytest.raises(NoToken):
        unverified(f"{part({'alg': 'RS256'})}.{deep}.AA")


def test_what_an_issuer_signed_is_believed_whole() -> None:
    """And its signature is bound to the algorithm that the header names."""
    token = signed({"sub": "alice"}, pair())
    assert unverified(token).key == "first"
    assert verified(token, KEYS.keys, "RS256") == {"sub": "alice"}
    with pytest.raises(Forged):
        verified(token, KEYS.keys, "RS512")


@pytest.mark.parametrize("size", [1024, 512])
def test_a_key_that_is_too_short_proves_nothing(size: int) -> None:
    """RFC 7518, 3.3: RSA keys have 2048 bits at least."""
    short = pair().public | {
        "n": base64url_encode((1 << (size - 1) | 1).to_bytes(size // 8)).decode()
    }
    keys = key_set_of({"keys": [short]}).keys
    assert keys
    with pytest.raises(Forged):
        verified(signed({}, pair()), keys, "RS256")
