"""What one call has cost: counted over all requests that it makes, at once or in turn."""

import asyncio

import pytest
from pydantic import ValidationError

from trunkline_shared.quota import Left, QuotaNote, count, counted, left_in

pytestmark = pytest.mark.anyio


def left(remaining: int, resets_in_s: float = 600) -> dict[str, Left]:
    return {"core": Left(remaining=remaining, limit=5000, resets_in_s=resets_in_s)}


def test_a_call_that_asks_no_vendor_notes_nothing() -> None:
    """There is nothing to tell."""
    with counted() as spending:
        pass
    assert spending.note is None


async def test_requests_at_once_are_all_counted() -> None:
    """Each in a task of its own; the lowest remainder holds, whatever came last."""

    async def ask(remaining: int) -> None:
        count("me", confirmed=remaining == 98, left=left(remaining))

    with counted() as spending:
        async with asyncio.TaskGroup() as tasks:
            for remaining in (98, 96, 97):
                tasks.create_task(ask(remaining))
    assert spending.note == QuotaNote(credential="me", spent=2, confirmed=1, resources=left(96))


async def test_calls_at_once_are_counted_apart() -> None:
    """What one spends is not noted on the other's result."""

    async def call(name: str, times: int) -> int:
        with counted() as spending:
            for _ in range(times):
                count(name, confirmed=False, left={})
                await asyncio.sleep(0)
        return spending.spent

    one, other = await asyncio.gather(call("a", 1), call("b", 3))
    assert (one, other) == (1, 3)


def test_a_window_that_was_renewed_counts_anew() -> None:
    """More is left than before, since another hour has begun."""
    with counted() as spending:
        count("me", confirmed=False, left=left(1, resets_in_s=1))
        count("me", confirmed=False, left=left(4999, resets_in_s=3600))
    assert spending.resources == left(4999, resets_in_s=3600)


def test_a_renewed_credential_has_a_quota_of_its_own() -> None:
    """What was left under the one before is of no use."""
    with counted() as spending:
        count("old", confirmed=False, left=left(1))
        count("new", confirmed=False, left={})
    assert (spending.credential, spending.spent, spending.resources) == ("new", 2, {})


def test_a_vendor_with_very_many_quotas_is_heard_out_up_to_sixteen() -> None:
    """A note stays small."""
    with counted() as spending:
        for number in range(20):
            told = {f"q{number}": Left(remaining=1, resets_in_s=1)}
            count("me", confirmed=False, left=told)
    assert spending.note is not None
    assert len(spending.note.resources) == 16


@pytest.mark.parametrize(
    ("remaining", "limit"),
    [("", "5000"), ("x", "5000"), ("-1", "5000"), ("9" * 16, "1"), ("1", "")],
)
def test_headers_that_hold_no_numbers_tell_nothing(remaining: str, limit: str) -> None:
    """And do not fail the call."""
    assert left_in(remaining, limit, 60) is None


@pytest.mark.parametrize(("told_s", "believed_s"), [(-3, 0), (90, 90), (1e9, 3600)])
def test_a_reset_is_between_now_and_an_hour(told_s: float, believed_s: float) -> None:
    """Clocks differ."""
    assert left_in("7", "0", told_s) == Left(remaining=7, limit=None, resets_in_s=believed_s)


@pytest.mark.parametrize("resets_in_s", [float("inf"), float("nan"), -1])
def test_a_note_with_nonsense_is_none(resets_in_s: float) -> None:
    """The router believes no number that is none."""
    with pytest.raises(ValidationError):
        Left(remaining=1, resets_in_s=resets_in_s)
