"""One of several processes that are the router together: it works, and does as it is told."""

import asyncio
import logging
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from trunkline_router.app import work
from trunkline_router.composition.openings import Openings
from trunkline_router.composition.plan import Seat, Surroundings
from trunkline_router.configuration.settings import RouterSettings
from trunkline_router.configuration.share import Share
from trunkline_router.workers.orders import Word, line_of, read_line
from trunkline_router.workers.place import Place
from trunkline_shared.departure import Pace
from trunkline_shared.together import together

log = logging.getLogger(__name__)


async def serve_in(
    place: Place, settings: RouterSettings, reread: Callable[[], RouterSettings]
) -> None:
    """Run the router in a worker's place until the supervisor ends it, or is gone.

    Raises ConfigurationError.
    """
    seat = Seat(
        share=Share(number=place.number, of=place.of),
        openings=Openings(place.sockets, own=place.number, waits=place.again),
        folder=place.folder,
    )
    # A copy: what cannot be used is told over the line when this loop has closed its own.
    reader, writer = await asyncio.open_connection(sock=place.line.dup())

    @asynccontextmanager
    async def obeying(around: Surroundings) -> AsyncIterator[None]:
        async with together() as tasks:
            listening = tasks.create_task(_obey(reader, around, seat))
            try:
                yield
            finally:
                # Until the end: a second word hurries it.
                listening.cancel()

    await work(
        settings,
        on=place.sockets[place.number],
        seat=seat,
        obeying=obeying,
        ready=lambda: writer.write(line_of(Word.READY)),
        reread=reread,
    )
    writer.close()


async def _obey(reader: asyncio.StreamReader, around: Surroundings, seat: Seat) -> None:
    while line := await reader.readline():
        word, rest = read_line(line)
        if word is Word.END:
            around.departure.begin(Pace(rest))
        elif word is Word.RELOAD:
            around.reload.set()
        elif word is Word.COMPLETE:
            seat.complete.set()
        elif word is Word.OPEN:
            await seat.openings.open(int(rest))
        elif word is Word.CLOSE:
            await seat.openings.close(int(rest))
    if not around.departure.begun:
        log.error("the supervisor is gone: this worker ends")
        around.departure.begin(Pace.GENTLE)
    with suppress(OSError):
        # Nobody else is left to remove it.
        await asyncio.to_thread(shutil.rmtree, seat.folder)
