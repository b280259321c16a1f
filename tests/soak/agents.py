"""Agents that read and write at random, through any router, and note what they were answered."""

import asyncio
import time
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.interaction.wire import Reply, head, modern, modern_headers, read_reply
from tests.soak.history import History, Read, Write

PATIENCE_S = 60.0
RECENT = 200
_READS = {"read_book": 70, "find_book": 12, "read_notes": 14, "read_shelf": 4}
_WRITES = {"write_book": 75, "write_notes": 21, "write_shelf": 2, "write_cut": 1, "write_late": 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Where agents work, and on how much."""

    ports: Sequence[int]
    shelves: int
    books: int


@dataclass(slots=True, kw_only=True)
class Work:
    """What has been done so far, by all agents together; `met` is set with the `goal`."""

    goal: int = 0
    met: asyncio.Event = field(default_factory=asyncio.Event)

    history: History = field(default_factory=History)
    sources: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    recent: "deque[tuple[int, int]]" = field(default_factory=lambda: deque(maxlen=RECENT))
    operations: int = 0
    done: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(slots=True, kw_only=True)
class Agent:
    """One agent, which uses each router over a connection of its own.

    `writes` is the share of writes in what it does.
    """

    name: str
    writes: float
    terms: Terms
    work: Work
    rng: Random
    _streams: dict[int, tuple[asyncio.StreamReader, asyncio.StreamWriter]] = field(
        default_factory=dict
    )
    _number: int = 0

    async def run(self) -> None:
        """Work until it is done."""
        try:
            while not self.work.done.is_set():
                await self._step()
        finally:
            for router in list(self._streams):
                self._leave(router)

    async def _step(self) -> None:
        writes = self.rng.random() < self.writes
        weights = _WRITES if writes else _READS
        name = self.rng.choices(list(weights), list(weights.values()))[0]
        router = self.rng.randrange(len(self.terms.ports))
        shelf, book = self._which(recent=not writes and self.rng.random() < 0.3)
        self._number += 1
        nonce = f"{self.name}-{self._number}"
        given = _arguments(name, shelf, book, nonce)
        start = time.monotonic()
        try:
            async with asyncio.timeout(PATIENCE_S):
                reply = await self._call(router, name, given)
        except (OSError, asyncio.IncompleteReadError, TimeoutError) as error:
            # The router has gone: what it has not answered it has not promised.
            self._leave(router)
            self.work.failures[f"{type(error).__name__}"] += 1
            await asyncio.sleep(0.05)
            return
        end = time.monotonic()
        self.work.operations += 1
        if self.work.operations >= self.work.goal:
            self.work.met.set()
        if writes:
            self._note_write(name, nonce, (shelf, book), (start, end))
        else:
            self._note_read(reply, shelf, router, (start, end))

    def _which(self, *, recent: bool) -> tuple[int, int]:
        if recent and self.work.recent:
            return self.rng.choice(self.work.recent)
        return self.rng.randrange(self.terms.shelves), self.rng.randrange(self.terms.books)

    def _note_write(
        self, name: str, nonce: str, which: tuple[int, int], when: tuple[float, float]
    ) -> None:
        shelf, book = which
        self.work.recent.append(which)
        self.work.sources["written"] += 1
        whole = name == "write_shelf"
        self.work.history.writes.append(
            Write(
                nonce=nonce,
                shelf=shelf,
                book=None if whole else book,
                start=when[0],
                end=when[1],
            )
        )

    def _note_read(self, reply: Reply, shelf: int, router: int, when: tuple[float, float]) -> None:
        result: Any = reply.json.get("result", {})
        if result.get("isError") is not False:
            self.work.failures[str(reply.json)[:300]] += 1
            return
        told, source = result["structuredContent"], result["_meta"]["dev.trunkline/call"]["source"]
        self.work.sources[source] += 1
        self.work.history.reads.append(
            Read(
                shelf=shelf,
                start=when[0],
                end=when[1],
                number=told["number"],
                shown={int(book): version for book, version in told["shown"].items()},
                source=source,
                router=router,
            )
        )

    async def _call(self, router: int, name: str, given: Mapping[str, object]) -> Reply:
        port = self.terms.ports[router]
        if router not in self._streams:
            self._streams[router] = await asyncio.open_connection("127.0.0.1", port)
        reader, writer = self._streams[router]
        body = modern("tools/call", {"name": name, "arguments": dict(given)})
        writer.write(head(body, modern_headers("tools/call", name), port=port) + body)
        reply = await read_reply(reader)
        if reply.headers.get("connection") == "close":
            self._leave(router)
        return reply

    def _leave(self, router: int) -> None:
        streams = self._streams.pop(router, None)
        if streams is not None:
            streams[1].transport.abort()


def _arguments(name: str, shelf: int, book: int, nonce: str) -> dict[str, object]:
    given: dict[str, object] = {"shelf": shelf}
    if name == "find_book":
        # Which book that is, only the answer tells.
        given["title"] = book
    elif name not in {"read_shelf", "write_shelf"}:
        given["book"] = book
    return given | ({"nonce": nonce} if name.startswith("write") else {})
