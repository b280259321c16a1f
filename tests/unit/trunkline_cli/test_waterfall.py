"""A trace is drawn as wide as the terminal, and nothing in it moves the cursor."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_cli import trace_text, waterfall


def step(id_: str, parent: str = "", **more: Any) -> dict[str, Any]:
    """Return a step of a trace of 100 ms."""
    return {
        "span_id": id_,
        "parent_id": parent,
        "name": f"step {id_}",
        "service": "router",
        "offset_ms": 0.0,
        "duration_ms": 100.0,
        "error": "",
        "attributes": {},
        "links": [],
        **more,
    }


def drawn(*spans: dict[str, Any], width: int = 80, verbose: bool = False) -> list[str]:
    """Return the lines of a trace of 100 ms."""
    trace = {"duration_ms": 100.0, "spans": list(spans)}
    return list(waterfall.lines(trace, width, verbose=verbose))


@pytest.mark.requirement("seeing.trace-command")
def test_steps_stand_beneath_their_parents_with_bars_where_they_were() -> None:
    """The whole is as wide as there is room."""
    whole, half = drawn(step("a"), step("b", "a", offset_ms=50.0, duration_ms=50.0))
    assert whole.startswith("router  step a    100.0 ms  ")
    assert half.startswith("router    step b   50.0 ms  ")
    assert len(whole) == len(half)
    assert 76 <= len(whole) <= 80
    bars = whole[28:], half[28:]
    assert len(bars[1].lstrip()) == pytest.approx(len(bars[0]) / 2, abs=1)


@pytest.mark.requirement("seeing.trace-command")
def test_errors_links_and_attributes_are_told() -> None:
    """Attributes on demand; what an agent has put into them moves no cursor."""
    span = step(
        "a",
        error="timeout",
        links=[{"trace_id": "f" * 32, "span_id": "1" * 16}],
        attributes={"a": "\x1b[2J", "b": 1},
    )
    _, *besides = [line.strip() for line in drawn(span)]
    assert besides == ["error: timeout", "linked to trace ffffffffffff"]
    assert [line.strip() for line in drawn(span, verbose=True)][3:] == [r"a: \x1b[2J", "b: 1"]


@given(
    st.lists(st.tuples(st.floats(-1e9, 1e9), st.floats(0, 1e9), st.text(max_size=90)), max_size=20),
    st.integers(1, 300),
)
def test_any_trace_fits_on_any_terminal(steps: list[tuple[float, float, str]], width: int) -> None:
    """Whatever the clocks of servers say; names are cut, and bars have ten columns at least."""
    spans = [
        step(str(number), str(number - 1), offset_ms=offset, duration_ms=took, name=name)
        for number, (offset, took, name) in enumerate(steps)
    ]
    for line in drawn(*spans, width=width):
        assert "\n" not in line
        assert len(line) <= max(width, 100)


@pytest.mark.parametrize(
    ("milliseconds", "told"),
    [(0.04, "0.0 ms"), (12.34, "12.3 ms"), (1500, "1.50 s"), (125_000, "2 min 5 s")],
)
def test_durations_are_told_as_people_read_them(milliseconds: float, told: str) -> None:
    """In the unit that fits."""
    assert trace_text.duration(milliseconds) == told


@pytest.mark.parametrize(
    ("kept", "asked", "told"),
    [
        ({"kept": 5, "limit": 9}, {"error": "any"}, "None of the 5 traces"),
        ({"kept": 0, "limit": 0}, {"limit": "20"}, "keeps no traces"),
        ({"kept": 0, "limit": 9}, {"limit": "20"}, "traced no call yet"),
    ],
)
def test_an_empty_list_says_why(kept: dict[str, int], asked: dict[str, str], told: str) -> None:
    """And what to do."""
    assert told in trace_text.nothing(kept, asked, "http://x")


@pytest.mark.parametrize(
    ("trace", "told"),
    [
        ({"dropped": 7, "row": {}}, "7 of its steps"),
        ({"row": None}, "not ended yet"),
        ({"row": {"name": "x"}}, "TRUNKLINE_TRACES_URL"),
    ],
)
def test_what_is_missing_of_a_trace_is_told(trace: dict[str, Any], told: str) -> None:
    """Too many steps, an answer that is still to come, or a server that says nothing."""
    assert told in trace_text.missing(trace)


def test_what_is_no_tool_goes_by_its_name() -> None:
    """And a tool by how it is called."""
    assert trace_text.call_of({"tool": "look", "server": "twig"}) == "twig.look"
    assert trace_text.call_of({"tool": "made-up", "server": ""}) == "made-up"
    assert trace_text.call_of({"name": "tools/list", "server": ""}) == "tools/list"
    assert trace_text.call_of({"name": "prompts/get x", "server": "a"}) == "prompts/get x (a)"
