"""A process that holds a record until it is killed: python -m ... {files|redis} PLACE LEASE_S."""

import asyncio
import sys

from tests.unit.trunkline_shared.store.record_stores import KEY
from trunkline_shared.settings import load
from trunkline_shared.store.opening import open_store
from trunkline_shared.store.settings import StoreSettings


async def hold(settings: StoreSettings, lease_s: float) -> None:
    """Hold the record, say so, and never let go."""
    async with (
        open_store(settings) as store,
        store.records.held(KEY, wait_s=5, lease_s=lease_s) as record,
    ):
        await record.write(b"of the process")
        sys.stdout.write("held\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


if __name__ == "__main__":
    _, url, folder, lease_s = sys.argv
    given = {"redis_url": url, "state_dir": folder}
    asyncio.run(hold(load(StoreSettings, given), float(lease_s)))
