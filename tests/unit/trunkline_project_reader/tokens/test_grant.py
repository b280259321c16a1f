"""A grant's freshness, and its sealed form: for the holder of the refresh token alone."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_project_reader.tokens.configured import Renewable
from trunkline_project_reader.tokens.grant import (
    Grant,
    configured_grant,
    newest,
    sealed,
    unsealed,
)

SOURCE = Renewable(
    refresh_token="refresh-configured",
    client_id="client",
    client_secret="hidden",
    access_token="access-configured",
    token_url="https://launchpad.37signals.com/authorization/token",
)
TOKENS = st.text(min_size=1, max_size=200)
TIMES = st.floats(min_value=0, max_value=1e11)
GRANTS = st.builds(
    Grant,
    access_token=TOKENS,
    refresh_token=TOKENS,
    expires_at=st.none() | TIMES,
    obtained_at=TIMES,
    serial=st.integers(0, 1_000_000),
    in_doubt=st.booleans(),
)


def encodable(grant: Grant) -> bool:
    """Whether its texts are whole characters, as every token's are."""
    try:
        f"{grant.access_token}{grant.refresh_token}".encode()
    except UnicodeEncodeError:
        return False
    return True


@given(grant=GRANTS.filter(encodable))
def test_a_sealed_grant_is_opened_as_it_was(grant: Grant) -> None:
    """Whatever is in it."""
    assert unsealed(sealed(grant, SOURCE), SOURCE) == grant


@given(grant=GRANTS.filter(encodable))
def test_a_grant_is_sealed_differently_each_time(grant: Grant) -> None:
    """Nobody sees that it did not change."""
    assert sealed(grant, SOURCE) != sealed(grant, SOURCE)


@pytest.mark.parametrize(
    "other",
    [
        replace(SOURCE, refresh_token="another"),
        replace(SOURCE, client_id="another"),
        replace(SOURCE, token_url="https://issuer.example/token"),
    ],
    ids=["refresh token", "client", "server"],
)
def test_another_configuration_opens_nothing_and_has_another_record(other: Renewable) -> None:
    """What was made of one refresh token says nothing about another."""
    assert unsealed(sealed(configured_grant(SOURCE), SOURCE), other) is None
    assert other.key != SOURCE.key


def test_a_new_client_secret_leaves_the_record_where_it_is() -> None:
    """Secrets of a client are replaced while its tokens live on."""
    other = replace(SOURCE, client_secret="next", access_token="")
    assert other.key == SOURCE.key
    assert unsealed(sealed(configured_grant(SOURCE), SOURCE), other) == configured_grant(SOURCE)


@given(place=st.integers(0), bit=st.integers(0, 7))
def test_a_record_with_one_bit_turned_is_not_opened(place: int, bit: int) -> None:
    """Wherever that bit is."""
    value = bytearray(sealed(configured_grant(SOURCE), SOURCE))
    value[place % len(value)] ^= 1 << bit
    assert unsealed(bytes(value), SOURCE) is None


@given(value=st.binary(max_size=64))
def test_what_is_no_record_is_not_opened(value: bytes) -> None:
    """Nor does it end anything."""
    assert unsealed(value, SOURCE) is None


@pytest.mark.parametrize("length", range(0, 60, 7))
def test_a_record_that_was_cut_off_is_not_opened(length: int) -> None:
    """As half of a file is."""
    assert unsealed(sealed(configured_grant(SOURCE), SOURCE)[:length], SOURCE) is None


def test_no_secret_is_shown() -> None:
    """Neither in what is configured nor in what is made of it."""
    shown = repr((SOURCE, configured_grant(SOURCE)))
    assert "configured" not in shown.replace("configured_grant", "")
    assert "hidden" not in shown
    assert "refresh-configured" not in SOURCE.key


@pytest.mark.parametrize(
    ("obtained", "lasts", "due"),
    [(0, 1_209_600, 1_209_300), (0, 600, 300), (0, 60, 30), (1000, 60, 1030), (0, 0, 0)],
)
def test_a_grant_is_due_five_minutes_or_half_of_its_life_before_its_end(
    obtained: float, lasts: float, due: float
) -> None:
    """Whichever is less."""
    grant = Grant(
        access_token="a", refresh_token="r", expires_at=obtained + lasts, obtained_at=obtained
    )
    assert grant.is_due(due)
    assert not grant.is_due(due - 1)
    assert grant.has_ended(obtained + lasts)
    assert not grant.has_ended(obtained + lasts - 1)


def test_a_grant_without_an_end_is_never_due() -> None:
    """Only a refusal tells."""
    assert not configured_grant(SOURCE).is_due(1e12)
    assert not configured_grant(SOURCE).has_ended(1e12)


def test_the_newest_grant_is_the_last_of_its_chain() -> None:
    """Not the one that a clock calls later; of equal ones the first that is named."""
    first = configured_grant(SOURCE)
    second = replace(first, serial=2, obtained_at=10.0)
    rival = replace(first, serial=1, obtained_at=99.0)
    same = replace(second, access_token="same")
    assert newest([first, None, second, rival]) is second
    assert newest([second, same]) is second
    assert newest([replace(second, obtained_at=11.0), second]) != second
    assert newest([None]) is None
