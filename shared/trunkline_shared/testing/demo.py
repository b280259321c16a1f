"""`python -m trunkline_shared.testing.demo`: the demo's GitHub, Basecamp and Jira in a container.

They are reached by the container's name, at ports that never change; so lead the links in answers.
"""

import argparse
import asyncio
import signal
from collections.abc import Sequence
from contextlib import AsyncExitStack

from aiohttp import web

from trunkline_shared.testing import basecamp, github, jira
from trunkline_shared.testing.loopback import free_socket, named_socket

ENTERPRISE = "/api/v3"
"""Where a GitHub has its API that is not github.com, as its address tells."""
HEALTH, GITHUB, BASECAMP, JIRA, GITHUB_LOGS = 8480, 8481, 8482, 8483, 8484


async def serve(name: str) -> None:
    """Serve the demo's data until SIGINT or SIGTERM."""
    end = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, end.set)
    forge = github.GitHubStandIn(on=named_socket(name, GITHUB), mount=ENTERPRISE)
    forge.log_host.on = named_socket(name, GITHUB_LOGS)
    projects = basecamp.BasecampStandIn(on=named_socket(name, BASECAMP))
    tracker = jira.JiraStandIn(on=named_socket(name, JIRA))
    github.seed_demo(forge.state)
    basecamp.seed_demo(projects.state)
    jira.seed_demo(tracker.state)
    async with AsyncExitStack() as running:
        for stand_in in (forge, projects, tracker):
            await running.enter_async_context(stand_in)
        running.push_async_callback((await _healthy()).cleanup)
        await end.wait()


async def _healthy() -> web.AppRunner:
    """Answer the container's own probe, from now on."""

    async def answer(_: web.Request) -> web.Response:
        return web.json_response({"status": "ok"})

    app = web.Application()
    app.router.add_get("/healthz", answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.SockSite(runner, free_socket(HEALTH)).start()
    return runner


def main(argv: Sequence[str] | None = None) -> None:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(
        prog="python -m trunkline_shared.testing.demo",
        description="GitHub, Basecamp and Jira with the data of the demo; the token is demo-token.",
    )
    parser.add_argument("--name", default="demo", help="the name by which others reach it")
    asyncio.run(serve(parser.parse_args(argv).name))


if __name__ == "__main__":
    main()
