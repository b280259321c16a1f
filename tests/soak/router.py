"""`python -m tests.soak.router`: the router, which tells its memory to whoever asks.

Reads its plan as one line of JSON, prints its port, and answers each further line with its
resident bytes after a collection. Ends with its standard input.
"""

import asyncio
import ctypes
import gc
import json
import logging
import resource
import sys
from dataclasses import replace
from pathlib import Path

import uvloop

from trunkline_router.composition.plan import Surroundings, Terms
from trunkline_router.composition.router import serving
from trunkline_router.configuration.entries import Configuration
from trunkline_router.configuration.settings import RouterSettings
from trunkline_shared import telemetry
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.serving import free_socket

_TERMS = Terms()
TERMS = replace(_TERMS, limits=replace(_TERMS.limits, body_s=0.5))


def resident() -> int:
    """Return the bytes of memory that this process holds, once what is free is given back."""
    for _ in range(3):
        gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize()


def _say(value: object) -> None:
    sys.stdout.write(f"{value}\n")
    sys.stdout.flush()


async def main() -> None:
    given = json.loads(sys.stdin.readline())
    settings = RouterSettings.model_validate(given["settings"])
    configuration = Configuration.model_validate(given["configuration"])
    on = free_socket()
    around = Surroundings(terms=TERMS, configuration=configuration, store=in_process_store())
    async with serving(settings, on, around) as catalog:
        # All are seen once before it begins: none is ever missing from then on.
        directory = catalog.directory()
        while len(directory.listings) < len(configuration.servers):
            directory = await catalog.changed(directory, None)
        _say(on.getsockname()[1])
        while await asyncio.to_thread(sys.stdin.readline):
            _say(resident())


if __name__ == "__main__":
    telemetry.set_up("router", "soak")
    logging.getLogger().setLevel(logging.INFO)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main())
