"""Opens the store that the settings name; the only place that names its parts together."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from trunkline_shared.clock import Clock, SystemClock
from trunkline_shared.store.file_records import FileRecords
from trunkline_shared.store.settings import StoreSettings
from trunkline_shared.store.state_folder import StateFolder
from trunkline_shared.store.store import Store, in_process_store


@asynccontextmanager
async def open_store(settings: StoreSettings, clock: Clock | None = None) -> AsyncIterator[Store]:
    """Open the store for the servers of one process; its connections are closed at the end.

    A Redis that is not there yet stops nobody: it is asked again and again. Without Redis records
    are kept in a directory, which is made when it is first needed. Raises ConfigurationError when
    the URL has options that the client does not know.
    """
    time = clock or SystemClock()
    if not settings.redis_url.get_secret_value():
        folder = StateFolder(settings.state_folder)
        yield replace(in_process_store(time), records=FileRecords(folder=folder, clock=time))
        return
    # Half a second of imports that a mesh without Redis need not pay.
    from trunkline_shared.store.redis_opening import open_redis  # noqa: PLC0415 - see above

    async with open_redis(settings, time) as store:
        yield store
