"""What a call costs as there is more of everything: connections, bytes, tools, workers."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from bench import sized
from bench.answers import KEPT
from bench.curves import Curve, Point, charts, measured, table
from bench.findings import Chart, Findings, Table
from bench.first_page import first_page
from bench.open_files import raise_limit
from bench.operations import OPERATIONS
from bench.processes import Subject, listening, running
from bench.programs import installed, redis
from bench.readiness import free_port
from bench.rounds import say
from bench.worker_routers import has_workers, workers

_ABOUT = (
    "The router's user and system time per request, and how many are answered in a second, beside"
    " a handler and a proxy hop of a dozen lines on aiohttp. Each point is the median of rounds in"
    " which all curves are measured in turn. A result of 4 MB is more than the router passes on: it"
    " is read as a whole and cut to 1 MiB, which costs more than sending it on as it is."
)
_CONNECTIONS = (1, 8, 32, 128, 512)
_TOOLS = (10, 50, 200, 1000, 2000)
_WORKERS = (1, 2, 3, 4)
_USUAL = 8
_Found = tuple[Table, Sequence[Chart]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Extent:
    """How much of it is measured."""

    rounds: int
    requests: int
    connections: Sequence[int]
    sizes: Sequence[str]
    tools: Sequence[int]
    workers: Sequence[int]


_FULL = _Extent(
    rounds=3,
    requests=1600,
    connections=_CONNECTIONS,
    sizes=tuple(sized.SIZES),
    tools=_TOOLS,
    workers=_WORKERS,
)
_QUICK = _Extent(
    rounds=1, requests=80, connections=(1, 32), sizes=("1 kB",), tools=(10,), workers=()
)


def findings(quick: bool) -> Findings:  # noqa: FBT001 - a part's form
    """Measure all curves."""
    raise_limit()
    extent = _QUICK if quick else _FULL
    found, left_out = list[_Found](), list[str]()
    for part in (_of_connections, _of_sizes, _of_tools):
        found.append(part(extent))
        say(found[-1][0].title)
    redis_server = installed("redis-server")
    if quick or redis_server is None or not has_workers():
        left_out.append("several workers: this run is quick, or there is no Redis for them")
    else:
        found.append(_of_workers(extent, redis_server))
    return Findings(
        title="Scale",
        about=_ABOUT,
        tables=[one for one, _ in found],
        charts=[chart for _, drawn in found for chart in drawn],
        left_out=left_out,
    )


def _of_connections(extent: _Extent) -> _Found:
    with _routed() as (server, router), running("hop", _mcp(server)) as hop:
        router.round(_USUAL, "keyed")
        curves = [
            Curve(label="bare handler", subject=server, operation=OPERATIONS["keyed"]),
            Curve(label="hit", subject=router, operation=OPERATIONS["hit"]),
            Curve(label="bare hop", subject=hop, operation=OPERATIONS["said"]),
            Curve(label="relay", subject=router, operation=OPERATIONS["relay"]),
        ]
        points: dict[float, Mapping[str, Point]] = {
            number: measured(curves, extent.rounds, max(extent.requests, 2 * number), number)
            for number in extent.connections
        }
    return table("connections", points), charts("connections", points)


def _of_sizes(extent: _Extent) -> _Found:
    port = free_port()
    command = [sys.executable, "-m", "bench.sized", str(port)]
    points: dict[float, Mapping[str, Point]] = {}
    with (
        listening("sized", command, port) as server,
        running("hop", _mcp(server)) as hop,
        running("keyed", _mcp(server), sized.KEPT) as router,
    ):
        for size in extent.sizes:
            arguments = {"arguments": {"text": size}}
            kept, fresh = (
                replace(
                    OPERATIONS["keyed"],
                    name=name,
                    params={"name": name, **arguments},
                    expected='"xxxx',
                )
                for name in (sized.KEPT, sized.FRESH)
            )
            curves = [
                Curve(label="bare hop", subject=hop, operation=fresh),
                Curve(label="hit", subject=router, operation=kept),
                Curve(label="relay", subject=router, operation=fresh),
            ]
            kilobytes = sized.SIZES[size] / 1000
            requests = max(int(extent.requests / (1 + kilobytes / 50)), 5 * _USUAL)
            points[kilobytes] = measured(curves, extent.rounds, requests, _USUAL)
    return table("size of a result, kB", points), charts("size of a result, kB", points)


def _of_tools(extent: _Extent) -> _Found:
    points: dict[float, Mapping[str, Point]] = {}
    pages: dict[float, tuple[int, int]] = {}
    for number in extent.tools:
        with _routed(str(number)) as (server, router):
            listed = replace(OPERATIONS["list"], headers=OPERATIONS["keyed"].headers)
            params = {"name": "tool_0", "arguments": {"number": 1}}
            called = replace(OPERATIONS["said"], name="tool_0", params=params)
            curves = [
                Curve(label="tools/list, bare handler", subject=server, operation=listed),
                Curve(label="tools/list", subject=router, operation=listed),
                Curve(label="relay", subject=router, operation=called),
            ]
            requests = max(extent.requests // (1 + number // 100), 5 * _USUAL)
            points[number] = measured(curves, extent.rounds, requests, _USUAL)
            pages[number] = first_page(router.port, listed)
    costs = table("tools", points)
    columns = (*costs.columns, "tools on the first page", "its kB")
    rows = [
        (*row, tools, round(size / 1000))
        for row, (tools, size) in zip(costs.rows, pages.values(), strict=True)
    ]
    return replace(costs, columns=columns, rows=rows), charts("tools", points)


def _of_workers(extent: _Extent, program: str) -> _Found:
    points: dict[float, Mapping[str, Point]] = {}
    with running("bare") as server, redis(program) as url:
        for number in extent.workers:
            with workers(number, _mcp(server), url) as router:
                router.round(_USUAL * number, "keyed")
                curves = [
                    Curve(label="hit", subject=router, operation=OPERATIONS["hit"]),
                    Curve(label="relay", subject=router, operation=OPERATIONS["relay"]),
                ]
                points[number] = measured(curves, extent.rounds, extent.requests, 4 * _USUAL)
    return table("workers", points), charts("workers", points)


@contextmanager
def _routed(*size: str) -> Iterator[tuple[Subject, Subject]]:
    """Run a bare server and the router in front of it; a library of some size keeps nothing."""
    kept = () if size else KEPT
    with running("bare", *size) as server, running("keyed", _mcp(server), *kept) as router:
        yield server, router


def _mcp(subject: Subject) -> str:
    return f"http://127.0.0.1:{subject.port}/mcp"
