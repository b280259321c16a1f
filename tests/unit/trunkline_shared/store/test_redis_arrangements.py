"""The whole store over every way in which people run Redis."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, AsyncExitStack, contextmanager
from typing import Any

import pytest

from tests.redis_arrangements import (
    Watched,
    clustered_redis,
    encrypted_redis,
    free_ports,
    move_generations,
    over_tcp,
    told,
    watched_redis,
)
from tests.redis_process import RedisProcess, running_redis
from tests.unit.trunkline_shared.store.routers import NAME, nonce, router
from tests.unit.trunkline_shared.store.whole_store import use
from trunkline_shared.settings import ConfigurationError, load
from trunkline_shared.store.generation_port import Generations
from trunkline_shared.store.opening import open_store
from trunkline_shared.store.settings import StoreSettings

pytestmark = pytest.mark.anyio

ACL = (
    "trunkline on >right resetchannels &trunkline:1:* resetkeys ~trunkline:1:* -@all "
    "+evalsha +eval +script|load +time +info +get +set +del +exists +pttl +pexpire +mget +hmget "
    "+hset +zadd +zrem +zcard +zcount +zscore +zrange +zremrangebyscore +publish +subscribe "
    "+unsubscribe +ping +select +client|setname +multi +exec"
)


@contextmanager
def _one() -> Iterator[str]:
    (port,) = free_ports(1)
    with over_tcp(port):
        yield f"redis://127.0.0.1:{port}/3"


@contextmanager
def _socket() -> Iterator[str]:
    with running_redis() as process:
        yield f"unix://{process.socket}?db=2"


@contextmanager
def _password() -> Iterator[str]:
    (port,) = free_ports(1)
    with over_tcp(port, "--requirepass", "p@ss/word"):
        yield f"redis://:p%40ss%2Fword@127.0.0.1:{port}"


@contextmanager
def _user() -> Iterator[str]:
    (port,) = free_ports(1)
    with over_tcp(port) as process:
        with process.look() as client:
            told(client, "ACL", "SETUSER", *ACL.split())
            told(client, "ACL", "SETUSER", "default", "off")
        yield f"redis://trunkline:right@127.0.0.1:{port}"


@contextmanager
def _tls() -> Iterator[str]:
    with encrypted_redis() as (port, certificate):
        yield f"rediss://localhost:{port}?ssl_ca_certs={certificate}"


@contextmanager
def _sentinel() -> Iterator[str]:
    with watched_redis() as watched:
        yield f"redis+sentinel://127.0.0.1:1,127.0.0.1:{watched.sentinel_port}/mesh/1"


@contextmanager
def _cluster() -> Iterator[str]:
    with clustered_redis() as nodes:
        ports = [node.options[1] for node in nodes]
        yield f"redis+cluster://127.0.0.1:1,127.0.0.1:{ports[1]}"


@pytest.mark.parametrize(
    "arranged",
    [_one, _socket, _password, _user, _tls, _sentinel, _cluster],
    ids=["tcp", "socket", "password", "user", "tls", "sentinel", "cluster"],
)
@pytest.mark.requirement("store.arrangements")
async def test_every_part_of_the_store_works(
    arranged: Callable[[], AbstractContextManager[str]], caplog: pytest.LogCaptureFixture
) -> None:
    """Two processes share all of it, and nobody warns of anything."""
    with arranged() as url:
        settings = load(StoreSettings, {"redis_url": url})
        async with open_store(settings) as one, open_store(settings) as other:
            await use(one, other)
    assert [seen.getMessage() for seen in caplog.records if seen.levelno >= logging.WARNING] == []


@pytest.mark.parametrize("fault", [Watched.fail_over, Watched.lose_master])
@pytest.mark.requirement("store.arrangements", "cache.generations-faults")
async def test_after_a_fail_over_nothing_from_before_is_found(
    fault: Callable[[Watched], None],
) -> None:
    """Whoever asks which of the two, at any moment of it; and what was copied does not count."""
    async with AsyncExitStack() as opened:
        watched = opened.enter_context(watched_redis())
        settings = load(StoreSettings, {"redis_url": watched.url})
        one = await opened.enter_async_context(router(settings, "a"))
        other = await opened.enter_async_context(router(settings, "b"))
        before = {await nonce(one), await nonce(one, "=unchanged")}
        fault(watched)
        async with asyncio.timeout(40):
            while not {"a", "b"} <= _signs(watched.replica):
                await _change(other, one)
                await _change(one, other)
        after = {await nonce(one), await nonce(one, "=unchanged")}
        assert not before & after
        assert await nonce(other) in after


async def _change(writer: Generations, reader: Generations) -> None:
    """Fail if a reader has what it had before a change that has been made."""
    before = await reader.read([NAME])
    await writer.bump([NAME], hold_s=0)
    after = await reader.read([NAME])
    if before is not None and after is not None:
        assert (before.root, before.by_name[NAME].nonce) != (after.root, after.by_name[NAME].nonce)


def _signs(redis: RedisProcess) -> set[str]:
    """Return the routers that have given a sign at this Redis, since it takes writes."""
    with redis.look() as client:
        told_of: Any = client.info("replication")
        root = str(client.get("trunkline:1:{gen}:root"))
        if told_of["role"] != "master" or not root.startswith(told_of["master_replid"]):
            return set()
        found: Any = client.zrange("trunkline:1:{gen}:routers", 1, "+inf", byscore=True)
    return set(found)


async def test_a_node_of_a_cluster_that_hands_its_slots_over_is_followed() -> None:
    """The generations go on from where they are now, under another root."""
    with clustered_redis(2) as nodes:
        settings = load(
            StoreSettings, {"redis_url": f"redis+cluster://127.0.0.1:{nodes[0].options[1]}"}
        )
        async with router(settings, "a") as one, router(settings, "b") as other:
            before = await nonce(one)
            move_generations(nodes)
            await other.bump([NAME], hold_s=0)
            assert await nonce(one) != before
            assert await nonce(one) == await nonce(other)


@pytest.mark.parametrize(
    "options",
    ["?colour=red", "?ssl_ca_certs=/nobody/has/this.pem", "?ssl_cert_reqs=sometimes"],
)
@pytest.mark.parametrize("kind", ["", "+sentinel", "+cluster"])
async def test_options_that_cannot_be_used_are_refused_at_the_start(
    kind: str, options: str
) -> None:
    """Not with the first call; without the password."""
    path = "/mesh" if kind == "+sentinel" else ""
    url = f"rediss{kind}://:hidden@127.0.0.1{path}{options}"
    with pytest.raises(ConfigurationError, match="TRUNKLINE_REDIS_URL") as caught:
        async with open_store(load(StoreSettings, {"redis_url": url})):
            pass
    assert "hidden" not in str(caught.value)


async def test_a_certificate_that_nobody_vouches_for_is_not_trusted() -> None:
    """The store counts as away."""
    with encrypted_redis() as (port, _):
        settings = load(StoreSettings, {"redis_url": f"rediss://localhost:{port}"})
        async with router(settings) as one, asyncio.timeout(20):
            assert await one.read([NAME]) is None
            assert one.state()["on"] is False
