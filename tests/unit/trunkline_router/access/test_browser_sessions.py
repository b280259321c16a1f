"""A browser's session: what is read is exactly what was written, for as long as it lasts."""

import base64
import string

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_router.access.browser_sessions import (
    LASTS_S,
    PURPOSE,
    BrowserSession,
    BrowserSessions,
)
from trunkline_shared.signing import SigningKeys
from trunkline_shared.testing.fake_clock import FakeClock

SESSION = BrowserSession(
    subject="eye", key="eye", mark="0123456789abcdef", expires=1_700_000_000.0 + LASTS_S
)


def sessions_of(*secrets: bytes, clock: FakeClock | None = None) -> BrowserSessions:
    """Return the sessions of a mesh with these secrets, newest first."""
    keys = SigningKeys(secrets or (b"a secret of a test",)).derived(PURPOSE)
    return BrowserSessions(keys=keys, clock=clock or FakeClock())


KNOWN = sessions_of()
WRITTEN = KNOWN.written(SESSION)


@given(
    st.text(max_size=60),
    st.none() | st.text(max_size=40),
    st.lists(st.text(max_size=12), max_size=4),
)
def test_what_was_written_is_read(subject: str, key: str | None, scopes: list[str]) -> None:
    """Whatever the names; the text fits into a cookie as it is."""
    one = SESSION.model_copy(update={"subject": subject, "key": key, "scopes": tuple(scopes)})
    text = KNOWN.written(one)
    assert set(text) <= set(string.ascii_letters + string.digits + "-_")
    assert KNOWN.read(text) == one


@pytest.mark.requirement("seeing.login")
@given(st.integers(0, len(WRITTEN) - 1), st.characters())
def test_another_character_anywhere_is_refused(at: int, sign: str) -> None:
    """The spare bits of base64 at its end are no exception."""
    changed = WRITTEN[:at] + sign + WRITTEN[at + 1 :]
    assert (KNOWN.read(changed) is not None) == (changed == WRITTEN)


@given(st.integers(0, len(WRITTEN)), st.text(min_size=1, max_size=8))
def test_anything_more_is_refused(at: int, more: str) -> None:
    """Put in at the front, between or at the end; blanks and padding too."""
    assert KNOWN.read(WRITTEN[:at] + more + WRITTEN[at:]) is None


@given(st.integers(0, len(WRITTEN) - 1))
def test_anything_less_is_refused(length: int) -> None:
    """Cut off wherever; the empty text is no session either."""
    assert KNOWN.read(WRITTEN[:length]) is None


@given(st.binary(max_size=200))
def test_what_nobody_signed_is_refused(raw: bytes) -> None:
    """Well-formed text with a made-up digest tells nothing."""
    assert KNOWN.read(base64.urlsafe_b64encode(raw).rstrip(b"=").decode()) is None


@pytest.mark.parametrize("changed", [{"expires": 9e12}, {"mark": "other"}, {"key": "admin"}])
def test_another_content_with_the_old_digest_is_refused(changed: dict[str, object]) -> None:
    """Longer life, another key: each needs a digest of its own."""
    raw = base64.urlsafe_b64decode(WRITTEN + "=" * (-len(WRITTEN) % 4))
    content = orjson.dumps(orjson.loads(raw[16:]) | changed)
    assert KNOWN.read(base64.urlsafe_b64encode(raw[:16] + content).rstrip(b"=").decode()) is None


@pytest.mark.parametrize("content", [b"", b"null", b"[]", b'{"key": 1}', b"\xff", b"{" * 500])
def test_signed_text_that_is_no_session_is_refused(content: bytes) -> None:
    """What another version may have signed is not guessed at."""
    assert KNOWN.read(KNOWN.keys.sealed(content)) is None


def test_a_text_for_another_purpose_is_refused() -> None:
    """What the same secret signs elsewhere, a session id or a cursor, is no session."""
    content = orjson.dumps(SESSION.model_dump())
    for other in ("lists", "job tokens", "sessions"):
        foreign = SigningKeys((b"a secret of a test",)).derived(other).sealed(content)
        assert KNOWN.read(foreign) is None


def test_a_session_ends_at_its_time() -> None:
    """To the second, by the clock of whoever reads."""
    clock = FakeClock()
    sessions = sessions_of(clock=clock)
    clock.advance(LASTS_S - 1)
    assert sessions.read(WRITTEN) == SESSION
    clock.advance(1)
    assert sessions.read(WRITTEN) is None


def test_a_rotated_secret_keeps_sessions_until_it_is_taken_out() -> None:
    """Written with the old one, read while that is still in the list, and then no more."""
    signing = SigningKeys((b"a secret of a test",))
    sessions = BrowserSessions(keys=signing.derived(PURPOSE), clock=FakeClock())
    signing.renew((b"a new secret", b"a secret of a test"))
    assert sessions.read(WRITTEN) == SESSION
    signing.renew((b"a new secret",))
    assert sessions.read(WRITTEN) is None


def test_neither_secret_nor_session_stands_in_a_representation() -> None:
    """What is logged of the parts shows no bytes of the secret."""
    assert "secret" not in repr(KNOWN)
