"""The demo's vendors, served inside the host process."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from trunkline_shared.testing import basecamp, github, jira


@asynccontextmanager
async def _github(on: socket.socket) -> AsyncIterator[None]:
    async with github.GitHubStandIn(on=on) as stand_in:
        github.seed_demo(stand_in.state)
        yield


@asynccontextmanager
async def _basecamp(on: socket.socket) -> AsyncIterator[None]:
    async with basecamp.BasecampStandIn(on=on) as stand_in:
        basecamp.seed_demo(stand_in.state)
        yield


@asynccontextmanager
async def _jira(on: socket.socket) -> AsyncIterator[None]:
    async with jira.JiraStandIn(on=on) as stand_in:
        jira.seed_demo(stand_in.state)
        yield


_STAND_INS: Mapping[str, Callable[[socket.socket], AbstractAsyncContextManager[None]]] = {
    "github": _github,
    "basecamp": _basecamp,
    "jira": _jira,
}


async def serve(vendor: str, on: socket.socket, end: asyncio.Event) -> None:
    """Serve the demo's data of a vendor on a listening socket until `end`."""
    async with _STAND_INS[vendor](on):
        await end.wait()
