"""Odd answers and large questions: a change is made or owed, and nothing is raised."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.redis_process import RedisProcess
from tests.unit.trunkline_shared.store.routers import NAME, on, router
from trunkline_shared.settings import load
from trunkline_shared.store.settings import StoreSettings

pytestmark = pytest.mark.anyio


class Parrot(asyncio.Protocol):
    """Answers the same to whatever it is asked."""

    def __init__(self, said: bytes) -> None:
        self._said = said
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, _: bytes) -> None:
        assert self._transport is not None
        self._transport.write(self._said)


@asynccontextmanager
async def answering(said: bytes, path: Path) -> AsyncIterator[StoreSettings]:
    """Run what answers the same to whatever it is asked."""
    loop = asyncio.get_running_loop()
    async with await loop.create_unix_server(lambda: Parrot(said), path):
        yield load(StoreSettings, {"redis_url": f"unix://{path}"})


@pytest.mark.requirement("cache.generations-faults")
@pytest.mark.parametrize(
    "said",
    [b"+\xff\xfe\r\n", b"$2\r\n\xc3\x28\r\n", b"-\r\n", b"-MOVED 1 here:no-port\r\n", b":1\r\n"],
)
async def test_a_change_is_never_refused_for_what_redis_answers(
    said: bytes, tmp_path: Path
) -> None:
    """Whatever speaks there: a write must not fail because of it, nor end its router."""
    async with (
        answering(said, tmp_path / "sock") as settings,
        asyncio.timeout(20),
        router(settings) as one,
    ):
        await one.bump([NAME], hold_s=0)
        assert await one.read([NAME]) is None


@pytest.mark.requirement("cache.generations")
async def test_any_number_of_generations_is_read_at_once(redis_process: RedisProcess) -> None:
    """Also more than a command of a script takes arguments."""
    names = [f"=doc:{number}" for number in range(9_001)]
    async with router(redis_process.settings) as one:
        before = (await on(one, *names)).by_name
        await one.bump([names[-1], names[1_000]], hold_s=0)
        after = (await on(one, *names)).by_name
    assert len(before) == len(names)
    changed = [name for name in names if before[name].nonce != after[name].nonce]
    assert changed == [names[1_000], names[-1]]
