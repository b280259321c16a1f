"""Servers that are not well in a given way, and how the router takes it."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.interaction.mesh import Mesh
from tests.interaction.upstreams import Json, ok, result
from tests.interaction.wire import Reply, call_modern, failure, get
from trunkline_shared import wire
from trunkline_shared.clock import SystemClock
from trunkline_shared.errors import TrunklineError, UpstreamUnavailable


@dataclass(kw_only=True)
class Mood:
    """A server's answer, which a test changes: what it raises becomes a tool error.

    `held` keeps calls waiting until it is set; `begun` counts those that have come.
    """

    error: TrunklineError | None = None
    held: asyncio.Event | None = None
    begun: int = 0
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def __call__(self, http: web.Request, request: Json) -> web.StreamResponse:
        self.begun += 1
        async with self.changed:
            self.changed.notify_all()
        if self.held is not None:
            await self.held.wait()
        if self.error is not None:
            return result(request, wire.to_result(self.error))
        return await ok(http, request)

    async def seen(self, number: int) -> None:
        """Wait until so many calls have come."""
        async with self.changed:
            await self.changed.wait_for(lambda: self.begun >= number)


def sick() -> UpstreamUnavailable:
    """Return what a service answers whose vendor is down."""
    return UpstreamUnavailable("GitHub answered HTTP 502.")


def code(reply: Reply) -> str:
    """Return a call's error code, or ok."""
    return str(failure(reply)["error_code"]) if reply.result.get("isError") else "ok"


async def calls(mesh: Mesh, name: str, number: int) -> list[str]:
    """Call a tool so often, one after the other; returns the codes."""
    return [code(await call_modern(mesh.port, name)) for _ in range(number)]


async def standing(mesh: Mesh, server: str) -> Any:
    """Return a server's entry in `/status`."""
    return (await get(mesh.port, "/status")).json["servers"][server]


async def breaker(mesh: Mesh, server: str) -> Any:
    """Return a server's breaker in `/status`."""
    return (await standing(mesh, server))["breaker"]


async def until(mesh: Mesh, is_so: Callable[[Mapping[str, Any]], bool]) -> Any:
    """Ask for `/status` until it is so; returns it."""
    async with asyncio.timeout(10):
        while not is_so(status := (await get(mesh.port, "/status")).json):
            pass
        return status


async def until_state(mesh: Mesh, server: str, state: str) -> None:
    """Ask for `/status` until a server's breaker is in a state."""
    await until(mesh, lambda status: status["servers"][server]["breaker"]["state"] == state)


class Hurried(SystemClock):
    """The machine's clock for those who do not want to sleep as long as they say."""

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds / 20)
