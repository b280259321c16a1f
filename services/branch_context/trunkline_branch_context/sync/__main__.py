"""Keeps a checkout like its remote: `python -m trunkline_branch_context.sync`."""

import asyncio
import contextlib
import signal
import sys
from importlib.metadata import version

from trunkline_branch_context.sync.keeping import keep
from trunkline_branch_context.sync.settings import SyncSettings
from trunkline_shared import telemetry
from trunkline_shared.clock import SystemClock
from trunkline_shared.settings import ConfigurationError, load


async def _until_told(settings: SyncSettings) -> None:
    keeping = asyncio.current_task()
    assert keeping is not None
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, keeping.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await keep(settings, SystemClock())


def main() -> None:
    """Run until SIGINT or SIGTERM."""
    try:
        telemetry.set_up("branch-context-sync", version("trunkline-branch-context"))
        asyncio.run(_until_told(load(SyncSettings)))
    except (ConfigurationError, OSError) as error:
        sys.exit(f"branch-context-sync: {error}")
    finally:
        telemetry.flush()


if __name__ == "__main__":
    main()
