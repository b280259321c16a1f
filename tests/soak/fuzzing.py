"""Many hostile requests at one router: none may crash it, fill it, or make it tell a secret."""

import asyncio
import itertools
import socket
import struct
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from tests.soak.hostile_requests import Attack, Target, attack
from tests.soak.subject import KEY, Subject

WORKERS = 24
PATIENCE_S = 30.0
_READ_CAP = 256 * 1024
_GONE = struct.pack("ii", 1, 0)
"""A connection is cut and not closed, so that a hundred thousand of them leave no port behind."""


@dataclass(slots=True, kw_only=True)
class Findings:
    """What came back: how often each kind was answered how, and whatever must not have been."""

    statuses: dict[str, Counter[str]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    resident: tuple[int, int] = (0, 0)

    def note(self, kind: str, outcome: str) -> None:
        self.statuses.setdefault(kind, Counter())[outcome] += 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Fuzzing:
    """Sends the attacks of a seed."""

    subject: Subject
    seed: int
    findings: Findings = field(default_factory=Findings)

    async def run(self, numbers: range) -> None:
        """Send the attacks of these numbers, several at a time."""
        shared = iter(numbers)
        async with asyncio.TaskGroup() as tasks:
            for _ in range(WORKERS):
                tasks.create_task(self._work(shared))

    async def _work(self, numbers: Iterator[int]) -> None:
        target = Target(port=self.subject.port, key=KEY, tool="calm_echo")
        connection = Connection(self.subject.port)
        for number in numbers:
            made = attack(self.seed, number, target)
            try:
                async with asyncio.timeout(PATIENCE_S):
                    answer = await connection.perform(made)
            except TimeoutError:
                self.findings.wrong.append(f"{number} {made.kind}: no answer in {PATIENCE_S:g} s")
                connection.cut()
                continue
            self._judge(number, made, answer)
        connection.cut()

    def _judge(self, number: int, made: Attack, answer: bytes) -> None:
        status = answer[9:12].decode("latin-1") if answer.startswith(b"HTTP/1.") else "closed"
        self.findings.note(made.kind, status)
        if status.startswith("5"):
            self.findings.wrong.append(f"{number} {made.kind}: HTTP {status}: {answer[-300:]!r}")
        for secret in self.subject.leaks(answer):
            self.findings.wrong.append(f"{number} {made.kind}: {secret} in {answer[:600]!r}")
        if not self.subject.alive:
            raise AssertionError(f"the router has ended at attack {number} of seed {self.seed}")


class Connection:
    """A connection that is kept as long as both sides can tell where an answer ends."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def perform(self, made: Attack) -> bytes:
        """Send an attack and return what came back, which may be nothing."""
        again = self._streams is not None
        answer = await self._once(made)
        if not answer and again and not made.leaves:
            # The last answer may have been the connection's last: that says nothing of this one.
            answer = await self._once(made)
        return answer

    async def _once(self, made: Attack) -> bytes:
        try:
            reader, writer = self._streams or await self._opened()
            for piece, more in itertools.zip_longest(made.pieces, made.pieces[1:]):
                writer.write(piece)
                if more is not None:
                    await asyncio.sleep(made.pause_s)
            answer, whole = (b"", False) if made.leaves else await _answer(reader, made)
        except (ConnectionError, asyncio.IncompleteReadError):
            answer, whole = b"", False
        if not whole or not made.framed or b"onnection: close" in answer:
            self.cut()
        return answer

    async def _opened(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port, limit=_READ_CAP)
        raw: socket.socket = writer.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _GONE)
        self._streams = (reader, writer)
        return self._streams

    def cut(self) -> None:
        """Let go of the connection, as one that breaks."""
        if self._streams is not None:
            with suppress(ConnectionError):
                self._streams[1].transport.abort()
            self._streams = None


async def _answer(reader: asyncio.StreamReader, made: Attack) -> tuple[bytes, bool]:
    """Return an answer, and whether it is whole; of a stream, its head is enough."""
    head = await reader.readuntil(b"\r\n\r\n")
    lowered = head.lower()
    if made.bodiless or b"text/event-stream" in lowered:
        return head, False
    if b"transfer-encoding: chunked" in lowered:
        return head + await reader.readuntil(b"0\r\n\r\n"), True
    length = int(lowered.partition(b"content-length: ")[2].partition(b"\r\n")[0] or 0)
    return head + await reader.readexactly(length), True
