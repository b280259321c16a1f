"""Whose changes are told by webhooks: their answers are good for longer."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

import orjson
from cachetools import LRUCache

from trunkline_router.cache.lesson import NOTHING, Known, Lesson, read_known
from trunkline_router.cache.needed_events import Need, is_neutral, need_of
from trunkline_router.configuration.cache_entry import CacheEntry
from trunkline_shared.clock import Clock
from trunkline_shared.errors import UpstreamUnavailable
from trunkline_shared.store.store import Store

__all__ = ["Hooked", "Lesson"]

TOPIC = "hooked"
KEY = "hooked:"
REMEMBERED_S = 7 * 86_400.0
REFRESH_S = 3_600.0
REJOIN_S = 1.0
GLANCE_S = 60.0
_MOST = 10_000
log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Verdict:
    """Whether answers under some tags are told of each change, until when; monotonic seconds."""

    told: bool
    until: float


@dataclass(slots=True, kw_only=True)
class Hooked:
    """Knows what verified deliveries have told of; all routers that share a store know it.

    What is known of a subject is read from the store when it is first asked for, and heard over
    the bus from then on. It lapses after seven days in which nothing came. `_unsaid` are those of
    whose end the store, being away, could not be told.
    """

    store: Store
    terms: Callable[[], CacheEntry]
    clock: Clock
    _known: "LRUCache[str, Known]" = field(default_factory=lambda: LRUCache(_MOST))
    _verdicts: dict[tuple[str, ...], _Verdict] = field(default_factory=dict)
    _judged_under: CacheEntry | None = None
    _unsaid: set[str] = field(default_factory=set)
    _wanted: dict[str, None] = field(default_factory=dict)
    _asked: asyncio.Event = field(default_factory=asyncio.Event)

    def raised_s(self, tags: tuple[str, ...]) -> float:
        """Return the seconds that an answer under these tags is good, 0 where nothing is told."""
        terms = self.terms()
        if terms is not self._judged_under:
            self._verdicts.clear()
            self._judged_under = terms
        verdict = self._verdicts.get(tags)
        now = self.clock.monotonic()
        if verdict is None or now >= verdict.until:
            if len(self._verdicts) >= _MOST:
                # Each hit asks, so this is a plain dictionary, and begun anew when it is full.
                self._verdicts.clear()
            verdict = self._verdicts[tags] = self._judged(tags, terms, now)
        return terms.webhook_ttl_s if verdict.told else 0.0

    async def learn(self, lesson: Lesson) -> None:
        """Take in what a verified delivery shows, and let the other routers know."""
        known = self._known.get(lesson.subject, NOTHING)
        now = self.clock.now()
        if not lesson.over and not known.teaches(lesson, now + REMEMBERED_S - REFRESH_S):
            return
        key = KEY + lesson.subject
        try:
            if lesson.over:
                known = NOTHING
                self._unsaid.add(lesson.subject)
                await self.store.kept.drop(key)
            else:
                stored = await self._stored(lesson.subject)
                known = stored.taught(lesson, now + REMEMBERED_S)
                await self.store.kept.put(key, known.to_bytes(), ttl_s=REMEMBERED_S)
            self._unsaid.discard(lesson.subject)
            self._note(lesson.subject, known)
            await self.store.bus.publish(TOPIC, orjson.dumps(lesson.subject))
        except UpstreamUnavailable:
            # The others go by the shorter lives of answers, which is never wrong.
            self._note(
                lesson.subject,
                NOTHING if lesson.over else known.taught(lesson, now + REMEMBERED_S),
            )

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Keep up with what the other routers learn for the length of the block."""
        async with asyncio.TaskGroup() as tasks:
            running = [tasks.create_task(work()) for work in (self._recalling, self._hearing)]
            try:
                yield
            finally:
                for task in running:
                    task.cancel()

    def _judged(self, tags: tuple[str, ...], terms: CacheEntry, now: float) -> _Verdict:
        """Decide it for a minute at most; what is learnt meanwhile has it decided anew."""
        lasts, any_told = now + GLANCE_S, False
        for tag in tags:
            if is_neutral(tag):
                continue
            need = need_of(tag)
            left_s = 0.0 if need is None else self._left_s(need, terms)
            if left_s <= 0:
                return _Verdict(told=False, until=now + GLANCE_S)
            any_told = True
            lasts = min(lasts, now + left_s)
        return _Verdict(told=any_told, until=lasts)

    def _left_s(self, need: Need, terms: CacheEntry) -> float:
        """Return for how long it is known that all that is needed comes."""
        name = need.repository
        if name and any(fnmatchcase(name, glob.lower()) for glob in terms.hooked):
            return GLANCE_S
        subjects = [need.subject]
        if need.repository:
            # An organization's webhook tells of all of its repositories.
            subjects.append(need.subject.partition("/")[0])
        return max(self._lasts(subject, need) for subject in subjects) - self.clock.now()

    def _lasts(self, subject: str, need: Need) -> float:
        known = self._known.get(subject)
        if known is None:
            self._wanted[subject] = None
            self._asked.set()
            return 0.0
        return known.lasts(need.kinds)

    def _note(self, subject: str, known: Known) -> None:
        if self._known.get(subject) != known:
            self._known[subject] = known
            self._verdicts.clear()

    async def _recalling(self) -> None:
        """Read from the store what is asked for and not known."""
        while True:
            await self._asked.wait()
            self._asked.clear()
            subjects, self._wanted = list(self._wanted), {}
            for subject in subjects:
                await self._recall(subject)

    async def _recall(self, subject: str) -> None:
        try:
            known = await self._stored(subject)
        except UpstreamUnavailable:
            # It is asked for again within a minute.
            return
        self._note(subject, known)
        if subject in self._unsaid:
            await self.learn(Lesson(subject=subject, over=True))

    async def _stored(self, subject: str) -> Known:
        """Return what the store has; nothing where it has not been told of the end."""
        given = await self.store.kept.get(KEY + subject)
        return NOTHING if subject in self._unsaid else read_known(given)

    async def _hearing(self) -> None:
        while True:
            with suppress(UpstreamUnavailable):
                await self._hear()
            await self.clock.sleep(REJOIN_S)

    async def _hear(self) -> None:
        """Hear until the connection is lost; what was learnt before that is read anew."""
        async with self.store.bus.heard(TOPIC) as messages:
            for subject in {*self._known, *self._unsaid}:
                await self._recall(subject)
            async for message in messages:
                await self._heard(message)

    async def _heard(self, message: bytes) -> None:
        try:
            subject = orjson.loads(message)
        except orjson.JSONDecodeError:
            return
        if isinstance(subject, str) and subject in self._known:
            await self._recall(subject)
