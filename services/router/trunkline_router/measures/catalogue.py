"""All instruments of the router, in the order in which they are shown."""

from typing import Final

from trunkline_router.measures import operations, process, router

CATALOGUE: Final = (*router.INSTRUMENTS, *operations.INSTRUMENTS, *process.INSTRUMENTS)
