"""Challenges in `WWW-Authenticate`."""

import re

from hypothesis import given
from hypothesis import strategies as st

from trunkline_router.wire.challenge import challenge_of, extended

# RFC 9110, 11.6.1 and RFC 6750, 3: a scheme, then quoted parameters.
WELL_FORMED = re.compile(r'Bearer( [a-z_]+="[ !#-\[\]-~]*"(, [a-z_]+="[ !#-\[\]-~]*")*)?')


@given(st.text(max_size=80))
def test_no_message_breaks_the_header(message: str) -> None:
    """Quotes, line breaks and letters beyond ASCII are no part of a description."""
    told = challenge_of({"message": message, "data": {"reason": "invalid_token"}})
    assert told is not None
    assert WELL_FORMED.fullmatch(told)
    assert WELL_FORMED.fullmatch(extended(told, {"scope": "tools", "resource_metadata": "x"}))


def test_what_is_said_already_is_not_said_twice() -> None:
    """The scope that is lacking stands, whatever a stranger would be asked for."""
    told = challenge_of({"data": {"reason": "insufficient_scope", "scope": "observe"}})
    assert told is not None
    assert extended(told, {"scope": "tools"}) == told
    assert extended("Bearer", {}) == "Bearer"
    assert extended("Bearer", {"scope": "tools"}) == 'Bearer scope="tools"'


@given(st.none() | st.integers() | st.dictionaries(st.text(), st.none() | st.text()))
def test_other_errors_have_no_challenge(error: object) -> None:
    """A refused origin or a contradiction asks for no token."""
    assert challenge_of(error) is None
    assert challenge_of({"message": "no", "data": error}) is None
