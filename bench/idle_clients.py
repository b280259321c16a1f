"""Clients that open a session, keep its event stream open, and ask for nothing.

A program: it prints how many stand once all of them do, and when its input ends how many of those
have been left by the other side.
"""

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import cast

import orjson
import uvloop

from bench.operations import KEY_ID, KEY_SECRET, OPERATIONS

_AT_ONCE = 32
_LONGEST_S = 30.0
_HOST = "127.0.0.1"
_INITIALIZED = orjson.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"})
_KEY = f"Authorization: Bearer tl_{KEY_ID}_{KEY_SECRET}\r\n"
_GET = (
    "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept: text/event-stream\r\n"
    "User-Agent: bench/1\r\nAccept-Encoding: gzip, deflate\r\n" + _KEY + "{own}\r\n"
)
_POST = (
    "POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
    "Accept: application/json, text/event-stream\r\n" + _KEY + "{own}"
    "Content-Length: {length}\r\n\r\n"
)


class Listener(asyncio.Protocol):
    """One event stream: it keeps what it is told until somebody has waited for it, and no more."""

    transport: asyncio.Transport

    def __init__(self) -> None:
        self._told = bytearray()
        self._waiting: tuple[bytes, asyncio.Future[bytes]] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        if self._waiting is None:
            return
        self._told += data
        wanted, found = self._waiting
        if wanted in self._told and not found.done():
            found.set_result(bytes(self._told))
            self._waiting = None
            self._told.clear()

    def told(self, wanted: bytes) -> "asyncio.Future[bytes]":
        """Return what is told up to the end of the read that has `wanted` in it."""
        found: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._waiting = (wanted, found)
        return found


class Poster:
    """One kept connection, over which many sessions send their messages, one after the other."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._free = asyncio.Lock()
        self._way: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def post(self, path: str, body: bytes, own: str = "") -> bytes:
        """Return the head of the answer. Raises RuntimeError for one that is no success."""
        head = _POST.format(path=path, port=self._port, own=own, length=len(body))
        async with self._free:
            if self._way is None:
                self._way = await asyncio.open_connection(_HOST, self._port)
            reader, writer = self._way
            writer.write(head.encode() + body)
            answer = await reader.readuntil(b"\r\n\r\n")
            length = answer.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]
            await reader.readexactly(int(length or 0))
        if b" 20" not in answer.partition(b"\r\n")[0]:
            raise RuntimeError(f"unexpected answer: {answer[:500]!r}")
        return answer


def _initialize() -> bytes:
    request = OPERATIONS["initialize"]
    message = {"jsonrpc": "2.0", "id": 1, "method": request.method, "params": request.params}
    return orjson.dumps(message)


async def _connected(port: int) -> Listener:
    _, listener = await asyncio.get_running_loop().create_connection(Listener, _HOST, port)
    return listener


async def open_sse(port: int, poster: Poster) -> Listener:
    """Open a session as clients of 2024-11-05 do, and leave it."""
    listener = await _connected(port)
    found = listener.told(b"\n\n")
    listener.transport.write(_GET.format(path="/sse", port=port, own="").encode())
    path = (await found).partition(b"data: ")[2].partition(b"\n")[0].decode()
    answered = listener.told(b'"protocolVersion"')
    await poster.post(path, _initialize())
    await answered
    await poster.post(path, _INITIALIZED)
    return listener


async def open_streamable(port: int, poster: Poster) -> Listener:
    """Open a session as clients of 2025-11-25 do, with the stream of its own, and leave it."""
    answer = await poster.post("/mcp", _initialize())
    session = _header(answer, b"mcp-session-id")
    own = f"Mcp-Session-Id: {session}\r\nMCP-Protocol-Version: 2025-11-25\r\n"
    await poster.post("/mcp", _INITIALIZED, own)
    listener = await _connected(port)
    begun = listener.told(b"\r\n\r\n")
    listener.transport.write(_GET.format(path="/mcp", port=port, own=own).encode())
    await begun
    return listener


async def open_session(port: int, poster: Poster) -> None:  # noqa: ARG001 - the form of all that open a client
    """Open a session and no stream; its connection is for others as well."""
    await poster.post("/mcp", _initialize())


async def open_modern(port: int, poster: Poster) -> Listener:  # noqa: ARG001 - the form of all that open a client
    """List the tools as clients of 2026-07-28 do, and keep the connection."""
    listener = await _connected(port)
    listed = listener.told(b'"inputSchema"')
    asked = OPERATIONS["list"]
    headers = {"Authorization": f"Bearer tl_{KEY_ID}_{KEY_SECRET}"}
    listener.transport.write(replace(asked, headers=headers).to_bytes(port))
    await listed
    return listener


async def open_connection(port: int, poster: Poster) -> Listener:  # noqa: ARG001 - the form of all that open a client
    """Open a connection and ask for nothing, not even a session."""
    return await _connected(port)


KINDS: dict[str, Callable[[int, Poster], Awaitable[Listener | None]]] = {
    "sse": open_sse,
    "streamable": open_streamable,
    "session": open_session,
    "modern": open_modern,
    "connection": open_connection,
}


async def opened(port: int, clients: int, kind: str) -> list[Listener | None]:
    """Open that many clients, a few at a time. Raises TimeoutError for one that gets no answer."""
    begun, listeners = iter(range(clients)), list[Listener | None]()

    async def open_some() -> None:
        poster = Poster(port)
        for _ in begun:
            async with asyncio.timeout(_LONGEST_S):
                listeners.append(await KINDS[kind](port, poster))

    async with asyncio.TaskGroup() as tasks:
        for _ in range(_AT_ONCE):
            tasks.create_task(open_some())
    return listeners


def _header(head: bytes, name: bytes) -> str:
    fields = (line.partition(b": ") for line in head.split(b"\r\n"))
    return next(value.decode() for key, _, value in fields if key.lower() == name)


async def main(port: int, clients: int, kind: str) -> None:
    listeners = await opened(port, clients, kind)
    print(len(listeners), flush=True)
    await asyncio.to_thread(sys.stdin.read)
    gone = sum(one is not None and one.transport.is_closing() for one in listeners)
    print(gone, flush=True)


@dataclass(slots=True, kw_only=True)
class Crowd:
    """Clients that stand; `left` counts those whose stream the other side has ended, at the end."""

    left: int = 0


@contextmanager
def standing(port: int, clients: int, kind: str) -> Iterator[Crowd]:
    """Have that many clients of a kind stand, from a process of their own, for the block's length.

    Raises RuntimeError when they cannot be opened.
    """
    numbers = (str(port), str(clients))
    process = subprocess.Popen(
        [sys.executable, "-m", "bench.idle_clients", *numbers, kind],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    crowd = Crowd()
    try:
        assert process.stdout is not None
        if process.stdout.readline() != f"{clients}\n":
            raise RuntimeError(f"{clients} clients of the kind {kind} could not be opened")
        yield crowd
    finally:
        told, _ = process.communicate()
        crowd.left = int(told or 0)


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]))
