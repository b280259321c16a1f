"""What every store must do with records: in memory, in a directory, and through a real Redis."""

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.unit.trunkline_shared.store.record_stores import EVERY, KEY, settings_of, two_of
from trunkline_shared.errors import Overloaded
from trunkline_shared.store.record_failures import HoldLost
from trunkline_shared.store.record_port import Record, Records

pytestmark = pytest.mark.anyio

Two = tuple[Records, Records]


@pytest.fixture(params=EVERY)
async def two(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Two]:
    """Two who share records."""
    with settings_of(request.param, tmp_path) as settings:
        async with two_of(request.param, settings) as both, asyncio.timeout(20):
            yield both


async def put(records: Records, value: bytes, key: str = KEY) -> None:
    async with records.held(key, wait_s=5) as record:
        await record.write(value)


async def pass_turns(count: int) -> None:
    """Let everybody else go on a little."""
    for _ in range(count):
        await asyncio.sleep(0)


async def refused(records: Records, wait_s: float = 0) -> Overloaded:
    with pytest.raises(Overloaded) as caught:
        async with records.held(KEY, wait_s=wait_s):
            pass
    assert caught.value.details["reason"] == "record_held"
    return caught.value


async def test_a_record_that_was_never_written_is_none(two: Two) -> None:
    """For a holder and for everybody else."""
    async with two[0].held(KEY, wait_s=0) as record:
        assert await record.read() is None
    assert await two[1].read(KEY) is None


@pytest.mark.parametrize("value", [b"", b"\0\xff\r\n", "geheim ä".encode(), b"x" * 100_000])
async def test_what_a_holder_writes_is_what_all_read(two: Two, value: bytes) -> None:
    """Byte for byte, at once, with and without holding it."""
    async with two[0].held(KEY, wait_s=0) as record:
        await record.write(b"before")
        await record.write(value)
        assert await record.read() == value
        assert await two[1].read(KEY) == value
    async with two[1].held(KEY, wait_s=1) as record:
        assert await record.read() == value


async def test_a_record_has_one_holder(two: Two) -> None:
    """Who asks meanwhile is told that somebody has it, and gets it afterwards."""
    async with two[0].held(KEY, wait_s=0):
        assert (await refused(two[1])).retry_after == 1
        await refused(two[0])
    async with two[1].held(KEY, wait_s=1):
        await refused(two[0])


async def test_other_records_are_free(two: Two) -> None:
    """One hold stands in the way of its own record only."""
    async with two[0].held(KEY, wait_s=0):
        await put(two[1], b"other", "another key")
    assert await two[0].read("another key") == b"other"
    assert await two[0].read(KEY) is None


async def test_whoever_waits_goes_on_when_the_holder_is_done(two: Two) -> None:
    """And reads what the holder wrote."""
    begun = asyncio.Event()

    async def wait() -> bytes | None:
        begun.set()
        async with two[1].held(KEY, wait_s=10) as record:
            return await record.read()

    async with asyncio.TaskGroup() as tasks, two[0].held(KEY, wait_s=0) as record:
        waiting = tasks.create_task(wait())
        await begun.wait()
        await refused(two[0], wait_s=0.1)
        assert not waiting.done()
        await record.write(b"mine")
    assert waiting.result() == b"mine"


async def test_nobody_waits_longer_than_asked(two: Two) -> None:
    """A holder that takes its time costs the others their patience, and no more."""
    async with two[0].held(KEY, wait_s=0):
        began = time.monotonic()
        await refused(two[1], wait_s=0.3)
        assert 0.25 < time.monotonic() - began < 2


async def test_changes_of_many_holders_all_count(two: Two) -> None:
    """Reading, adding one and writing it is safe within a hold."""

    async def add(records: Records) -> None:
        async with records.held(KEY, wait_s=15) as record:
            counted = int(await record.read() or b"0")
            await asyncio.sleep(0)
            await record.write(str(counted + 1).encode())

    async with asyncio.TaskGroup() as tasks:
        for _ in range(8):
            for records in two:
                tasks.create_task(add(records))
    assert await two[0].read(KEY) == b"16"


async def test_a_holder_that_fails_lets_go(two: Two) -> None:
    """What it wrote stays."""

    async def fail() -> None:
        async with two[0].held(KEY, wait_s=0) as record:
            await record.write(b"kept")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    async with two[1].held(KEY, wait_s=0) as record:
        assert await record.read() == b"kept"


async def test_a_holder_that_is_cancelled_lets_go(two: Two) -> None:
    """At once."""
    holds = asyncio.Event()

    async def hold() -> None:
        async with two[0].held(KEY, wait_s=0):
            holds.set()
            await asyncio.Event().wait()

    async with asyncio.TaskGroup() as tasks:
        holder = tasks.create_task(hold())
        await holds.wait()
        holder.cancel()
    async with two[1].held(KEY, wait_s=0):
        pass


async def test_somebody_who_stopped_waiting_does_not_get_it(two: Two) -> None:
    """A cancelled wait leaves no hold behind, whenever it is cancelled."""
    for turns in range(0, 200, 9):
        async with asyncio.TaskGroup() as tasks:
            async with two[0].held(KEY, wait_s=1):
                waiting = tasks.create_task(put(two[1], b"late"))
                await pass_turns(turns)
            waiting.cancel()
        async with two[0].held(KEY, wait_s=0) as record:
            await record.write(b"")


async def test_a_cancelled_write_is_over_when_its_holder_lets_go(two: Two) -> None:
    """Whoever holds the record next is never overtaken by a write from before."""

    async def write(value: bytes) -> None:
        async with two[0].held(KEY, wait_s=1) as record:
            await record.write(value)

    for turns in range(0, 200, 3):
        async with asyncio.TaskGroup() as tasks:
            writing = tasks.create_task(write(b"old"))
            await pass_turns(turns)
            writing.cancel()
        await put(two[1], b"new")
        assert await two[0].read(KEY) == b"new"


async def test_nothing_is_written_after_the_hold(two: Two) -> None:
    """A record that outlives its block is of no use."""
    async with two[0].held(KEY, wait_s=0) as record:
        await record.write(b"in time")
    with pytest.raises(HoldLost) as caught:
        await record.write(b"too late")
    assert caught.value.details["reason"] == "hold_lost"
    assert await two[1].read(KEY) == b"in time"


async def test_no_record_is_shown(two: Two) -> None:
    """Neither the store nor a hold says what is in it."""
    shown = []
    async with two[0].held(KEY, wait_s=0) as record:
        await record.write(b"geheim")
        held: Record = record
        shown = [repr(held), repr(two[0])]
    assert not [text for text in shown if "geheim" in text]
