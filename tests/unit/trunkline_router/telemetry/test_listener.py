"""Whoever watches is told of a bounded number of calls, and of how many he was not."""

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_router.telemetry.listener import BACKLOG, PER_SECOND, Listener
from trunkline_router.wire.event import named_event


def told(listener: Listener) -> list[tuple[str, object]]:
    """Return what waits: each event's kind and content."""
    blocks = listener.take().decode().split("\n\n")[:-1]
    pairs = (block.removeprefix("event: ").split("\ndata: ") for block in blocks)
    return [(kind, orjson.loads(data)) for kind, data in pairs]


def watch(listener: Listener, second: int, calls: int) -> None:
    """Let calls happen in a second."""
    for number in range(listener.room(second, calls)):
        listener.call(named_event(b"call", {"second": second, "number": number}))


@pytest.mark.requirement("seeing.live-bounded")
def test_fifty_calls_a_second_are_told_and_the_rest_is_counted() -> None:
    """In the next second, or with the next state."""
    listener = Listener()
    watch(listener, 1, PER_SECOND + 7)
    assert len(told(listener)) == PER_SECOND
    watch(listener, 2, 1)
    assert told(listener)[0] == ("skipped", {"calls": 7})
    watch(listener, 2, PER_SECOND + 1)
    told(listener)
    listener.state(named_event(b"state", {}))
    assert told(listener) == [("skipped", {"calls": 2}), ("state", {})]


@pytest.mark.requirement("seeing.live-bounded")
def test_who_reads_slowly_has_a_gap() -> None:
    """In place of what was too much; then it goes on."""
    listener = Listener()
    for second in range(BACKLOG // PER_SECOND):
        watch(listener, second, PER_SECOND)
    watch(listener, 1000, 1)
    assert told(listener) == [("gap", {}), ("call", {"second": 1000, "number": 0})]


def test_of_states_the_newest_alone_is_told() -> None:
    """What was so before interests nobody."""
    listener = Listener()
    for number in range(3):
        listener.state(named_event(b"state", {"number": number}))
    assert told(listener) == [("state", {"number": 2})]
    assert listener.take() == b""


@pytest.mark.requirement("seeing.live-bounded")
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 120), st.booleans()), max_size=30))
def test_every_call_is_told_or_counted_unless_there_is_a_gap(
    steps: list[tuple[int, int, bool]],
) -> None:
    """Whenever the listener reads."""
    listener = Listener()
    happened, second, heard = 0, 0, list[tuple[str, object]]()
    for later, calls, reads in steps:
        second += later
        watch(listener, second, calls)
        happened += calls
        heard += told(listener) if reads else []
    listener.state(named_event(b"state", {}))
    heard += told(listener)
    kinds = [kind for kind, _ in heard]
    skipped = sum(
        body["calls"] for kind, body in heard if kind == "skipped" and isinstance(body, dict)
    )
    if "gap" not in kinds:
        assert kinds.count("call") + skipped == happened
    assert kinds.count("state") == 1
