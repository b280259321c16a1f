"""Stores of every kind for the tests of records, and those who share them."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from tests.redis_process import running_redis
from trunkline_shared.settings import load
from trunkline_shared.store.opening import open_store
from trunkline_shared.store.record_port import Records
from trunkline_shared.store.settings import StoreSettings
from trunkline_shared.store.store import Store, in_process_store

LASTING = ["files", "redis"]
EVERY = ["memory", *LASTING]
KEY = "basecamp:grant:0123"


@contextmanager
def settings_of(kind: str, folder: Path) -> Iterator[StoreSettings]:
    """Yield the settings of a store; a Redis runs for the block."""
    if kind == "redis":
        with running_redis() as process:
            yield process.settings
    else:
        yield load(StoreSettings, {"redis_url": "", "state_dir": str(folder / "state")})


@asynccontextmanager
async def two_of(kind: str, settings: StoreSettings) -> AsyncIterator[tuple[Records, Records]]:
    """Yield two who share records: as two processes do where that is possible."""
    async with two_stores(kind, settings) as (one, other):
        yield one.records, other.records


@asynccontextmanager
async def two_stores(kind: str, settings: StoreSettings) -> AsyncIterator[tuple[Store, Store]]:
    """Yield the stores of two processes, or twice that of one where no more can share it."""
    if kind == "memory":
        store = in_process_store()
        yield store, store
        return
    async with open_store(settings) as one, open_store(settings) as other:
        yield one, other
