"""Where the one connection for short questions goes, and that there is one when it is needed."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from ssl import SSLContext

from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import NoScriptError, ResponseError
from redis.exceptions import TimeoutError as Unanswered

from trunkline_shared.store.redis_script import Question
from trunkline_shared.store.redis_wire import RedisWire, packed

Place = tuple[str, int] | str
"""A host and its port, or the path of a socket."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Greeting:
    """What is said before the first question: who one is, and which of the databases is meant."""

    username: str = ""
    password: str = field(default="", repr=False)
    database: int = 0
    tls: SSLContext | None = None

    @property
    def commands(self) -> list[bytes]:
        """Return what is sent, in order."""
        said: list[bytes] = []
        if self.password:
            names = [self.username.encode()] if self.username else []
            said.append(packed(b"AUTH", *names, self.password.encode()))
        if self.database:
            said.append(packed(b"SELECT", b"%d" % self.database))
        return said


@dataclass(slots=True, kw_only=True)
class RedisLink:
    """A connection that is made when it is asked for, and again when it was lost.

    `place` says where the Redis is that takes writes. Everything raises RedisError or OSError.
    """

    place: Callable[[], Awaitable[Place]]
    greeting: Greeting
    timeout_s: float
    _wire: RedisWire | None = None
    _told: Place | None = None
    _failed: int = 0
    _why: str = ""
    _connecting: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def wire(self) -> RedisWire:
        """Return the connection that is open."""
        wire = self._wire
        if wire is not None and wire.is_open:
            return wire
        failed = self._failed
        async with self._connecting:
            if self._wire is not None and self._wire.is_open:
                return self._wire
            if self._failed != failed:
                # Whoever waits for one who tries in vain does not try as well, one after another.
                raise Disconnected(self._why)
            try:
                self._wire = await self._connected()
            except Exception as error:
                self._failed, self._why = self._failed + 1, str(error)
                raise
            return self._wire

    async def ask(self, question: Question) -> bytes:
        """Return an answer; a connection that turns out to be lost is made once more."""
        wire = self._wire
        if wire is None or not wire.is_open:
            wire = await self.wire()
        try:
            return await wire.ask(question.short)
        except Disconnected:
            wire = await self.wire()
            return await self.ask_over(wire, question)
        except ResponseError as error:
            return await self._asked_otherwise(wire, question, error)

    async def ask_over(self, wire: RedisWire, question: Question) -> bytes:
        """Return an answer that comes over this very connection."""
        try:
            return await wire.ask(question.short)
        except ResponseError as error:
            return await self._asked_otherwise(wire, question, error)

    def close(self) -> None:
        """Close the connection; the next question makes another, to where Redis is by then."""
        if self._wire is not None:
            self._wire.close()
            self._wire = None

    async def _asked_otherwise(
        self, wire: RedisWire, question: Question, error: ResponseError
    ) -> bytes:
        if isinstance(error, NoScriptError):
            return await wire.ask(question.full)
        word, *rest = str(error).split()
        if word == "MOVED" and len(rest) > 1:
            host, _, port = rest[1].rpartition(":")
            self._told = (host, int(port)) if host else None
        if word in {"MOVED", "READONLY", "CLUSTERDOWN", "LOADING", "MASTERDOWN"}:
            self.close()
        raise error

    async def _connected(self) -> RedisWire:
        try:
            async with asyncio.timeout(self.timeout_s):
                told, self._told = self._told, None
                return await self._greeted(await self._opened(told or await self.place()))
        except TimeoutError:
            raise Unanswered(f"no connection within {self.timeout_s:g} s") from None

    async def _greeted(self, wire: RedisWire) -> RedisWire:
        try:
            for answer in [wire.ask(command) for command in self.greeting.commands]:
                await answer
        except BaseException:
            wire.close()
            raise
        return wire

    async def _opened(self, place: Place) -> RedisWire:
        loop = asyncio.get_running_loop()
        tls = self.greeting.tls
        if isinstance(place, str):
            _, wire = await loop.create_unix_connection(self._made, place)
        else:
            _, wire = await loop.create_connection(self._made, *place, ssl=tls)
        return wire

    def _made(self) -> RedisWire:
        return RedisWire(self.timeout_s)
