"""Gates at every store and upstream: who acts for an agent goes on only when a history says so."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TypeVar

from trunkline_shared.store.entry_port import Entries, Entry
from trunkline_shared.store.generation_port import Generations, Membership, Reading

ACTOR: ContextVar[str] = ContextVar("ACTOR")
"""In whose name something is done, in the tasks that it begins as well."""
_TURNS = 20
AnswerT = TypeVar("AnswerT")


@dataclass(slots=True)
class Gates:
    """Holds each actor wherever it has come to; `busy` are those whom a store lets wait."""

    at: dict[str, "asyncio.Future[str]"] = field(default_factory=dict)
    passed: set[tuple[str, str]] = field(default_factory=set)
    busy: int = 0

    async def reached(self) -> str:
        """Wait until a history goes on with the one who comes here; return its word."""
        waiting: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.at[ACTOR.get()] = waiting
        return await waiting

    def is_first(self, what: str) -> bool:
        """Say whether the actor does something for the first time."""
        mark = (ACTOR.get(), what)
        is_first = mark not in self.passed
        self.passed.add(mark)
        return is_first

    async def asked(self, answer: Awaitable[AnswerT]) -> AnswerT:
        """Ask a store."""
        self.busy += 1
        try:
            return await answer
        finally:
            self.busy -= 1

    async def release(self, actor: str, word: str) -> None:
        """Let an actor go on, and wait until everybody stands again."""
        waiting = self.at.pop(actor, None)
        if waiting is not None:
            waiting.set_result(word)
        await self.stand()

    async def stand(self) -> None:
        """Wait until nobody moves any more."""
        async with asyncio.timeout(20):
            turns = 0
            while turns < _TURNS:
                turns = 0 if self.busy else turns + 1
                await asyncio.sleep(0)


@dataclass(frozen=True, slots=True)
class GatedGenerations:
    """Generations whose answers are held back; `deaf` are bumps that never reach them."""

    inner: Generations
    gates: Gates
    instant: bool
    deaf: frozenset[str] = frozenset()

    async def read(self, names: Sequence[str]) -> Reading | None:
        seen = await self.gates.asked(self.inner.read(names))
        if self.gates.is_first("read"):
            await self.gates.reached()
        return seen

    async def bump(self, names: Sequence[str], *, hold_s: float) -> None:
        which = "first" if self.gates.is_first("bump") else "second"
        if which == "second":
            await self.gates.reached()
        if which not in self.deaf:
            held_s = 0 if self.instant else hold_s
            await self.gates.asked(self.inner.bump(names, hold_s=held_s))
        await self.gates.reached()

    @asynccontextmanager
    async def joined(self, terms: Membership) -> AsyncIterator[None]:
        async with self.inner.joined(terms):
            yield

    def state(self) -> Mapping[str, object]:
        return self.inner.state()


@dataclass(frozen=True, slots=True)
class GatedEntries:
    """Entries that are asked, and given something, only when a history says so."""

    inner: Entries
    gates: Gates

    async def get(self, key: str) -> Entry | None:
        if not key.startswith("told:") and self.gates.is_first("get"):
            await self.gates.reached()
        return await self.gates.asked(self.inner.get(key))

    async def put(self, key: str, data: bytes, *, life_s: float) -> None:
        if not key.startswith("told:"):
            await self.gates.reached()
        await self.gates.asked(self.inner.put(key, data, life_s=life_s))

    async def lead(self, key: str, *, for_s: float) -> bool:
        return await self.gates.asked(self.inner.lead(key, for_s=for_s))

    async def let_go(self, key: str) -> None:
        await self.gates.asked(self.inner.let_go(key))

    async def settled(self, key: str, *, within_s: float) -> None:
        # It waits for another actor, whom the history lets go on.
        await self.inner.settled(key, within_s=within_s)
