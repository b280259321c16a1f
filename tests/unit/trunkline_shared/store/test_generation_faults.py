"""Whatever becomes of Redis, no generation comes back, and the log says so once."""

import asyncio
import logging
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.redis_process import RedisProcess, running_redis
from tests.unit.trunkline_shared.store.routers import (
    NAME,
    nonce,
    off,
    on,
    router,
    two_routers,
    until,
)
from trunkline_shared.settings import load
from trunkline_shared.store.settings import StoreSettings

pytestmark = pytest.mark.anyio

FULL = ("--maxmemory", "3mb", "--maxmemory-policy", "noeviction")


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [seen.getMessage() for seen in caplog.records if seen.levelno == logging.WARNING]


@pytest.mark.requirement("cache.generations-faults")
async def test_a_flushed_redis_has_nothing_from_before(redis_process: RedisProcess) -> None:
    """The root is another one, and its first seconds count as just changed."""
    async with two_routers(redis_process.settings) as (one, other):
        before = await nonce(one)
        with redis_process.look() as client:
            client.flushall()
        assert await one.read([NAME]) is None
        found = await on(one)
        assert before != found.root + found.by_name[NAME].nonce
        assert found.by_name[NAME].bumped_s < 10
        assert await nonce(one) == await nonce(other)


@pytest.mark.requirement("cache.generations-faults")
async def test_after_a_flush_nobody_who_was_known_is_forgotten(
    redis_process: RedisProcess,
) -> None:
    """One who is silent at that moment is waited for."""
    async with router(redis_process.settings, "a") as one:
        with redis_process.look() as client:
            client.zadd("trunkline:1:{gen}:routers", {"silent": 1})
        await until(lambda: one.state()["silent"] == ["silent"])
        with redis_process.look() as client:
            client.flushall()
            await until(lambda: bool(client.exists("trunkline:1:{gen}:root")))
        await until(lambda: one.state()["silent"] == ["silent"])
        assert await one.read([NAME]) is None


@pytest.mark.requirement("cache.generations-faults")
async def test_a_redis_that_goes_back_to_an_old_file_brings_no_generation_back(
    redis_process: RedisProcess,
) -> None:
    """Not one that a change had replaced, nor one that was never changed."""
    async with two_routers(redis_process.settings) as (one, other):
        old = [await nonce(one), await nonce(one, "=unchanged")]
        redis_process.save()
        await other.bump([NAME], hold_s=0)
        changed = await nonce(one)
        redis_process.kill()
        redis_process.start()
        new = [await nonce(one), await nonce(one, "=unchanged")]
        assert not {*new} & {*old, changed}
        assert new[0] == await nonce(other)
        assert (await on(other)).by_name[NAME].bumped_s < 10


@pytest.mark.requirement("cache.generations-faults")
async def test_who_is_unknown_to_the_old_file_is_waited_for(redis_process: RedisProcess) -> None:
    """Its changes may be missing."""
    async with router(redis_process.settings, "a") as one:
        await on(one)
        redis_process.save()
        with redis_process.look() as client:
            client.zadd("trunkline:1:{gen}:routers", {"silent": 1})
        await until(lambda: one.state()["silent"] == ["silent"])
        redis_process.kill()
        redis_process.start()
        await until(lambda: one.state()["silent"] == ["silent"] and not one.state()["on"])
        for _ in range(50):
            assert await one.read([NAME]) is None


@pytest.mark.requirement("cache.generations-faults")
async def test_a_redis_that_stood_still_goes_on_with_what_it_had(
    redis_process: RedisProcess, caplog: pytest.LogCaptureFixture
) -> None:
    """What was changed meanwhile was owed, and is spoiled by the time that it answers."""
    async with two_routers(redis_process.settings) as (one, other):
        before = await nonce(one)
        redis_process.pause()
        async with asyncio.timeout(20):
            await asyncio.gather(one.bump([NAME], hold_s=0), other.bump([NAME], hold_s=0))
        assert [await one.read([NAME]), await other.read([NAME])] == [None, None]
        redis_process.resume()
        assert await nonce(one) != before
        assert await nonce(one) == await nonce(other)
    assert len(warnings(caplog)) == 2, "one for each of two processes"


@pytest.mark.requirement("cache.generations-faults")
async def test_nothing_that_is_changed_while_redis_stands_still_is_read_from_before(
    redis_process: RedisProcess,
) -> None:
    """Also when it goes on in the midst of the change."""
    async with two_routers(redis_process.settings) as (one, other):
        for _ in range(3):
            before = await nonce(one)
            redis_process.pause()
            async with asyncio.TaskGroup() as tasks:
                bumping = tasks.create_task(other.bump([NAME], hold_s=0))
                await off(one)
                redis_process.resume()
            assert bumping.done()
            assert await nonce(one) != before


@pytest.mark.requirement("cache.generations-faults")
async def test_a_full_redis_still_forgets(caplog: pytest.LogCaptureFixture) -> None:
    """A change is made by deleting; nothing is minted before there is room again."""
    async with AsyncExitStack() as opened:
        process = opened.enter_context(running_redis(*FULL))
        client = opened.enter_context(process.look())
        one, other = await opened.enter_async_context(two_routers(process.settings))
        before = await nonce(one)
        filler = _fill(client)
        async with asyncio.timeout(5):
            await other.bump([NAME], hold_s=10)
        assert await one.read([NAME]) is None
        assert one.state()["on"] is False
        await until(lambda: bool(warnings(caplog)))
        client.delete(*filler)
        assert await nonce(one) != before
        assert await nonce(one) == await nonce(other)


def _fill(client: "object") -> list[str]:
    """Put in what there is room for; return the names."""
    import redis  # noqa: PLC0415 - it takes half a second to import

    assert isinstance(client, redis.Redis)
    names = []
    for size in (100_000, 10_000, 1_000, 100, 10, 1):
        try:
            for number in range(100_000):
                names.append(f"filler:{size}:{number}")
                client.set(names[-1], "x" * size)
        except redis.exceptions.OutOfMemoryError:
            pass
    return names


@pytest.mark.requirement("cache.generations-faults")
async def test_a_redis_that_is_not_there_yet_is_joined_when_it_comes(
    redis_process: RedisProcess, caplog: pytest.LogCaptureFixture
) -> None:
    """Calls are answered meanwhile; one warning."""
    redis_process.kill()
    async with router(redis_process.settings) as one, asyncio.timeout(20):
        assert await one.read([NAME]) is None
        await one.bump([NAME], hold_s=0)
        assert one.state()["on"] is False
        redis_process.start()
        await on(one)
        assert one.state()["on"] is True
    (warning,) = warnings(caplog)
    assert "no read is answered from what was read before" in warning


@pytest.mark.requirement("cache.generations-faults")
async def test_a_wrong_password_switches_it_off_and_is_never_shown(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """As any other Redis that cannot be used."""
    with running_redis("--requirepass", "right") as process:
        url = f"unix://anna:wr0ng-secret@{process.socket}?db=0"
        async with (
            router(load(StoreSettings, {"redis_url": url})) as one,
            asyncio.timeout(20),
        ):
            assert await one.read([NAME]) is None
            await one.bump([NAME], hold_s=0)
            assert one.state()["reason"]
            assert "wr0ng" not in repr(one) + str(one.state())
    assert len(warnings(caplog)) == 1
    assert "wr0ng" not in caplog.text


@pytest.mark.requirement("cache.generations-faults")
async def test_a_redis_that_is_a_replica_is_not_believed() -> None:
    """What it has may be older than the last change."""
    with running_redis("--replicaof", "127.0.0.1 1") as process:
        async with router(process.settings) as one, asyncio.timeout(20):
            assert await one.read([NAME]) is None
            assert one.state()["on"] is False


@pytest.mark.requirement("cache.generations-faults")
async def test_scripts_that_redis_has_forgotten_are_sent_again(
    redis_process: RedisProcess,
) -> None:
    """Nobody notices."""
    async with router(redis_process.settings) as one:
        before = await nonce(one)
        with redis_process.look() as client:
            client.script_flush()
        found = await one.read([NAME])
        assert found is not None
        assert found.root + found.by_name[NAME].nonce == before
        with redis_process.look() as client:
            client.script_flush()
        await one.bump([NAME], hold_s=0)
        assert await nonce(one) != before


@pytest.mark.requirement("cache.generations-faults")
async def test_a_generation_that_redis_dropped_is_another_one(redis_process: RedisProcess) -> None:
    """As one does that evicts what is used least."""
    async with router(redis_process.settings) as one:
        before = await nonce(one)
        with redis_process.look() as client:
            client.delete(f"trunkline:1:{{gen}}:of:{NAME}")
            assert await nonce(one) != before
            before = await nonce(one)
            client.delete("trunkline:1:{gen}:root")
            assert await nonce(one) != before
            before = await nonce(one)
            client.delete("trunkline:1:{gen}:routers")
            assert await nonce(one) != before


@pytest.mark.requirement("cache.generations-faults")
async def test_nothing_stays_in_redis_for_ever(redis_process: RedisProcess) -> None:
    """Generations end after two days, a router that leaves is gone; the root alone stays."""
    async with router(redis_process.settings) as one:
        await on(one)
        await one.bump(["=bumped"], hold_s=10)
        with redis_process.look() as client:
            for name in (NAME, "=bumped"):
                assert 170_000 < int(str(client.ttl(f"trunkline:1:{{gen}}:of:{name}"))) <= 172_800
    kept = redis_process.keys()
    assert [key for key in kept if ":of:" not in key] == ["trunkline:1:{gen}:root"]


@pytest.mark.requirement("cache.generations-faults")
async def test_a_clock_of_redis_that_was_set_back_is_noticed(redis_process: RedisProcess) -> None:
    """A sign from the future says nothing about now."""
    async with router(redis_process.settings) as one:
        await on(one)
        with redis_process.look() as client:
            client.zadd("trunkline:1:{gen}:routers", {"b": 9e12})
        assert await one.read([NAME]) is None


@pytest.mark.requirement("cache.generations-faults")
async def test_something_else_at_the_other_end_is_no_redis(tmp_path: Path) -> None:
    """It is left alone like one that is away."""

    async def chatter(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    path = Path("/tmp") / f"tl-{tmp_path.name[-20:]}.sock"  # noqa: S108 - sockets need short paths
    server = await asyncio.start_unix_server(chatter, path)
    async with server, asyncio.timeout(20):
        settings = load(StoreSettings, {"redis_url": f"unix://{path}"})
        async with router(settings) as one:
            assert await one.read([NAME]) is None
            await one.bump([NAME], hold_s=0)
    path.unlink(missing_ok=True)


@pytest.mark.requirement("cache.generations-faults")
@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("root", "nonsense"),
        ("root", "a:b:c:d"),
        (f"of:{NAME}", "a:b:c"),
        (f"of:{NAME}", "two words"),
    ],
)
async def test_what_somebody_else_wrote_under_our_names_is_not_believed(
    redis_process: RedisProcess, key: str, value: str
) -> None:
    """Nobody fails over it either."""
    async with router(redis_process.settings) as one:
        await on(one)
        with redis_process.look() as client:
            client.set(f"trunkline:1:{{gen}}:{key}", value)
            assert await one.read([NAME]) is None
            await one.bump([NAME], hold_s=0)
            client.zadd("trunkline:1:{gen}:routers", {"two words": 1})
            await until(lambda: one.state()["on"] is False)
            client.zrem("trunkline:1:{gen}:routers", "two words")
        await on(one)
