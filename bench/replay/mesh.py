"""GitHub's stand-in, its four servers and a router before them, all at one simulated clock."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
    contextmanager,
)
from dataclasses import dataclass
from pathlib import Path

from bench.replay.simulated_clock import SimulatedClock
from bench.replay.workload import BENCHES, FILES
from trunkline_ci_status.app import open_server as open_ci
from trunkline_ci_status.settings import CiStatusSettings
from trunkline_comment.app import open_server as open_comments
from trunkline_comment.settings import CommentSettings
from trunkline_inline_review.app import open_server as open_reviews
from trunkline_inline_review.settings import InlineReviewSettings
from trunkline_issues.app import open_server as open_issues
from trunkline_issues.settings import IssuesSettings
from trunkline_router.composition.plan import Surroundings
from trunkline_router.composition.router import serving as routing
from trunkline_router.configuration.entries import Configuration
from trunkline_router.configuration.settings import RouterSettings
from trunkline_shared.server import ToolServer
from trunkline_shared.settings import Settings, load
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing.github import ChangedFile, Demo, GitHubStandIn, seed_demo
from trunkline_shared.testing.serving import address, free_socket, serving

Open = Callable[..., AbstractAsyncContextManager[ToolServer]]
SERVERS: Mapping[str, tuple[Open, type[Settings]]] = {
    "github_comment": (open_comments, CommentSettings),
    "github_inline_comment": (open_reviews, InlineReviewSettings),
    "github_ci": (open_ci, CiStatusSettings),
    "github": (open_issues, IssuesSettings),
}
_WEBHOOK = "known-to-the-stand-in-alone"


@dataclass(frozen=True, kw_only=True)
class ReplayMesh:
    """What is running; `hooked` says that GitHub tells the router of changes."""

    github: GitHubStandIn
    demo: Demo
    clock: SimulatedClock
    url: str
    hooked: bool


def _enlarge(demo: Demo) -> None:
    """Give the pull request all files of the workload, and checks that have not ended."""
    assert demo.pull.pull is not None
    files = demo.pull.pull.files
    known = {file.path for file in files}
    text = "".join(f"PART_{n} = {n}\n" for n in range(40))
    files += [ChangedFile(path=path, after=text) for path in FILES if path not in known]
    for bench in BENCHES:
        demo.repository.ci.add_status(demo.pull.pull.head_sha, bench, "pending")


@contextmanager
def _netrc(password: str) -> Iterator[Path]:
    """Write the token where the servers look for it that have none in their environment."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8") as file:
        file.write(f"machine 127.0.0.1 login demo password {password}\n")
        file.flush()
        yield Path(file.name)


@asynccontextmanager
async def replay_mesh(*, cached: bool, hooked: bool) -> AsyncIterator[ReplayMesh]:
    """Run the mesh for the length of the block."""
    clock = SimulatedClock()
    async with AsyncExitStack() as running:
        github = await running.enter_async_context(GitHubStandIn(clock=clock))
        demo = seed_demo(github.state)
        _enlarge(demo)
        given = {
            "github_api_url": github.url,
            "github_write_interval_s": 0,
            "toolsets": "all",
            "NETRC": running.enter_context(_netrc(demo.token.secret)),
        }
        urls: dict[str, str] = {}
        store = in_process_store(clock)
        for id_, (open_server, kind) in SERVERS.items():
            opened = open_server(load(kind, given), store, clock)
            server = await running.enter_async_context(opened)
            urls[id_] = f"{await running.enter_async_context(serving(server))}/mcp"
        on = free_socket()
        settings = load(
            RouterSettings,
            {"server_urls": urls, "github_webhook_secret": _WEBHOOK if hooked else ""},
        )
        configuration = Configuration.model_validate({"router": {"cache": {"enabled": cached}}})
        around = Surroundings(
            clock=clock, configuration=configuration, store=in_process_store(clock)
        )
        catalog = await running.enter_async_context(routing(settings, on, around))
        async with asyncio.timeout(20):
            await catalog.wait_sought()
        url = address(on)
        if hooked:
            github.webhooks.deliver_to(f"{url}/webhooks/github", _WEBHOOK)
            await github.webhooks.delivered()
        yield ReplayMesh(github=github, demo=demo, clock=clock, url=url, hooked=hooked)
