"""A quarter of an hour of a team's work with the demo, done in a minute: for the pictures."""

import asyncio
import math
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from tests.browser.worlds import AGENTS, KEYS, Agent, agent
from tests.interaction.guarding import Mood, sick
from tests.interaction.upstreams import Scripted, running, tool
from trunkline_cli import listening
from trunkline_cli.builtin import MODULES
from trunkline_cli.demo import VENDORS, demo_environment
from trunkline_cli.environment import variables
from trunkline_cli.mesh import host_environment
from trunkline_cli.supervisor import HostPlan, Place, Supervisor
from trunkline_router.composition.plan import Surroundings
from trunkline_router.composition.router import serving
from trunkline_router.configuration.entries import Configuration
from trunkline_router.configuration.settings import RouterSettings
from trunkline_shared.clock import SystemClock
from trunkline_shared.store.store import in_process_store

PAST_S = 960.0
LAST_MINUTE_S = 22.0
PAUSE_S = 3.0
"""Seconds between what is done last."""
MESH_KEY = "the-mesh-key-of-the-pictures"
Deed = Callable[[Agent], Awaitable[object]]
WIDGETS = {"owner": "acme", "repo": "widgets"}


class Hastening(SystemClock):
    """A clock that begins in the past and is moved on, up to the present."""

    def __init__(self) -> None:
        self._behind = PAST_S

    def now(self) -> float:
        return super().now() - self._behind

    def monotonic(self) -> float:
        return super().monotonic() + PAST_S - self._behind

    @property
    def behind(self) -> float:
        """How many seconds there are to the present."""
        return self._behind

    def move_on(self, seconds: float) -> None:
        """Let some seconds pass, to the present at most."""
        self._behind = max(self._behind - seconds, 0.0)


@dataclass(frozen=True, kw_only=True)
class Team:
    """A mesh with its agents at work."""

    url: str
    clock: Hastening
    agents: dict[str, Agent]
    wiki: Mood
    chance: random.Random

    async def work(self) -> None:
        """Do a quarter of an hour's work, with waves of it."""
        while self.clock.behind > LAST_MINUTE_S:
            self.clock.move_on(self.chance.expovariate(self._pace()))
            await self._deed()

    def _pace(self) -> float:
        """Return how many calls a second there are about now."""
        return 1.6 + math.sin(self.clock.behind / 130) + 0.5 * math.sin(self.clock.behind / 31)

    async def last_minute(self) -> None:
        """End with something of everything, so that the newest calls tell a story."""
        claude, codex, ci = (self.agents[name] for name in AGENTS)
        body = "The screws hold at 14 Nm: all benches pass."
        await claude.call("github_get_issue", issue_number=1, **WIDGETS)
        self.clock.move_on(PAUSE_S)
        await claude.call("create_comment", issue_number=1, body=body, **WIDGETS)
        self.clock.move_on(PAUSE_S)
        await codex.call("get_jira_issue", issue_key="WID-2")
        await self._trouble(codex)
        await codex.call("get_commentable_lines", pr_number=2, **WIDGETS)
        self.clock.move_on(PAUSE_S)
        await claude.call("list_comments", issue_number=1, **WIDGETS)
        # From here on the router and the servers agree about the time, as traces want it.
        self.clock.move_on(PAST_S)
        for _ in range(2):
            await ci.call("get_ci_status", pr_number=2, **WIDGETS)

    async def _trouble(self, codex: Agent) -> None:
        """Let a server fail until its breaker opens, and an agent ask for what is not there."""
        self.wiki.error = sick()
        for _ in range(4):
            self.clock.move_on(1)
            await codex.refused("search_wiki", query="torque")
        self.clock.move_on(PAUSE_S)
        await codex.refused("list_comments", issue_number=99, **WIDGETS)
        self.clock.move_on(PAUSE_S)

    async def _deed(self) -> None:
        (name,) = self.chance.choices(AGENTS, [5, 3, 2])
        (deed,) = self.chance.choices(list(DEEDS), list(DEEDS.values()))
        await deed(self.agents[name])


async def _reads_comments(one: Agent) -> None:
    await one.call("list_comments", issue_number=1, **WIDGETS)


async def _reads_the_wiki(one: Agent) -> None:
    await one.call("search_wiki", query="torque")


async def _looks_at_ci(one: Agent) -> None:
    await one.call("get_ci_status", pr_number=2, **WIDGETS)


async def _reads_an_issue(one: Agent) -> None:
    await one.call("get_jira_issue", issue_key="WID-2")


async def _reads_the_change(one: Agent) -> None:
    await one.call("get_commentable_lines", pr_number=2, **WIDGETS)


async def _misses(one: Agent) -> None:
    await one.refused("list_comments", issue_number=77, **WIDGETS)


async def _comments(one: Agent) -> None:
    await one.call("upsert_comment", issue_number=2, body="Working.", marker="work", **WIDGETS)


DEEDS: dict[Deed, float] = {
    _reads_comments: 9,
    _reads_the_wiki: 2,
    _looks_at_ci: 6,
    _reads_an_issue: 4,
    _reads_the_change: 4,
    _misses: 0.4,
    _comments: 1,
}
"""What an agent does, and how often compared to the others."""


@asynccontextmanager
async def team() -> AsyncIterator[Team]:
    """Run the demo's servers as `trunkline run` does, and the router some time ago."""
    clock, wiki = Hastening(), Mood()
    chance = random.Random(7)  # noqa: S311 - the same pictures each time, no secret
    on = listening.on_any_port()
    url = f"http://127.0.0.1:{listening.port_of(on)}"
    async with AsyncExitStack() as stack:
        wiki_url = await stack.enter_async_context(
            running(Scripted(answer=wiki, tools=[tool("search_wiki")]))
        )
        servers = await stack.enter_async_context(_hosted(url))
        settings = RouterSettings.model_validate({
            "server_urls": servers,
            "mesh_key": MESH_KEY,
            "github_repository": "acme/widgets",
        })
        others = {"wiki": {"url": f"{wiki_url}/mcp"}}
        around = Surroundings(
            clock=clock,
            configuration=Configuration.model_validate({"keys": KEYS, "servers": others}),
            store=in_process_store(clock),
        )
        catalog = await stack.enter_async_context(serving(settings, on, around))
        async with asyncio.timeout(40):
            await catalog.wait_sought()
        agents = {name: await stack.enter_async_context(agent(url, name)) for name in AGENTS}
        yield Team(url=url, clock=clock, agents=agents, wiki=wiki, chance=chance)


@asynccontextmanager
async def _hosted(router: str) -> AsyncIterator[dict[str, str]]:
    """Run the host process with the stand-ins; yields the servers' endpoints by id."""
    places = {
        name: Place(module=module, on=listening.on_any_port()) for name, module in MODULES.items()
    }
    stand_ins = {vendor: listening.on_any_port() for vendor in VENDORS}
    origins = {name: f"http://127.0.0.1:{listening.port_of(on)}" for name, on in stand_ins.items()}
    environment = host_environment(
        variables(), key=MESH_KEY, log_level="WARNING", traces_url=f"{router}/v1/traces"
    )
    plan = HostPlan(
        servers=places, environment=demo_environment(environment, origins), stand_ins=stand_ins
    )
    async with asyncio.TaskGroup() as tasks:
        keeping = tasks.create_task(Supervisor(plan=plan).keep_alive())
        try:
            yield {
                name: f"http://127.0.0.1:{listening.port_of(place.on)}/mcp"
                for name, place in places.items()
            }
        finally:
            keeping.cancel()
    for on in (*stand_ins.values(), *(place.on for place in places.values())):
        on.close()
