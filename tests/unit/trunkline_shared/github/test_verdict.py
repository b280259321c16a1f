"""The verdict table, and that the buckets always add up."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_shared.github.verdict import BUCKETS, Verdict, bucket, verdict

STATUSES = ("queued", "in_progress", "waiting", "requested", "pending", "completed")
CONCLUSIONS = (
    *("failure", "timed_out", "startup_failure", "action_required", "cancelled", "success"),
    *("neutral", "skipped", "stale", "something_new"),
)
SIGNALS = st.tuples(
    st.sampled_from([*STATUSES, "novel"]) | st.none(), st.sampled_from(CONCLUSIONS) | st.none()
)


@pytest.mark.parametrize(
    ("status", "conclusion", "expected"),
    [
        ("completed", "failure", "failing"),
        ("completed", "timed_out", "failing"),
        ("completed", "startup_failure", "failing"),
        ("completed", "action_required", "failing"),
        ("completed", "cancelled", "failing"),
        ("completed", "success", "passing"),
        ("completed", "neutral", "passing"),
        ("completed", "skipped", "passing"),
        ("completed", "stale", "unknown"),
        ("completed", "something_new", "unknown"),
        ("something_new", None, "unknown"),
        ("queued", None, "pending"),
        ("in_progress", None, "pending"),
        ("waiting", None, "pending"),
        ("requested", None, "pending"),
        ("pending", None, "pending"),
        ("error", None, "failing"),
        ("success", None, "passing"),
    ],
)
@pytest.mark.requirement("ci.verdict-table")
def test_each_state_has_its_verdict(status: str, conclusion: str | None, expected: Verdict) -> None:
    """The table of the documentation, row by row, and strings that nobody documented."""
    assert verdict([bucket(status, conclusion)]) == expected


def test_nothing_at_all_is_none() -> None:
    """Silence is not success."""
    assert verdict([]) == "none"


@given(st.lists(SIGNALS))
def test_every_signal_lands_in_one_bucket(signals: list[tuple[str | None, str | None]]) -> None:
    """Whatever GitHub says, the buckets add up to the number of signals."""
    buckets = [bucket(*signal) for signal in signals]
    assert sum(buckets.count(each) for each in BUCKETS) == len(signals)


@given(st.lists(SIGNALS, min_size=1), st.randoms())
def test_the_worst_signal_decides_in_any_order(
    signals: list[tuple[str | None, str | None]],
    random: Random,
) -> None:
    """One failure fails all, and nothing passes while something runs or is unknown."""
    buckets = [bucket(*signal) for signal in signals]
    shuffled = random.sample(buckets, len(buckets))
    found = verdict(buckets)
    assert found == verdict(shuffled)
    alone = {verdict([one]) for one in buckets}
    assert (found == "failing") == ("failing" in alone)
    assert (found == "passing") == (alone == {"passing"})
