"""What the mesh remembers of sessions beside their ids: nothing, for most of them."""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import orjson

from trunkline_router.sessions.session import LIFE_S, Remembered, Session
from trunkline_router.sessions.session_ids import unknown_session
from trunkline_shared.clock import Clock
from trunkline_shared.errors import UpstreamUnavailable
from trunkline_shared.store.kept_port import Kept

log = logging.getLogger(__name__)

NOTHING = Remembered()


@dataclass(slots=True)
class _Standing:
    """How many streams of a session stand here, and what was remembered of it last."""

    streams: int = 0
    value: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionMemory:
    """Reads and changes it for every replica; with the store away, nothing is remembered."""

    kept: Kept
    clock: Clock
    _changing: asyncio.Lock = field(default_factory=asyncio.Lock)
    _standing: dict[str, _Standing] = field(default_factory=dict)

    @contextmanager
    def standing(self, session: Session) -> Iterator[None]:
        """Remember a session for the length of the block, also what the store lets go of."""
        here = self._standing.setdefault(session.nonce, _Standing())
        here.streams += 1
        try:
            yield
        finally:
            here.streams -= 1
            if not here.streams:
                del self._standing[session.nonce]

    async def of(self, session: Session) -> Remembered:
        """Return what is remembered. Raises Refused, HTTP 404, for a session that has ended."""
        try:
            found = await self.kept.get(_key(session))
        except UpstreamUnavailable as gone:
            log.info("nothing is known of a session beside its id: %s", gone.message)
            return NOTHING
        here = self._standing.get(session.nonce)
        if here is not None:
            found = here.value = found or here.value
        if found is None:
            return NOTHING
        remembered = _read(found)
        if remembered.ended:
            raise unknown_session()
        return remembered

    async def begin(self, session: Session) -> None:
        """Let all replicas know of an event stream that stands."""
        try:
            await self._put(session, Remembered())
        except UpstreamUnavailable as gone:
            log.info("other replicas do not know of an event stream: %s", gone.message)

    async def set_level(self, session: Session, level: str) -> None:
        """Remember the level of log messages. Raises UpstreamUnavailable."""
        async with self._changing:
            await self._put(session, replace(await self.of(session), level=level))

    async def subscribe(self, session: Session, uri: str) -> None:
        async with self._changing:
            now = await self.of(session)
            await self._put(session, replace(now, uris=tuple(dict.fromkeys((*now.uris, uri)))))

    async def unsubscribe(self, session: Session, uri: str) -> None:
        async with self._changing:
            now = await self.of(session)
            kept = tuple(known for known in now.uris if known != uri)
            await self._put(session, replace(now, uris=kept))

    async def open(self, session: Session, opened: Session) -> None:
        """Remember what `initialize` has said on an event stream."""
        async with self._changing:
            await self._put(session, replace(await self.of(session), opened=opened))

    async def end(self, session: Session) -> None:
        """Let no replica serve the session again."""
        try:
            await self._put(session, Remembered(ended=True))
        except UpstreamUnavailable as gone:
            log.warning("the end of a session is not remembered: %s", gone.message)

    async def _put(self, session: Session, now: Remembered) -> None:
        left_s = max(session.issued + LIFE_S - self.clock.now(), 1.0)
        value = orjson.dumps(now)
        await self.kept.put(_key(session), value, ttl_s=left_s)
        here = self._standing.get(session.nonce)
        if here is not None:
            here.value = value


def _key(session: Session) -> str:
    return f"session:{session.nonce}"


def _read(raw: bytes) -> Remembered:
    told = orjson.loads(raw)
    opened = told["opened"]
    return Remembered(
        ended=told["ended"],
        level=told["level"],
        uris=tuple(told["uris"]),
        opened=None if opened is None else Session(**opened),
    )
