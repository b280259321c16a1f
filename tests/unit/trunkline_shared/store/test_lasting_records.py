"""Records that outlive their process: in a directory or in Redis, whatever becomes of a holder."""

import asyncio
import stat
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from tests.redis_process import RedisProcess
from tests.unit.trunkline_shared.store.record_stores import KEY, LASTING, settings_of
from trunkline_shared.errors import Overloaded, UpstreamUnavailable
from trunkline_shared.settings import load
from trunkline_shared.store.opening import open_store
from trunkline_shared.store.outage import PAUSE_S
from trunkline_shared.store.record_failures import HoldLost
from trunkline_shared.store.record_port import Records
from trunkline_shared.store.redis_records import RedisRecords, hold_of
from trunkline_shared.store.settings import StoreSettings
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[4]
HOLDER = "tests.unit.trunkline_shared.store.holding_process"


@asynccontextmanager
async def records_in(folder: Path) -> AsyncIterator[Records]:
    """Open the records of a directory."""
    settings = load(StoreSettings, {"redis_url": "", "state_dir": str(folder)})
    async with open_store(settings) as store, asyncio.timeout(20):
        yield store.records


async def put(records: Records, value: bytes, wait_s: float = 5) -> None:
    async with records.held(KEY, wait_s=wait_s) as record:
        await record.write(value)


def lock_in(folder: Path) -> Path:
    """Return the one lock's file."""
    (lock,) = folder.rglob("*.lock")
    return lock


@asynccontextmanager
async def holding_process(
    settings: StoreSettings, lease_s: float
) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run a process that holds the record; it is killed at the end if it still runs."""
    given = (settings.redis_url.get_secret_value(), str(settings.state_folder), str(lease_s))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", HOLDER, *given), cwd=ROOT, stdout=PIPE
    )
    try:
        assert process.stdout is not None
        assert await process.stdout.readline() == b"held\n"
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


@pytest.mark.parametrize("kind", LASTING)
async def test_a_record_survives_a_restart(kind: str, tmp_path: Path) -> None:
    """Another process finds what the one before it wrote."""
    with settings_of(kind, tmp_path) as settings:
        async with open_store(settings) as store:
            await put(store.records, b"for ever")
        async with open_store(settings) as store:
            assert await store.records.read(KEY) == b"for ever"


@pytest.mark.parametrize("kind", LASTING)
async def test_a_hold_keeps_other_processes_out_and_ends_with_its_process(
    kind: str, tmp_path: Path
) -> None:
    """Nobody gets the record of a process that lives; of one that was killed, everybody."""
    async with AsyncExitStack() as opened:
        settings = opened.enter_context(settings_of(kind, tmp_path))
        store = await opened.enter_async_context(open_store(settings))
        await opened.enter_async_context(asyncio.timeout(30))
        async with holding_process(settings, lease_s=4) as process:
            with pytest.raises(Overloaded):
                await put(store.records, b"", wait_s=0.2)
            process.kill()
            await process.wait()
        async with store.records.held(KEY, wait_s=10) as record:
            assert await record.read() == b"of the process"
            await record.write(b"of its heir")
        assert await store.records.read(KEY) == b"of its heir"


async def test_a_lease_that_ran_out_lets_the_next_in_and_nothing_of_the_former(
    redis_process: RedisProcess,
) -> None:
    """A process that slept through its lease finds its write refused."""
    async with (
        open_store(redis_process.settings) as one,
        open_store(redis_process.settings) as other,
        asyncio.timeout(20),
        one.records.held(KEY, wait_s=0, lease_s=0.2) as slow,
        other.records.held(KEY, wait_s=5) as quick,
    ):
        await quick.write(b"of the next")
        with pytest.raises(HoldLost):
            await slow.write(b"of the former")
        assert await slow.read() == b"of the next"


async def test_a_hold_ends_with_its_block_when_redis_failed_and_came_back_in_it(
    redis_process: RedisProcess,
) -> None:
    """The write found out that Redis is back; nobody waits for the lease to run out."""
    async with (
        open_store(redis_process.settings, FakeClock()) as one,
        open_store(redis_process.settings) as other,
        asyncio.timeout(20),
    ):
        assert isinstance(one.records, RedisRecords)
        async with one.records.held(KEY, wait_s=0) as record:
            one.records.asking.outage.failed(OSError("a moment ago"))
            await record.write(b"kept")
        await put(other.records, b"of the next", wait_s=0)


async def test_the_end_of_a_lost_hold_leaves_the_next_holder_alone(
    redis_process: RedisProcess,
) -> None:
    """Only the hold's own name ends it."""
    async with (
        open_store(redis_process.settings) as one,
        open_store(redis_process.settings) as other,
        asyncio.timeout(20),
    ):
        async with one.records.held(KEY, wait_s=0, lease_s=0.1):
            quick = other.records.held(KEY, wait_s=5)
            record = await quick.__aenter__()
        await record.write(b"still mine")
        await quick.__aexit__(None, None, None)
        assert await one.records.read(KEY) == b"still mine"


async def test_every_hold_in_redis_ends_by_itself(redis_process: RedisProcess) -> None:
    """Nothing there needs a person to remove it."""
    async with open_store(redis_process.settings) as store:
        async with store.records.held(KEY, wait_s=0, lease_s=20):
            with redis_process.look() as client:
                assert 0 < int(client.pttl(hold_of(KEY))) <= 20_000
        assert redis_process.keys() == []


async def test_a_lock_that_somebody_removed_is_lost(tmp_path: Path) -> None:
    """Whoever comes then has the record, and the former holder writes nothing any more."""
    async with (
        records_in(tmp_path) as one,
        records_in(tmp_path) as other,
        one.held(KEY, wait_s=0) as former,
    ):
        await former.write(b"old")
        lock_in(tmp_path).unlink()
        with pytest.raises(HoldLost):
            await former.write(b"nobody else has come")
        await put(other, b"new", wait_s=0)
        with pytest.raises(HoldLost):
            await former.write(b"of the former")
        assert await other.read(KEY) == b"new"


async def test_records_are_for_their_owner_alone(tmp_path: Path) -> None:
    """Directories 0700, files 0600, also where the directory stood open before."""
    (tmp_path / "state" / "records-1").mkdir(parents=True)
    async with records_in(tmp_path / "state") as records:
        await put(records, b"geheim")
    modes = {
        path.suffix or path.name: stat.S_IMODE(path.stat().st_mode)
        for path in (tmp_path / "state").rglob("*")
    }
    assert modes == {"records-1": 0o700, ".lock": 0o600, ".record": 0o600}


async def test_a_directory_is_made_when_it_is_needed(tmp_path: Path) -> None:
    """Opening the store makes nothing; the first record makes all of it, closed to others."""
    async with records_in(tmp_path / "a" / "b") as records:
        assert not (tmp_path / "a").exists()
        assert await records.read(KEY) is None
    assert stat.S_IMODE((tmp_path / "a" / "b").stat().st_mode) == 0o700


@pytest.mark.parametrize("place", ["file/below", "~nobody-of-this-name/state"])
async def test_a_directory_that_cannot_be_is_named_with_the_fix(place: str, tmp_path: Path) -> None:
    """When it is needed, and not at the start: no server is stopped by it."""
    (tmp_path / "file").touch()
    folder = Path(place) if place.startswith("~") else tmp_path / place
    async with records_in(folder) as records:
        for use in (records.read(KEY), put(records, b"value")):
            with pytest.raises(UpstreamUnavailable) as caught:
                await use
            assert f"TRUNKLINE_STATE_DIR={folder}: " in caught.value.message
            assert "TRUNKLINE_STATE_DIR" in (caught.value.hint or "")
            assert caught.value.details["reason"] == "state_dir"
            assert not caught.value.retryable


async def test_a_write_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    """No half of a record, and no file of its own beside it."""
    async with records_in(tmp_path) as records, records.held(KEY, wait_s=0) as record:
        lock = lock_in(tmp_path)
        lock.with_suffix(".record").mkdir()
        with pytest.raises(UpstreamUnavailable):
            await record.write(b"geheim")
        assert {path.suffix for path in lock.parent.iterdir()} == {".lock", ".record"}


async def test_a_redis_that_is_away_fails_at_once_and_nothing_stands_in(
    redis_process: RedisProcess,
) -> None:
    """What only the store may say is not said by the process; it goes on when Redis is back."""
    clock = FakeClock()
    async with open_store(redis_process.settings, clock) as store, asyncio.timeout(10):
        await put(store.records, b"old")
        redis_process.kill()
        for use in (store.records.read(KEY), put(store.records, b"lost"), store.records.read(KEY)):
            with pytest.raises(UpstreamUnavailable) as caught:
                await use
            assert caught.value.details["reason"] == "store_away"
            assert redis_process.url in caught.value.message
            assert caught.value.retryable
        redis_process.start()
        clock.advance(PAUSE_S)
        assert await store.records.read(KEY) is None
        await put(store.records, b"new")
        assert await store.records.read(KEY) == b"new"


async def test_a_redis_that_hangs_costs_the_first_a_second_and_the_next_nothing(
    redis_process: RedisProcess,
) -> None:
    """The wait for somebody else's hold is not spent on a store that does not answer."""
    async with open_store(redis_process.settings, FakeClock()) as store, asyncio.timeout(5):
        redis_process.pause()
        for _ in range(20):
            with pytest.raises(UpstreamUnavailable):
                await put(store.records, b"value")


async def test_a_holder_tries_to_write_although_redis_was_away(
    redis_process: RedisProcess,
) -> None:
    """The pause after an outage is for those who ask, not for what may be lost for ever."""
    async with (
        open_store(redis_process.settings, FakeClock()) as store,
        asyncio.timeout(10),
        store.records.held(KEY, wait_s=0) as record,
    ):
        redis_process.pause()
        with pytest.raises(UpstreamUnavailable):
            await store.records.read(KEY)
        redis_process.resume()
        await record.write(b"kept")
    assert redis_process.keys()


async def test_connections_from_before_a_restart_cost_nobody_an_answer(
    redis_process: RedisProcess,
) -> None:
    """One that turns out to be dead is replaced, and the question asked again."""
    async with open_store(redis_process.settings) as store, asyncio.timeout(10):
        async with asyncio.TaskGroup() as tasks:
            for _ in range(8):
                tasks.create_task(store.records.read(KEY))
        redis_process.kill()
        redis_process.start()
        for _ in range(8):
            await put(store.records, b"value")
