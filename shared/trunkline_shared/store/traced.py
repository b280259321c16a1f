"""A server's store, with a span for each time that a call waits for Redis.

https://opentelemetry.io/docs/specs/semconv/db/redis/ ; neither keys nor values are part of it. The
router shares the code of the store and not these spans: its own are cheaper.
"""

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, replace

from opentelemetry import trace
from opentelemetry.trace import SpanKind, Status, StatusCode, Tracer

from trunkline_shared.errors import TrunklineError
from trunkline_shared.store.kept_port import Kept
from trunkline_shared.store.port import TooLate, Turn, Turns, Wish
from trunkline_shared.store.record_port import LEASE_S, Record, Records
from trunkline_shared.store.store import Store

_SCRIPT, _GET, _SET, _DROP = "EVALSHA", "GET", "SET", "DEL"


def traced(store: Store, tracer: Tracer | None = None) -> Store:
    """Return the store as servers are to have it; nothing is traced that stays in the process."""
    if store.answers is None:
        return store
    asking = Asking(tracer or trace.get_tracer(__name__))
    return replace(
        store,
        turns=TracedTurns(store.turns, asking),
        records=TracedRecords(store.records, asking),
        answers=TracedKept(store.answers, asking, "answers"),
    )


@dataclass(frozen=True, slots=True)
class Asking:
    """Makes the spans."""

    tracer: Tracer

    @contextmanager
    def __call__(self, operation: str, target: str) -> Iterator[None]:
        """Trace the block as one question to Redis; a failure is noted by its code alone."""
        with self.tracer.start_as_current_span(
            f"{operation} {target}",
            kind=SpanKind.CLIENT,
            attributes={"db.system.name": "redis", "db.operation.name": operation},
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                yield
            except TrunklineError as error:
                span.set_attribute("error.type", error.code)
                span.set_status(Status(StatusCode.ERROR, error.code))
                raise


@dataclass(frozen=True, slots=True)
class TracedTurns:
    """Turns over the whole mesh."""

    turns: Turns
    asking: Asking

    async def reserve(self, wish: Wish) -> Turn | TooLate:
        with self.asking(_SCRIPT, "reserve"):
            return await self.turns.reserve(wish)

    def give_back(self, turn: Turn) -> None:
        self.turns.give_back(turn)


@dataclass(frozen=True, slots=True)
class TracedRecords:
    """Records that one holder at a time changes; the wait for another holder is part of a span."""

    records: Records
    asking: Asking

    @asynccontextmanager
    async def held(
        self, key: str, *, wait_s: float, lease_s: float = LEASE_S
    ) -> AsyncIterator[Record]:
        async with AsyncExitStack() as holding:
            with self.asking(_SCRIPT, "hold_record"):
                hold = self.records.held(key, wait_s=wait_s, lease_s=lease_s)
                record = await holding.enter_async_context(hold)
            yield TracedRecord(record, self.asking)

    async def read(self, key: str) -> bytes | None:
        with self.asking(_GET, "record"):
            return await self.records.read(key)


@dataclass(frozen=True, slots=True)
class TracedRecord:
    """A record that is held."""

    record: Record
    asking: Asking

    async def read(self) -> bytes | None:
        with self.asking(_GET, "record"):
            return await self.record.read()

    async def write(self, value: bytes) -> None:
        with self.asking(_SCRIPT, "write_record"):
            await self.record.write(value)


@dataclass(frozen=True, slots=True)
class TracedKept:
    """Small values with an end."""

    kept: Kept
    asking: Asking
    what: str

    async def get(self, key: str) -> bytes | None:
        with self.asking(_GET, self.what):
            return await self.kept.get(key)

    async def put(self, key: str, value: bytes, *, ttl_s: float) -> None:
        with self.asking(_SET, self.what):
            await self.kept.put(key, value, ttl_s=ttl_s)

    async def claim(self, key: str, *, ttl_s: float) -> bool:
        with self.asking(_SET, self.what):
            return await self.kept.claim(key, ttl_s=ttl_s)

    async def drop(self, key: str) -> None:
        with self.asking(_DROP, self.what):
            await self.kept.drop(key)
