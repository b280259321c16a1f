"""The demo's GitHub, served inside the host process."""

import asyncio
import socket

from trunkline_shared.testing.github import GitHubStandIn
from trunkline_shared.testing.github.demo import seed_demo


async def serve_stand_in(on: socket.socket, end: asyncio.Event) -> None:
    """Serve the demo's data on a listening socket until `end`."""
    async with GitHubStandIn(on=on) as github:
        seed_demo(github.state)
        await end.wait()
