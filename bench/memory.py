"""What the router's memory is for: itself, its clients, and what it keeps for them."""

import http.client
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from bench.answers import KEPT
from bench.findings import Cell, Findings, Table
from bench.idle_clients import standing
from bench.open_files import raise_limit
from bench.operations import OPERATIONS, Operation
from bench.processes import Subject, running
from bench.pss import pss_of
from bench.rounds import say

_SETTLE_S = 1.0
_MB = 1_000_000
_KINDS: Mapping[str, str] = {
    "connection": "a connection that asks nothing",
    "modern": "a client of 2026-07-28 that has listed its tools",
    "session": "a session of 2025-11-25 without a stream",
    "streamable": "a session of 2025-11-25 with its stream",
    "sse": "a session of 2024-11-05 with its stream",
}
_ABOUT = (
    "The router's proportional set size: when it is ready, what it grows by for each client of a"
    " kind that stands and asks nothing more, and for what it keeps of answers. It starts anew for"
    " each of them, so that none has memory that another one gave back."
)


def findings(quick: bool) -> Findings:  # noqa: FBT001 - a part's form
    """Measure each kind of client, and the cache."""
    raise_limit()
    clients = 300 if quick else 4000
    kinds = ("modern", "sse") if quick else tuple(_KINDS)
    kept = {"keyed": 300} if quick else {"keyed": 8000, "keyed-large": 40}
    ready, grown = [], list[Sequence[Cell]]()
    with running("bare") as server:
        upstream = f"http://127.0.0.1:{server.port}/mcp"
        for kind in kinds:
            with _router(upstream) as router:
                ready.append(pss_of(router.process.pid))
                grown.append((_KINDS[kind], round(_per_client(router, clients, kind) / 1000, 1)))
            say(_KINDS[kind])
        cached = [_cached(upstream, operation, count) for operation, count in kept.items()]
    megabytes = sorted(round(one / _MB, 1) for one in ready)
    return Findings(
        title="Memory",
        about=_ABOUT,
        tables=[
            Table(
                title="Megabytes when it is ready",
                columns=("", "MB"),
                rows=[("least", megabytes[0]), ("most", megabytes[-1])],
            ),
            Table(title=f"kB for one of {clients}", columns=("", "kB"), rows=grown),
            Table(
                title="Answers that are kept",
                columns=("", "bytes each", "grown by, each", "grown by, in their bytes"),
                rows=cached,
            ),
        ],
    )


@contextmanager
def _router(upstream: str) -> Iterator[Subject]:
    with running("keyed", upstream, *KEPT) as router:
        time.sleep(_SETTLE_S)
        yield router


def _per_client(router: Subject, clients: int, kind: str) -> float:
    """Return the bytes that one client takes, once a few have been there."""
    with standing(router.port, clients // 10, kind):
        before = pss_of(router.process.pid)
        with standing(router.port, clients, kind):
            time.sleep(_SETTLE_S)
            return (pss_of(router.process.pid) - before) / clients


def _cached(upstream: str, operation: str, count: int) -> Sequence[Cell]:
    """Return what keeping so many different answers takes."""
    asked = OPERATIONS[operation]
    few = max(count // 8, 1)
    with _router(upstream) as router:
        _ask(router.port, asked, range(few))
        # What is told of calls is kept as well, whether they were answered from memory or not.
        router.round(8 * count, "keyed")
        time.sleep(_SETTLE_S)
        before = pss_of(router.process.pid)
        size = _ask(router.port, asked, range(few, few + count))
        time.sleep(_SETTLE_S)
        grown = (pss_of(router.process.pid) - before) / count
    say(f"{count} answers of {size} bytes")
    return (f"{count} answers", size, round(grown), round(grown / size, 2))


def _ask(port: int, asked: Operation, numbers: range) -> int:
    """Call with other arguments each time; return how many bytes an answer has."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    size = 0
    for number in numbers:
        params = {**asked.params, "arguments": {"text": f"{number}"}}
        head, _, body = replace(asked, params=params).to_bytes(port).partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")[1:]
        headers = dict(line.split(": ", 1) for line in lines)
        connection.request("POST", asked.path, body=body, headers=headers)
        answer = connection.getresponse().read()
        if asked.expected.encode() not in answer:
            raise RuntimeError(f"unexpected answer: {answer[:500]!r}")
        size = len(answer)
    connection.close()
    return size
