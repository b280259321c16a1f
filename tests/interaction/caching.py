"""A server of documents that counts who asks it, and whose answers wait where a test says so."""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.interaction.keys import bearing
from tests.interaction.mesh import Mesh, routing
from tests.interaction.upstreams import Answer, Json, Scripted, result, running
from tests.interaction.wire import Reply, modern, modern_headers, send
from tests.interaction.wire import head as head_of
from tests.standing_clock import StandingClock
from trunkline_shared.store.store import Store, in_process_store

SERVER = "github"
"""One of the mesh's own: its declarations are believed."""
TTL_S, STALE_S = 300.0, 600.0
SETTLED_S = 11.0
DOC, COMMENTS, ALL = "doc:{id}", "doc:{id}:comments", "doc"


def tool(name: str, **policy: object) -> Json:
    """Return the definition of a tool with a policy; what declares writes is not read-only."""
    return {
        "name": name,
        "description": f"{name}.",
        "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}}},
        "annotations": {"readOnlyHint": "writes" not in policy},
        "_meta": {"dev.trunkline/policy": {"timeout_s": 20, **policy}},
    }


def reads(*tags: str, ttl_s: float = TTL_S, stale_s: float = STALE_S) -> Json:
    """Return what a read declares."""
    return {"ttl_s": ttl_s, "stale_s": stale_s, "tags": list(tags)}


TOOLS = (
    tool("look", reads=reads(DOC)),
    tool("look_at_comments", reads=reads(COMMENTS)),
    tool("look_at_all", reads=reads(ALL)),
    tool("look_unkept"),
    tool("look_for_once", reads=reads(DOC, ttl_s=0)),
    tool("look_quickly", timeout_s=0.8, reads=reads(DOC)),
    tool("look_shortly", timeout_s=0.2, reads=reads(DOC)),
    tool("find", reads=reads(DOC)),
    tool("change", writes={"tags": [DOC]}),
    tool("change_quickly", timeout_s=0.3, writes={"tags": [DOC]}),
    tool("comment", writes={"tags": [COMMENTS]}),
    tool("change_all", writes={"tags": [ALL]}),
    tool("change_anything", writes={"tags": [DOC, COMMENTS]}),
)
_WRITES = frozenset(str(one["name"]) for one in TOOLS if "writes" in str(one["_meta"]))


class Gate:
    """Where one call waits; `asked` says that it has come, `free` lets it go on."""

    def __init__(self, *, late: bool = False, then: Answer | None = None) -> None:
        self.asked = asyncio.Event()
        self.free = asyncio.Event()
        self.gone = asyncio.Event()
        self.late, self.then = late, then


@dataclass(kw_only=True)
class Documents:
    """A server whose documents have versions that writes raise.

    What a read answers is what was so when it came, however long it waits at its gate. A write
    takes effect when it comes, or when it is let go at a `late` gate. `told` are the tags and the
    like that answers tell of themselves; `mood` answers in the place of all that follows.
    """

    asked: Counter[str] = field(default_factory=Counter)
    versions: Counter[str] = field(default_factory=Counter)
    told: Json | None = None
    text: str = ""
    mood: Answer | None = None
    heard: list[Json] = field(default_factory=list)
    _gates: dict[str, "deque[Gate]"] = field(default_factory=dict)
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    def hold(self, name: str, *, late: bool = False, then: Answer | None = None) -> Gate:
        """Have the next call of a tool wait; `then` answers it in the documents' place."""
        gate = Gate(late=late, then=then)
        self._gates.setdefault(name, deque()).append(gate)
        return gate

    async def until_asked(self, name: str, times: int) -> None:
        """Wait until a tool has been called so often."""
        async with self._changed:
            await self._changed.wait_for(lambda: self.asked[name] >= times)

    async def __call__(self, http: web.Request, request: Json) -> web.StreamResponse:
        params = request["params"]
        assert isinstance(params, dict)
        name, given = str(params["name"]), params.get("arguments") or {}
        self.heard.append(params)
        self.asked[name] += 1
        async with self._changed:
            self._changed.notify_all()
        gates = self._gates.get(name)
        gate = gates.popleft() if gates else None
        id_ = str(given.get("id", ""))
        if name in _WRITES and not (gate is not None and gate.late):
            self.versions[id_] += 1
        shown = self.versions[id_] if id_ else self.versions.total()
        if gate is not None:
            await _pass(gate)
            if gate.late:
                self.versions[id_] += 1
        answer = (gate and gate.then) or self.mood
        if answer is not None:
            return await answer(http, request)
        return result(request, self._answer(id_, shown))

    def _answer(self, id_: str, version: int) -> Json:
        return {
            "resultType": "complete",
            "content": [],
            "structuredContent": {"id": id_, "version": version, "text": self.text},
            "isError": False,
            **({} if self.told is None else {"_meta": {"dev.trunkline/reuse": self.told}}),
        }


async def _pass(gate: Gate) -> None:
    gate.asked.set()
    try:
        await gate.free.wait()
    except asyncio.CancelledError:
        gate.gone.set()
        raise


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What an agent was answered."""

    reply: Reply

    @property
    def result(self) -> Any:
        return self.reply.result

    @property
    def note(self) -> Any:
        return self.result["_meta"]["dev.trunkline/call"]

    @property
    def source(self) -> str:
        return str(self.note["source"])

    @property
    def version(self) -> int:
        return int(self.result["structuredContent"]["version"])

    @property
    def failed(self) -> bool:
        return bool(self.result.get("isError"))


async def call(
    mesh: Mesh, name: str, id_: str = "1", *, bearer: str | None = None, path: str = "/mcp"
) -> Seen:
    """Call a tool on a document, in the modern era."""
    body = modern("tools/call", {"name": name, "arguments": {"id": id_} if id_ else {}})
    headers = modern_headers("tools/call", name) | bearing(bearer)
    raw = head_of(body, headers, port=mesh.port, path=path) + body
    return Seen(reply=await send(mesh.port, raw, timeout=25))


async def versions(mesh: Mesh, name: str, times: int) -> list[tuple[str, int]]:
    """Call a tool so often, one after the other; returns the sources and the versions."""
    seen = [await call(mesh, name) for _ in range(times)]
    return [(one.source, one.version) for one in seen]


@dataclass(frozen=True, kw_only=True)
class Library:
    """Routers that share a store, before the same documents, at one clock."""

    documents: Documents
    scripted: Scripted
    routers: Sequence[Mesh]
    clock: StandingClock

    @property
    def one(self) -> Mesh:
        return self.routers[0]

    @property
    def other(self) -> Mesh:
        return self.routers[-1]

    def settle(self) -> None:
        """Let so much time pass that the last change is over."""
        self.clock.advance(SETTLED_S)


@asynccontextmanager
async def library(
    *,
    server: str = SERVER,
    routers: int = 1,
    tools: Sequence[Json] = TOOLS,
    entry: Mapping[str, object] | None = None,
    configured: Mapping[str, object] | None = None,
    store: Store | None = None,
    **given: object,
) -> AsyncIterator[Library]:
    """Run documents and routers before them.

    `entry` is the server's in the routers' `trunkline.yaml`, `configured` is the rest of that.
    """
    clock, documents = StandingClock(), Documents()
    shared = store or in_process_store(clock)
    scripted = Scripted(answer=documents, tools=list(tools))
    async with asyncio.timeout(30), running(scripted) as url:
        meshes: list[Mesh] = []
        terms: dict[str, object] = {"store": shared, "clock": clock, **given}
        terms["configured"] = {
            **(configured or {}),
            **({} if entry is None else {"servers": {server: {"url": f"{url}/mcp", **entry}}}),
        }
        async with _many(routers, {server: url}, meshes, **terms):
            yield Library(documents=documents, scripted=scripted, routers=meshes, clock=clock)


@asynccontextmanager
async def _many(
    number: int, servers: Mapping[str, str], meshes: list[Mesh], **given: Any
) -> AsyncIterator[None]:
    if number == 0:
        yield
        return
    async with routing(servers, **given) as mesh:
        meshes.append(mesh)
        async with _many(number - 1, servers, meshes, **given):
            yield
