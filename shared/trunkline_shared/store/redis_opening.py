"""A store through Redis: its connections, and what goes on without them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from redis.asyncio import BlockingConnectionPool, ConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from trunkline_shared.clock import Clock
from trunkline_shared.settings import ConfigurationError
from trunkline_shared.store.lines import Lines
from trunkline_shared.store.memory import MemoryTurns
from trunkline_shared.store.memory_buckets import MemoryBuckets
from trunkline_shared.store.memory_places import MemoryPlaces
from trunkline_shared.store.no_entries import NoEntries
from trunkline_shared.store.no_generations import NoGenerations
from trunkline_shared.store.outage import Outage
from trunkline_shared.store.redis_asking import RedisAsking
from trunkline_shared.store.redis_buckets import SCRIPT as TAKE
from trunkline_shared.store.redis_buckets import RedisBuckets
from trunkline_shared.store.redis_bus import RedisBus
from trunkline_shared.store.redis_kept import ANSWERS, RedisKept
from trunkline_shared.store.redis_places import SCRIPT as ENTER
from trunkline_shared.store.redis_places import RedisPlaces
from trunkline_shared.store.redis_records import RecordScripts, RedisRecords
from trunkline_shared.store.redis_turns import SCRIPT, RedisTurns
from trunkline_shared.store.settings import StoreSettings
from trunkline_shared.store.shared_turns import TIMEOUT_S, SharedTurns
from trunkline_shared.store.store import Store

_CONNECTIONS = 8


@asynccontextmanager
async def open_redis(settings: StoreSettings, clock: Clock) -> AsyncIterator[Store]:
    """Open the store; nothing is asked of Redis before the first turn.

    Raises ConfigurationError.
    """
    client = Redis(connection_pool=_pool(settings))
    outage = Outage(where=settings.shown, clock=clock)
    turns = SharedTurns(
        redis=RedisTurns(script=client.register_script(SCRIPT)),
        memory=MemoryTurns(clock=clock),
        outage=outage,
    )
    asking = RedisAsking(outage=outage)
    listening = Redis(connection_pool=_listening_pool(settings))
    store = Store(
        turns=turns,
        lines=Lines(clock=clock),
        records=RedisRecords(
            client=client, scripts=RecordScripts.of(client), asking=asking, clock=clock
        ),
        kept=RedisKept(client=client, asking=asking),
        answers=RedisKept(client=client, asking=asking, prefix=ANSWERS),
        bus=RedisBus(client=client, listening=listening, asking=asking),
        buckets=RedisBuckets(
            script=client.register_script(TAKE),
            asking=asking,
            memory=MemoryBuckets(clock=clock),
        ),
        places=RedisPlaces(
            client=client,
            script=client.register_script(ENTER),
            asking=asking,
            memory=MemoryPlaces(),
        ),
        generations=NoGenerations(),
        entries=NoEntries(),
    )
    try:
        yield store
    finally:
        with suppress(RedisError, OSError):
            async with asyncio.timeout(TIMEOUT_S):
                await client.aclose()
                await client.connection_pool.disconnect()
                await listening.aclose()
                await listening.connection_pool.disconnect()


def _listening_pool(settings: StoreSettings) -> ConnectionPool:
    """Return connections that are each held by one listener, for as long as it listens."""
    return ConnectionPool.from_url(
        settings.redis_url.get_secret_value(),
        socket_connect_timeout=TIMEOUT_S,
        retry=Retry(NoBackoff(), 0),
        protocol=2,
    )


def _pool(settings: StoreSettings) -> BlockingConnectionPool:
    try:
        pool = BlockingConnectionPool.from_url(
            settings.redis_url.get_secret_value(),
            max_connections=_CONNECTIONS,
            timeout=TIMEOUT_S,
            socket_timeout=TIMEOUT_S,
            socket_connect_timeout=TIMEOUT_S,
            # A turn that is asked for twice could count twice, and would wait twice as long.
            retry=Retry(NoBackoff(), 0),
            protocol=2,
        )
        # The pool makes its first connection with the first turn: too late to find a wrong option.
        pool.connection_class(**pool.connection_kwargs)
    except (TypeError, ValueError, RedisError):
        raise ConfigurationError(
            "TRUNKLINE_REDIS_URL=(secret): its options are not known; leave out what stands after "
            "the question mark"
        ) from None
    return pool
