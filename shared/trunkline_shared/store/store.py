"""What the servers of one process share with each other, and with the rest of the mesh."""

from dataclasses import dataclass

from trunkline_shared.clock import Clock, SystemClock
from trunkline_shared.store.bucket_port import Buckets
from trunkline_shared.store.bus_port import Bus
from trunkline_shared.store.entry_port import Entries
from trunkline_shared.store.generation_port import Generations
from trunkline_shared.store.kept_port import Kept
from trunkline_shared.store.lines import Lines
from trunkline_shared.store.memory import MemoryTurns
from trunkline_shared.store.memory_buckets import MemoryBuckets
from trunkline_shared.store.memory_bus import MemoryBus
from trunkline_shared.store.memory_generations import MemoryGenerations
from trunkline_shared.store.memory_kept import MemoryKept
from trunkline_shared.store.memory_places import MemoryPlaces
from trunkline_shared.store.memory_records import MemoryRecords
from trunkline_shared.store.no_entries import NoEntries
from trunkline_shared.store.place_port import Places
from trunkline_shared.store.port import Turns
from trunkline_shared.store.record_port import Records


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """All but `lines`, which are this process's own, may be the whole mesh's.

    `answers` are what vendors have told, for other servers to have it confirmed; None where no
    other process would see them.
    There is one per process. Whoever starts servers opens it (`opening.open_store`) and hands it
    to each of them.
    """

    turns: Turns
    lines: Lines
    records: Records
    kept: Kept
    bus: Bus
    buckets: Buckets
    places: Places
    generations: Generations
    entries: Entries
    answers: Kept | None = None


def in_process_store(clock: Clock | None = None) -> Store:
    """Return a store for the servers of one process alone; nothing in it outlives the process.

    So it is not for a server that renews tokens: the only valid one would be lost at the end.
    """
    time = clock or SystemClock()
    return Store(
        turns=MemoryTurns(clock=time),
        lines=Lines(clock=time),
        records=MemoryRecords(),
        kept=MemoryKept(clock=time),
        bus=MemoryBus(),
        buckets=MemoryBuckets(clock=time),
        places=MemoryPlaces(),
        generations=MemoryGenerations(clock=time),
        entries=NoEntries(),
    )
