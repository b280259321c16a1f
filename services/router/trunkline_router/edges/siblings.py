"""The other workers of one router, asked over sockets in a folder that nobody else may enter."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path

from aiohttp import ClientError, ClientSession, ClientTimeout, UnixConnector, web

from trunkline_router.sessions.background import Background

log = logging.getLogger(__name__)

_PATIENCE = ClientTimeout(total=2.0)
SPANS = "/spans"
_HOST = "http://worker"
_AGAIN_S = 1.0

Answer = Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Siblings:
    """Asks every other worker; one that is gone, or does not answer in 2 s, has told nothing."""

    folder: Path
    number: int
    of: int
    _sessions: dict[int, ClientSession] = field(default_factory=dict)
    _background: Background = field(default_factory=Background)

    @asynccontextmanager
    async def running(self, answer: Answer) -> AsyncIterator[None]:
        """Answer the others, and be able to ask them, for the length of the block."""
        runner = web.ServerRunner(web.Server(answer, access_log=None), shutdown_timeout=0.1)
        await runner.setup()
        await web.UnixSite(runner, str(self._path(self.number))).start()
        for other in self.others:
            # Without a bound: each who watches keeps one connection to each worker.
            connector = UnixConnector(str(self._path(other)), limit=0)
            self._sessions[other] = ClientSession(connector=connector)
        try:
            async with self._background.running():
                yield
        finally:
            for session in self._sessions.values():
                await session.close()
            await runner.cleanup()

    @property
    def others(self) -> Sequence[int]:
        """Return their numbers."""
        return [number for number in range(self.of) if number != self.number]

    async def ask(self, path: str, body: bytes | None = None) -> Mapping[int, bytes]:
        """Return what each of them answers to a path with its query, by its number."""
        found = await asyncio.gather(*(self._ask(one, path, body) for one in self.others))
        return {
            number: answer
            for number, answer in zip(self.others, found, strict=True)
            if answer is not None
        }

    def tell_spans(self, message: bytes) -> None:
        """Let each of them have spans soon: the trace that they belong to may be theirs."""

        async def tell() -> None:
            await self.ask(SPANS, message)

        self._background.start(tell())

    async def follow(self, number: int, path: str) -> AsyncIterator[bytes]:
        """Return the events of a stream, each whole, again whenever it breaks off."""
        while True:
            with suppress(ClientError, OSError, TimeoutError):
                async for frame in self._frames(number, path):
                    yield frame
            await asyncio.sleep(_AGAIN_S)

    async def _frames(self, number: int, path: str) -> AsyncIterator[bytes]:
        session, unbounded = self._sessions[number], ClientTimeout(total=None)
        async with session.get(f"{_HOST}{path}", timeout=unbounded) as response:
            rest = b""
            async for part in response.content.iter_any():
                *whole, rest = (rest + part).split(b"\n\n")
                for frame in whole:
                    yield frame + b"\n\n"

    async def _ask(self, number: int, path: str, body: bytes | None) -> bytes | None:
        method = "GET" if body is None else "POST"
        try:
            async with self._sessions[number].request(
                method, f"{_HOST}{path}", data=body, timeout=_PATIENCE
            ) as response:
                answer = await response.read()
        except (ClientError, OSError, TimeoutError) as error:
            log.info("worker %d cannot be asked: %r", number + 1, error)
            return None
        return answer if response.status == HTTPStatus.OK else None

    def _path(self, number: int) -> Path:
        return self.folder / f"{number}.sock"
