"""Fifty agents that call every server through the router, and what came of each call."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import orjson

from tests.interaction.wire import modern, modern_headers
from trunkline_shared.clock import SystemClock

PACE_S = 1.0
"""How long an agent thinks between two calls."""
CLIENT_S = 90
LOST = "LOST"
"""The code of a call that nobody answered: there was no router."""
NOTE = "dev.trunkline/call"
CLOCK = SystemClock()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A call that an agent makes, and how long its tool may take, in seconds."""

    server: str
    tool: str
    arguments: Mapping[str, object]
    timeout_s: float = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came of a call; `code` is empty when it went well. Monotonic seconds."""

    ask: Ask
    begun: float
    took_s: float
    code: str
    payload: Mapping[str, Any]
    source: str = ""

    @property
    def is_fine(self) -> bool:
        return not self.code

    @property
    def shown(self) -> str:
        """What a failed test says of it."""
        what = f"{self.ask.tool} at {self.begun:.1f} took {self.took_s:.1f} s"
        return f"{what}: {self.code} {self.payload.get('message', '')}" if self.code else what

    @property
    def ended(self) -> float:
        return self.begun + self.took_s


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """One client with a connection of its own, of the modern era."""

    url: str
    http: aiohttp.ClientSession

    async def call(self, ask: Ask) -> Answer:
        """Send once, and never again."""
        begun = CLOCK.monotonic()
        body = modern("tools/call", {"name": ask.tool, "arguments": dict(ask.arguments)})
        try:
            async with self.http.post(
                f"{self.url}/mcp", data=body, headers=modern_headers("tools/call", ask.tool)
            ) as reply:
                message = _message(await reply.read())
        except (aiohttp.ClientError, OSError, ValueError) as error:
            took_s = CLOCK.monotonic() - begun
            return Answer(
                ask=ask, begun=begun, took_s=took_s, code=LOST, payload={"message": repr(error)}
            )
        return _answer(ask, begun, message)


def _message(raw: bytes) -> Any:
    """Return the answer, whether it came alone or as the last one of a stream."""
    frames = [line.removeprefix(b"data: ") for line in raw.split(b"\n") if line[:6] == b"data: "]
    return orjson.loads(frames[-1] if frames else raw)


def _answer(ask: Ask, begun: float, message: Any) -> Answer:
    took_s = CLOCK.monotonic() - begun
    result = message.get("result")
    if result is None:
        error = message["error"]
        code = f"RPC {error['code']}"
        return Answer(ask=ask, begun=begun, took_s=took_s, code=code, payload=error)
    payload = result.get("structuredContent")
    if payload is None:
        payload = orjson.loads(result["content"][0]["text"])
    return Answer(
        ask=ask,
        begun=begun,
        took_s=took_s,
        code=payload["error_code"] if result.get("isError") else "",
        payload=payload,
        source=result.get("_meta", {}).get(NOTE, {}).get("source", ""),
    )


@asynccontextmanager
async def agent(url: str, key: str) -> AsyncIterator[Agent]:
    """Be a client for the length of the block."""
    async with aiohttp.ClientSession(
        headers={"Authorization": f"Bearer {key}"},
        timeout=aiohttp.ClientTimeout(total=CLIENT_S),
    ) as http:
        yield Agent(url=url, http=http)


@dataclass(kw_only=True)
class Crowd:
    """Agents at work, and all that they were answered so far."""

    url: str
    key: str
    answers: list[Answer] = field(default_factory=list)
    done: asyncio.Event = field(default_factory=asyncio.Event)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def note(self, answer: Answer) -> Answer:
        """Keep an answer, and tell whoever waits for it."""
        self.answers.append(answer)
        self._news.set()
        return answer

    def since(self, moment: float, *servers: str) -> list[Answer]:
        """Return the answers to calls that began later, of these servers or of all."""
        return [
            one
            for one in self.answers
            if one.begun >= moment and (not servers or one.ask.server in servers)
        ]

    async def when(self, so: Callable[[], object]) -> None:
        """Wait until what has been answered makes it so."""
        while not so():
            self._news.clear()
            await self._news.wait()

    async def think(self) -> bool:
        """Pause between two calls; says whether to go on."""
        with suppress(TimeoutError):
            async with asyncio.timeout(PACE_S):
                await self.done.wait()
        return not self.done.is_set()

    async def read(self, asks: Iterable[Ask]) -> None:
        """Be one agent that reads one thing after the other."""
        async with agent(self.url, self.key) as me:
            for ask in asks:
                self.note(await me.call(ask))
                if not await self.think():
                    return
