"""A vendor on a loopback socket that answers line by line from a script, faults included."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import orjson


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One request as it arrived; header names in lower case."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What is sent back; `cut_at` closes after so many body bytes, `stall` never goes on there."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b"{}"
    cut_at: int | None = None
    stall: bool = False


CUT = Answer(status=0)
HANG = Answer(status=0, stall=True)


def json(value: object, status: int = 200, **headers: str) -> Answer:
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return Answer(status=status, headers=named, body=orjson.dumps(value))


@dataclass(slots=True, kw_only=True)
class Vendor:
    """Answers in turn; the last answer is repeated."""

    answers: list[Answer]
    url: str = ""
    seen: list[Seen] = field(default_factory=list)
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    at_once: int = 0
    most_at_once: int = 0

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            while await self._exchange(reader, writer):
                pass
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        method, target, _ = head[0].split(" ")
        pairs = (line.split(": ", 1) for line in head[1:] if line)
        headers = {name.lower(): value for name, value in pairs}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        self.seen.append(Seen(method=method, target=target, headers=headers, body=body))
        self.arrived.set()
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await asyncio.sleep(0)
        self.at_once -= 1
        return await _send(answer, reader, writer)


async def _send(answer: Answer, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    if answer.status:
        length = {} if answer.status == 304 else {"Content-Length": str(len(answer.body))}
        lines = [f"HTTP/1.1 {answer.status} Scripted"]
        lines += [f"{name}: {value}" for name, value in {**length, **answer.headers}.items()]
        sent = b"" if answer.status == 304 else answer.body[: answer.cut_at]
        writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + sent)
        await writer.drain()
    if answer.stall:
        await reader.read()
    return bool(answer.status) and answer.cut_at is None and not answer.stall


@asynccontextmanager
async def vendor(*answers: Answer) -> AsyncIterator[Vendor]:
    """Serve the answers for the length of the block."""
    playing = Vendor(answers=list(answers) or [Answer()])
    server = await asyncio.start_server(playing._serve, "127.0.0.1", 0)  # noqa: SLF001 - its own method
    host, port = server.sockets[0].getsockname()
    playing.url = f"http://{host}:{port}"
    try:
        yield playing
    finally:
        server.close()
        await server.wait_closed()
