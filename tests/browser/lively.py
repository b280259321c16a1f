"""A small mesh in process where something of everything happens, quick to start and to change."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from tests.browser.worlds import AGENTS, KEYS, Agent, agent
from tests.interaction.guarding import Mood, sick
from tests.interaction.mesh import Mesh, routing
from tests.interaction.upstreams import Scripted, running, tool
from trunkline_shared.contracts import READ, WRITE, Policy, Reads, Writes
from trunkline_shared.errors import NotFound
from trunkline_shared.server import ToolServer
from trunkline_shared.testing.serving import serving
from trunkline_shared.tool import tool as declared
from trunkline_shared.tool import tools_of

NOTES = "basecamp"
"""The server of the notes goes by the name of one of the mesh's own: its declarations count."""


class Page(BaseModel):
    """A page of notes."""

    title: str
    text: str


@dataclass(frozen=True)
class NoteTools:
    """Pages that are read and written."""

    pages: dict[str, str] = field(default_factory=lambda: {"plan": "Tighten the screws."})

    @declared("Read a page", READ, Policy(reads=Reads(ttl_s=60, tags=("notes:{title}",))))
    async def read_page(
        self,
        title: Annotated[str, Field(description="Which page.", min_length=1, max_length=200)],
        depth: Annotated[int, Field(description="How far links are followed.", ge=1, le=5)] = 1,
        form: Literal["text", "outline"] = "text",
    ) -> Page:
        """Return a page of the notes."""
        if title not in self.pages:
            raise NotFound(f"There is no page {title!r}.", hint="Try 'plan'.")
        return Page(title=title, text=self.pages[title])

    @declared("Write a page", WRITE, Policy(writes=Writes(tags=("notes:{title}",))))
    async def write_page(self, title: str, text: str) -> Page:
        """Replace a page of the notes."""
        self.pages[title] = text
        return Page(title=title, text=text)


@dataclass(frozen=True, kw_only=True)
class Lively:
    """The mesh, who works with it, and the mood of the server that may fail."""

    mesh: Mesh
    agents: dict[str, Agent]
    wiki: Mood
    notes: NoteTools

    @property
    def url(self) -> str:
        return self.mesh.url

    async def work(self) -> None:
        """Let something of everything happen: a read, a hit, a miss, a write, an open breaker."""
        claude, codex, _ = (self.agents[name] for name in AGENTS)
        await claude.call("read_page", title="plan")
        await codex.call("read_page", title="plan")
        await codex.refused("read_page", title="nowhere")
        await claude.call("write_page", title="log", text="Measured 14 Nm.")
        await self.fail_wiki()

    async def fail_wiki(self) -> None:
        """Let a server fail until its breaker opens."""
        self.wiki.error = sick()
        for _ in range(4):
            await self.agents["codex"].refused("search_wiki")


@asynccontextmanager
async def lively() -> AsyncIterator[Lively]:
    """Run the mesh with an agent for each name."""
    wiki, notes = Mood(), NoteTools()
    server = ToolServer(NOTES, version="1", instructions="Notes.", tools=tools_of(notes))
    async with AsyncExitStack() as stack:
        other = Scripted(answer=wiki, tools=[tool("search_wiki")])
        urls = {
            NOTES: await stack.enter_async_context(serving(server)),
            "wiki": await stack.enter_async_context(running(other)),
        }
        mesh = await stack.enter_async_context(routing(urls, configured={"keys": KEYS}))
        agents = {name: await stack.enter_async_context(agent(mesh.url, name)) for name in AGENTS}
        yield Lively(mesh=mesh, agents=agents, wiki=wiki, notes=notes)
