"""The store that routers share, with a span for each time that a request waits for it.

https://opentelemetry.io/docs/specs/semconv/db/redis/ ; neither keys nor values are part of it.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from dataclasses import dataclass

from opentelemetry.trace import SpanKind

from trunkline_router.span import Attribute, Span
from trunkline_router.tracing import step
from trunkline_shared.store.entry_port import Entries, Entry
from trunkline_shared.store.generation_port import Generations, Membership, Reading
from trunkline_shared.store.memory_generations import MemoryGenerations
from trunkline_shared.store.store import Store

_SCRIPT, _GET, _SET = "EVALSHA", "GET", "SET"


def traced(store: Store) -> tuple[Generations, Entries]:
    """Return what a store has of the cache; nothing is traced that stays in the process."""
    if isinstance(store.generations, MemoryGenerations):
        return store.generations, store.entries
    return TracedGenerations(store.generations), TracedEntries(store.entries)


def _asked(operation: str, target: str) -> AbstractContextManager[Span | None]:
    attributes: dict[str, Attribute] = {"db.system.name": "redis", "db.operation.name": operation}
    return step(f"{operation} {target}", SpanKind.CLIENT, attributes)


@dataclass(frozen=True, slots=True)
class TracedGenerations:
    """Generations in Redis."""

    generations: Generations

    async def read(self, names: Sequence[str]) -> Reading | None:
        with _asked(_SCRIPT, "read_generations"):
            return await self.generations.read(names)

    async def bump(self, names: Sequence[str], *, hold_s: float) -> None:
        with _asked(_SCRIPT, "bump_generations"):
            await self.generations.bump(names, hold_s=hold_s)

    def joined(self, terms: Membership) -> AbstractAsyncContextManager[None]:
        return self.generations.joined(terms)

    def state(self) -> Mapping[str, object]:
        return self.generations.state()


@dataclass(frozen=True, slots=True)
class TracedEntries:
    """Entries in Redis."""

    entries: Entries

    async def get(self, key: str) -> Entry | None:
        with _asked(_GET, "entry"):
            return await self.entries.get(key)

    async def put(self, key: str, data: bytes, *, life_s: float) -> None:
        with _asked(_SET, "entry"):
            await self.entries.put(key, data, life_s=life_s)

    async def lead(self, key: str, *, for_s: float) -> bool:
        with _asked(_SET, "lead"):
            return await self.entries.lead(key, for_s=for_s)

    async def let_go(self, key: str) -> None:
        with _asked(_SCRIPT, "let_go"):
            await self.entries.let_go(key)

    async def settled(self, key: str, *, within_s: float) -> None:
        with step("wait for another router", SpanKind.INTERNAL, {}):
            await self.entries.settled(key, within_s=within_s)
