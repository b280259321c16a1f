"""The load: one request, again and again over kept connections, every answer read and checked.

A program: it opens its connections (and sessions, where the operation is made in one) and says so,
begins when it is told to, and prints the median and the longest time of an answer, in
milliseconds; it closes nothing before its input ends. So a round's processor time is that of its
requests alone.
"""

import asyncio
import statistics
import sys
import time
from dataclasses import dataclass

import orjson
import uvloop

from bench.operations import OPERATIONS, Operation


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer's head, and its whole body: of an event stream, all its events."""

    head: bytes
    body: bytes

    def header(self, name: str) -> str:
        return header_of(self.head, name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """A connection, and the request that it sends each time."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    request: bytes
    expected: bytes

    async def ask(self, times: int, took: list[float]) -> None:
        """Send `times` requests. Raises RuntimeError on any answer that is not the right one."""
        for _ in range(times):
            began = time.perf_counter()
            self.writer.write(self.request)
            answer = await read_answer(self.reader)
            took.append(time.perf_counter() - began)
            if self.expected not in answer.body:
                raise RuntimeError(f"unexpected answer: {answer.head!r} {answer.body[:500]!r}")


def header_of(head: bytes, name: str) -> str:
    """Return a header's value, empty without it; its name is given in lower case."""
    for line in head.decode("latin-1").split("\r\n")[1:]:
        known, _, value = line.partition(":")
        if known.lower() == name:
            return value.strip()
    return ""


async def read_answer(reader: asyncio.StreamReader) -> Answer:
    """Read one answer, with a length or in chunks (RFC 9112, section 6)."""
    head = await reader.readuntil(b"\r\n\r\n")
    if header_of(head, "transfer-encoding") == "chunked":
        return Answer(head=head, body=await _chunks(reader))
    length = int(header_of(head, "content-length") or 0)
    return Answer(head=head, body=await reader.readexactly(length))


async def _chunks(reader: asyncio.StreamReader) -> bytes:
    body = b""
    while True:
        size = int((await reader.readuntil(b"\r\n")).partition(b";")[0], 16)
        body += (await reader.readexactly(size + 2))[:size]
        if not size:
            return body


async def open_asker(port: int, operation: Operation) -> Asker:
    """Connect, and open a session where the operation is made in one."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**22)
    session_id = ""
    if operation.session:
        writer.write(operation.greeting(port))
        greeted = await read_answer(reader)
        if b'"protocolVersion"' not in greeted.body:
            raise RuntimeError(f"no session: {greeted.head!r} {greeted.body[:500]!r}")
        session_id = greeted.header("mcp-session-id")
        writer.write(operation.greeted(port, session_id))
        await read_answer(reader)
    return Asker(
        reader=reader,
        writer=writer,
        request=operation.to_bytes(port, session_id),
        expected=operation.expected.encode(),
    )


async def load(port: int, requests: int, connections: int, operation: Operation) -> None:
    askers = [await open_asker(port, operation) for _ in range(connections)]
    print("ready", flush=True)
    # Nothing else is to run meanwhile.
    sys.stdin.readline()
    took: list[float] = []
    async with asyncio.TaskGroup() as tasks:
        for asker in askers:
            tasks.create_task(asker.ask(requests // connections, took))
    print(f"{statistics.median(took) * 1000:.3f} {max(took) * 1000:.3f}", flush=True)
    sys.stdin.readline()


def main() -> None:
    """Run what the arguments say: port, requests, connections, and an operation or its name."""
    port, requests, connections = map(int, sys.argv[1:4])
    named = sys.argv[4]
    operation = OPERATIONS.get(named) or Operation(**orjson.loads(named))
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(load(port, requests, connections, operation))


if __name__ == "__main__":
    main()
