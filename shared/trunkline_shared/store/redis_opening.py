"""A store through Redis: its connections, and what goes on without them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from trunkline_shared.clock import Clock
from trunkline_shared.store.lines import Lines
from trunkline_shared.store.memory import MemoryTurns
from trunkline_shared.store.memory_buckets import MemoryBuckets
from trunkline_shared.store.memory_places import MemoryPlaces
from trunkline_shared.store.outage import Outage
from trunkline_shared.store.redis_asking import RedisAsking
from trunkline_shared.store.redis_buckets import SCRIPT as TAKE
from trunkline_shared.store.redis_buckets import RedisBuckets
from trunkline_shared.store.redis_bus import RedisBus
from trunkline_shared.store.redis_clients import RedisClients
from trunkline_shared.store.redis_entries import RELEASE, RedisEntries
from trunkline_shared.store.redis_generations import RedisGenerations
from trunkline_shared.store.redis_kept import ANSWERS, RedisKept
from trunkline_shared.store.redis_places import SCRIPT as ENTER
from trunkline_shared.store.redis_places import RedisPlaces
from trunkline_shared.store.redis_records import RecordScripts, RedisRecords
from trunkline_shared.store.redis_turns import SCRIPT, RedisTurns
from trunkline_shared.store.settings import StoreSettings
from trunkline_shared.store.shared_turns import SharedTurns
from trunkline_shared.store.standing import Standing
from trunkline_shared.store.store import Store


@asynccontextmanager
async def open_redis(settings: StoreSettings, clock: Clock) -> AsyncIterator[Store]:
    """Open the store; nothing is asked of Redis before the first turn.

    Raises ConfigurationError.
    """
    clients = RedisClients.of(settings.redis_url.get_secret_value())
    client, link = clients.commands, clients.link()
    outage = Outage(where=settings.shown, clock=clock)
    turns = SharedTurns(
        redis=RedisTurns(script=client.register_script(SCRIPT)),
        memory=MemoryTurns(clock=clock),
        outage=outage,
    )
    asking = RedisAsking(outage=outage)
    store = Store(
        turns=turns,
        lines=Lines(clock=clock),
        records=RedisRecords(
            client=client, scripts=RecordScripts.of(client), asking=asking, clock=clock
        ),
        kept=RedisKept(client=client, asking=asking),
        answers=RedisKept(client=client, asking=asking, prefix=ANSWERS),
        bus=RedisBus(client=client, listening=clients.listening, asking=asking),
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
        generations=RedisGenerations(link=link, outage=outage, standing=Standing(clock=clock)),
        entries=RedisEntries(
            client=client,
            release=client.register_script(RELEASE),
            asking=asking,
            clock=clock,
        ),
    )
    try:
        yield store
    finally:
        link.close()
        await clients.close()
