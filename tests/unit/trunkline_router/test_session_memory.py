"""What is remembered of a session while a stream of it stands, whatever the store lets go of."""

from dataclasses import replace

import pytest

from trunkline_router.sessions.session import Remembered, Session
from trunkline_router.sessions.session_memory import NOTHING, SessionMemory
from trunkline_router.wire.refusal import Refused
from trunkline_shared.store.memory_kept import MemoryKept
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio

SESSION = Session(nonce="first", owner="a", issued=0, replica="here")
OPENED = replace(SESSION, version="2024-11-05", capabilities={"elicitation": {}})


async def crowd(memory: SessionMemory) -> None:
    """Let more sessions begin and end than the store holds."""
    for number in range(10_001):
        await memory.end(replace(SESSION, nonce=str(number)))


@pytest.fixture
def memory() -> SessionMemory:
    clock = FakeClock()
    return SessionMemory(kept=MemoryKept(clock=clock), clock=clock)


@pytest.mark.requirement("gateway.event-streams")
async def test_others_do_not_push_out_a_session_whose_stream_stands(memory: SessionMemory) -> None:
    """What its client can be asked, its level and its resources stay; without a stream they go."""
    with memory.standing(SESSION):
        await memory.begin(SESSION)
        await memory.open(SESSION, OPENED)
        await memory.subscribe(SESSION, "sample://fixed")
        await crowd(memory)
        await memory.set_level(SESSION, "error")
        known = Remembered(level="error", uris=("sample://fixed",), opened=OPENED)
        assert await memory.of(SESSION) == known
        await crowd(memory)
        assert await memory.of(SESSION) == known
    await crowd(memory)
    assert await memory.of(SESSION) is NOTHING


async def test_a_session_stands_as_long_as_one_of_its_streams_does(memory: SessionMemory) -> None:
    """A client that came back opens another before the first one is over."""
    with memory.standing(SESSION):
        with memory.standing(SESSION):
            await memory.set_level(SESSION, "error")
        await crowd(memory)
        assert (await memory.of(SESSION)).level == "error"


async def test_what_another_replica_has_changed_is_what_is_remembered() -> None:
    """What was known here is used where the store has nothing, and nowhere else."""
    clock = FakeClock()
    kept = MemoryKept(clock=clock)
    one, other = (SessionMemory(kept=kept, clock=clock) for _ in range(2))
    with one.standing(SESSION):
        await one.set_level(SESSION, "error")
        await other.set_level(SESSION, "debug")
        assert (await one.of(SESSION)).level == "debug"
        await crowd(other)
        assert (await one.of(SESSION)).level == "debug"
        assert await other.of(SESSION) is NOTHING


async def test_a_session_that_has_ended_is_over_while_its_stream_is_read_to_the_end(
    memory: SessionMemory,
) -> None:
    """Also when the store no longer holds its end."""
    with memory.standing(SESSION):
        await memory.begin(SESSION)
        await memory.end(SESSION)
        await crowd(memory)
        with pytest.raises(Refused):
            await memory.of(SESSION)
