"""The workload played to a mesh, each answer held against what was true when it was asked."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import aiohttp
import orjson

from bench.replay.mesh import ReplayMesh, replay_mesh
from bench.replay.workload import AGENTS, BENCHES, Ask, Turn, agents

LAG_S = 15.0
"""For so long an answer may not know what happened past the router: the longest time to live."""
_STUCK_S = 2.0
_META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "replay", "version": "1"},
}
_BENCH_DONE_AT_S = (40.0, 80.0)
_ANSWER_AT_S, _ANSWER = 60.0, "The author thanks for the findings so far."


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A text that an answer has to show from when it was said on, with `lag_s` of grace."""

    tools: frozenset[str]
    text: str
    at: float
    lag_s: float = 0.0


@dataclass(slots=True, kw_only=True)
class Tally:
    """What a run came to.

    `asked` are requests at GitHub, `unchanged` the 304s of them, `by_writes` those that writes
    make, which no cache may save. `questions` are the different reads: each is asked once at least.
    """

    seconds: float = 0.0
    reads: int = 0
    writes: int = 0
    asked: int = 0
    unchanged: int = 0
    by_writes: int = 0
    questions: set[bytes] = field(default_factory=set)
    sources: Counter[str] = field(default_factory=Counter)
    stale: list[str] = field(default_factory=list)
    spent: Counter[str] = field(default_factory=Counter)

    @property
    def for_reads(self) -> int:
        """Requests at GitHub that reads have made."""
        return self.asked - self.by_writes

    @property
    def counted(self) -> int:
        """Requests that GitHub takes from the quota."""
        return self.asked - self.unchanged

    @property
    def answered_by_servers(self) -> int:
        return self.sources["upstream"]


class Replay:
    """The agents, what happens beside them, and the time that passes for all."""

    def __init__(self, mesh: ReplayMesh, http: aiohttp.ClientSession) -> None:
        self.tally = Tally()
        self._mesh = mesh
        self._http = http
        self._facts: list[Fact] = []
        self._awake = 0
        self._changed = asyncio.Condition()

    async def play(self, turns: Sequence[Sequence[Turn]]) -> Tally:
        """Play it to the end."""
        clock, begun = self._mesh.clock, self._mesh.clock.now()
        budget = self._mesh.demo.token.budget
        used = budget.used
        self._mesh.github.requests.clear()
        async with asyncio.TaskGroup() as tasks:
            self._awake = len(turns) + 1
            playing = [tasks.create_task(self._agent(each)) for each in turns]
            beside = tasks.create_task(self._beside())
            while await self._quiet() or not all(task.done() for task in playing):
                if self._mesh.hooked:
                    await self._mesh.github.webhooks.delivered()
                await clock.go_on(clock.next_at)
            beside.cancel()
        self.tally.seconds = clock.now() - begun
        self.tally.asked = len(self._mesh.github.requests.matching())
        self.tally.unchanged = self.tally.asked - (budget.used - used)
        self.tally.by_writes = await self._by_writes([
            ask for asks in turns for turn in asks for ask in turn.asks if ask.writes
        ])
        return self.tally

    async def _by_writes(self, writes: Sequence[Ask]) -> int:
        """Return the requests of the writes: one more of each kind is looked at alone."""
        requests, total = self._mesh.github.requests, 0
        for tool, times in Counter(ask.tool for ask in writes).items():
            again = next(ask for ask in writes if ask.tool == tool)
            requests.clear()
            await self._called(
                replace(again, arguments={**again.arguments, "body": f"And {tool}."})
            )
            total += times * len(requests.matching())
        return total

    async def _quiet(self) -> bool:
        """Wait until everybody thinks; say whether a call waits for time to pass instead."""
        try:
            async with asyncio.timeout(_STUCK_S), self._changed:
                await self._changed.wait_for(lambda: not self._awake)
        except TimeoutError:
            return True
        return False

    async def _thinks(self, seconds: float) -> None:
        await self._leaves()
        await self._mesh.clock.sleep(seconds)
        self._awake += 1

    async def _leaves(self) -> None:
        async with self._changed:
            self._awake -= 1
            self._changed.notify_all()

    async def _agent(self, turns: Sequence[Turn]) -> None:
        for turn in turns:
            await self._thinks(turn.after_s)
            async with asyncio.TaskGroup() as asking:
                for ask in turn.asks:
                    asking.create_task(self._ask(ask))
        await self._leaves()

    async def _beside(self) -> None:
        """Let happen what the router has no part in."""
        demo, begun = self._mesh.demo, self._mesh.clock.now()
        assert demo.pull.pull is not None
        lag_s = 0.0 if self._mesh.hooked else LAG_S
        benches = zip(_BENCH_DONE_AT_S, BENCHES, strict=True)
        for at, what in sorted((*benches, (_ANSWER_AT_S, _ANSWER))):
            await self._thinks(begun + at - self._mesh.clock.now())
            if what == _ANSWER:
                text, tools = what, frozenset({"list_comments"})
                demo.pull.add_comment(text, None)
            else:
                text, tools = f"{what} is done", frozenset({"get_ci_status"})
                head = demo.pull.pull.head_sha
                demo.repository.ci.add_status(head, what, "success", description=text)
            if self._mesh.hooked:
                await self._mesh.github.webhooks.delivered()
            now = self._mesh.clock.now()
            self._facts.append(Fact(tools=tools, text=text, at=now, lag_s=lag_s))
        await self._leaves()

    async def _ask(self, ask: Ask) -> None:
        begun = self._mesh.clock.now()
        due = [
            fact for fact in self._facts if ask.tool in fact.tools and fact.at + fact.lag_s <= begun
        ]
        body, result = await self._called(ask)
        source = result["_meta"]["dev.trunkline/call"]["source"]
        if not ask.writes:
            self.tally.reads += 1
            self.tally.questions.add(orjson.dumps([ask.tool, dict(ask.arguments)]))
            self.tally.sources[source] += 1
            self.tally.spent[ask.tool] += source == "upstream"
            lost = [fact.text for fact in due if fact.text.encode() not in body]
            self.tally.stale += [f"{ask.tool} at {begun:.2f} ({source}): {text}" for text in lost]
            return
        self.tally.writes += 1
        shown = "list_comments" if ask.tool == "create_comment" else "list_review_comments"
        now = self._mesh.clock.now()
        self._facts.append(Fact(tools=frozenset({shown}), text=ask.writes, at=now))

    async def _called(self, ask: Ask) -> tuple[bytes, dict[str, Any]]:
        params = {"name": ask.tool, "arguments": ask.arguments, "_meta": _META}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": "2026-07-28",
            "Mcp-Method": "tools/call",
            "Mcp-Name": ask.tool,
        }
        url = f"{self._mesh.url}/servers/{ask.server}/mcp"
        async with self._http.post(url, data=orjson.dumps(message), headers=headers) as answer:
            body = await answer.read()
        told: dict[str, Any] = orjson.loads(body)
        if "result" not in told or told["result"].get("isError"):
            raise RuntimeError(f"{ask.tool} failed: {body[:500]!r}")
        return body, told["result"]


async def replayed(
    *, cached: bool, hooked: bool = False, number: int = AGENTS, stay: bool = False
) -> Tally:
    """Play the workload to a mesh of its own; agents that `stay` wait for CI after the review."""
    async with (
        replay_mesh(cached=cached, hooked=hooked) as mesh,
        aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as http,
    ):
        turns = agents(mesh.demo.pull.number, mesh.demo.issue.number, number, stay=stay)
        return await Replay(mesh, http).play(turns)
