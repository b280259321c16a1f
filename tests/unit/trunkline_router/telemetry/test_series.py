"""Calls over time: each counted once, in its step, under its server, tool and agent."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.trunkline_router.telemetry.spanning import NOW, call, own
from trunkline_router.telemetry.series import Asked, Series, Whose
from trunkline_shared.testing.fake_clock import FakeClock


def told(series: Series, **whose: str) -> Any:
    """Return what a page shows of an hour."""
    return {**series.known(), "points": [*series.points(Asked(whose=Whose(**whose)))]}


@pytest.mark.requirement("seeing.series")
def test_each_call_is_counted_in_the_step_in_which_it_ended() -> None:
    """With how it went, where its answer came from, and how long it took."""
    clock = FakeClock(NOW)
    series = Series(clock)
    series([
        call(1, at=NOW, seconds=0.1, tokens_in=3, tokens_out=50),
        call(2, at=NOW, seconds=0.3, source="cache"),
        call(3, at=NOW, seconds=0.2, source="stale", error="timeout"),
        call(4, at=NOW + 9.9, seconds=0.2),
    ])
    clock.advance(15)
    first, second = told(series)["points"]
    assert first == {
        "at": NOW,
        "calls": 3,
        "errors": 1,
        "hits": 2,
        "upstream": 1,
        "p50_ms": pytest.approx(200, rel=0.03),
        "p95_ms": pytest.approx(300, rel=0.03),
        "p99_ms": pytest.approx(300, rel=0.03),
        "tokens_in": 3,
        "tokens_out": 50,
    }
    assert (second["at"], second["calls"], second["p50_ms"]) == (NOW + 10, 1, 200)
    assert series.latest() == second


@pytest.mark.requirement("seeing.series")
def test_a_refused_call_is_an_error_and_a_cancelled_one_is_none() -> None:
    """As in the list of calls; a client that gives up has not failed."""
    series = Series(FakeClock(NOW))
    series([call(1, seconds=0, refused="-32602"), call(2, seconds=0, error="cancelled")])
    assert series.latest()["errors"] == 1


@pytest.mark.requirement("seeing.series")
def test_filters_count_whose_calls_they_name() -> None:
    """Alone and together; what there is to filter by is told in any case."""
    series = Series(FakeClock(NOW))
    series([
        call(1, seconds=0),
        call(2, seconds=0, agent="bob"),
        call(3, seconds=0, server="jira", tool="search"),
    ])

    def calls(**whose: str) -> int:
        return int(told(series, **whose)["points"][0]["calls"])

    assert [calls(), calls(agent="ann"), calls(server="jira"), calls(tool="look")] == [3, 2, 1, 2]
    assert [calls(agent="bob", tool="look"), calls(agent="bob", tool="search")] == [1, 0]
    narrowed = told(series, agent="nobody")
    assert narrowed["agents"] == ["ann", "bob"]
    assert narrowed["servers"] == ["github", "jira"]
    assert narrowed["tools"] == ["look", "search"]


def test_what_is_no_call_is_not_counted() -> None:
    """Lists, pings, and streams that stand open for hours."""
    series = Series(FakeClock(NOW))
    series([
        own(number, given={"mcp.method.name": method})
        for number, method in enumerate(("tools/list", "ping", "subscriptions/listen"), 1)
    ])
    assert series.latest()["calls"] == 0


@pytest.mark.requirement("seeing.series")
def test_an_hour_is_kept_and_quiet_steps_are_told_as_such() -> None:
    """A point for each ten seconds, without calls too; older ones go."""
    clock = FakeClock(NOW)
    series = Series(clock)
    series([call(1, seconds=0)])
    clock.advance(3590)
    series([call(2, at=NOW + 3590, seconds=0)])
    points = told(series)["points"]
    assert [len(points), points[0]["calls"], points[1]["calls"]] == [360, 1, 0]
    assert points[1]["p99_ms"] is None
    assert len([*series.points(Asked(minutes=5))]) == 30
    clock.advance(10)
    series([call(3, at=NOW + 3600, seconds=0)])
    points = told(series)["points"]
    assert [len(points), points[0]["at"], points[0]["calls"]] == [360, NOW + 10, 0]
    assert sum(point["calls"] for point in points) == 2


@pytest.mark.requirement("seeing.series")
def test_what_comes_after_somebody_has_looked_is_counted_as_well() -> None:
    """In the step that he saw, for each filter by itself, however many there are."""
    series = Series(FakeClock(NOW))
    agents = ["", "bob", *map(str, range(20))]
    for number in range(1, 4):
        series([call(number), call(10 + number, agent="bob")])
        shown = [told(series, agent=agent)["points"][-1]["calls"] for agent in agents]
        assert shown == [2 * number, number, *[0] * 20]
        assert series.latest()["calls"] == 2 * number


@pytest.mark.requirement("seeing.series")
def test_however_many_tools_and_agents_there_are_few_are_counted_apart() -> None:
    """A hundred of a step; what is more is counted together, and no call is lost."""
    series = Series(FakeClock(NOW))
    series([call(n, seconds=0, agent=f"agent-{n}") for n in range(1, 500)])
    shown = told(series)
    assert (len(shown["agents"]), "_OTHER" in shown["agents"]) == (101, True)
    assert shown["points"][0]["calls"] == 499


def test_a_tool_that_no_server_has_is_not_named() -> None:
    """Anybody can make up names."""
    series = Series(FakeClock(NOW))
    series([call(1, seconds=0, server="", tool="made-up")])
    assert told(series)["tools"] == ["_OTHER"]


@given(st.lists(st.integers(-100_000, 100_000), max_size=40))
def test_a_clock_that_jumps_does_no_harm(jumps: list[int]) -> None:
    """Points are in order, and within the hour; nothing is kept for longer."""
    clock = FakeClock(NOW)
    series = Series(clock)
    for number, jump in enumerate(jumps, 1):
        series([call(number, at=NOW + jump, seconds=0)])
    points = told(series)["points"]
    assert [point["at"] for point in points] == [NOW]
    assert points[0]["calls"] == sum(0 <= jump < 10 for jump in jumps)
