"""What a call was delegated is held for the call, and shown to nobody."""

import pytest

from trunkline_shared.delegation import delegated, delegated_by

GIVEN = {"url": "http://127.0.0.1:8470/mcp", "token": "s3cret-token"}


def test_a_delegation_is_held_for_its_block() -> None:
    """An inner call without one has none."""
    assert delegated() is None
    with delegated_by(GIVEN):
        held = delegated()
        assert held is not None
        assert (held.url, held.token) == (GIVEN["url"], GIVEN["token"])
        with delegated_by(None):
            assert delegated() is None
        assert delegated() == held
    assert delegated() is None


@pytest.mark.requirement("bridge.query-slots")
def test_who_is_behind_a_call_and_how_deep_it_stands_is_told() -> None:
    """A router of before says neither: then all are one caller's, and none is deep."""
    with delegated_by({**GIVEN, "caller": "c0ffee", "depth": 2}):
        held = delegated()
    assert held is not None
    assert (held.caller, held.depth) == ("c0ffee", 2)
    with delegated_by({**GIVEN, "caller": 7, "depth": "deep"}):
        odd = delegated()
    assert odd is not None
    assert (odd.caller, odd.depth) == ("", 1)


@pytest.mark.parametrize("given", [None, "x", 7, [], {}, {"url": "u"}, {"token": "t", "url": 1}])
def test_what_makes_no_sense_is_no_delegation(given: object) -> None:
    """Nothing is guessed."""
    with delegated_by(given):
        assert delegated() is None


@pytest.mark.requirement("secrets.logs")
def test_a_token_is_not_in_its_representation() -> None:
    """A delegation that is logged by mistake tells nothing."""
    with delegated_by(GIVEN):
        assert GIVEN["token"] not in repr(delegated())
