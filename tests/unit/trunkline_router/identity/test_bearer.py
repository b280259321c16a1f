"""What a request shows: a bearer first, a session's cookie without one, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_router.identity.bearer import SESSION, bearer_of


@pytest.mark.parametrize(
    ("headers", "shown"),
    [
        ({}, None),
        ({"Authorization": "Bearer tl_a_b"}, "tl_a_b"),
        ({"Authorization": "bearer  tl_a_b "}, "tl_a_b"),
        ({"Authorization": "Basic dGw6dGw="}, None),
        ({"Cookie": "trunkline_session=abc"}, SESSION + "abc"),
        ({"Cookie": "a=1; trunkline_session=abc; b=2"}, SESSION + "abc"),
        ({"Cookie": "a=1;trunkline_session=abc"}, SESSION + "abc"),
        ({"Cookie": "a=trunkline_session; b=trunkline_session=abc"}, None),
        ({"Cookie": "Trunkline_Session=abc"}, None),
        ({"Cookie": "xtrunkline_session=abc; trunkline_session2=d"}, None),
        ({"Cookie": ""}, None),
        ({"Cookie": "trunkline_session="}, SESSION),
        ({"Cookie": "trunkline_session=abc; trunkline_session=def"}, SESSION),
        ({"Authorization": "Bearer tl_a_b", "Cookie": "trunkline_session=abc"}, "tl_a_b"),
        ({"Authorization": "Basic x", "Cookie": "trunkline_session=abc"}, None),
    ],
)
def test_the_header_counts_and_the_cookie_without_it(
    headers: dict[str, str], shown: str | None
) -> None:
    """An Authorization of any scheme leaves the cookie unread; two sessions are none."""
    assert bearer_of(headers) == shown


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=300))
def test_a_hostile_cookie_is_a_session_or_nothing(cookie: str) -> None:
    """It is never a key, whatever stands in it."""
    shown = bearer_of({"Cookie": cookie})
    assert shown is None or shown.startswith(SESSION)
