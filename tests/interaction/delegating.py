"""Servers that call back through the router, and the tokens that let them."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from mcp.server.mcpserver import Context as McpContext
from pydantic import BaseModel

from tests.interaction.mesh import Mesh
from trunkline_router.access.job_tokens import PURPOSE, Grant, JobTokens
from trunkline_router.context import Context
from trunkline_shared import meta
from trunkline_shared.clock import Clock, SystemClock
from trunkline_shared.contracts import READ, Policy
from trunkline_shared.delegation import delegated
from trunkline_shared.errors import Unsupported
from trunkline_shared.http.client import open_http
from trunkline_shared.mesh.asking import Asking
from trunkline_shared.mesh.caller import MeshCaller
from trunkline_shared.server import ToolServer
from trunkline_shared.signing import SigningKeys, SigningSettings
from trunkline_shared.tool import tool, tools_of

SECRET = "a-secret-of-these-tests-alone"
SCOPES = frozenset({"tools"})


class Asked(BaseModel):
    """What came back from another server."""

    answer: dict[str, Any]


class Depth(BaseModel):
    """How many servers below asked each other."""

    below: int


@dataclass(frozen=True, kw_only=True)
class DelegateTools:
    """Tools of a server that asks others in its caller's name; `tokens` are those it was given."""

    caller: MeshCaller
    tokens: list[str] = field(default_factory=list)
    told: list[Mapping[str, Any]] = field(default_factory=list)

    @tool("Ask", READ, Policy(timeout_s=5))
    async def ask(self, name: str, arguments: dict[str, Any], context: McpContext) -> Asked:
        """Call another server's tool."""
        self._note(context)
        return Asked(answer=dict(await self.caller.call(name, arguments, 3)))

    @tool("Dive", READ, Policy(timeout_s=5))
    async def dive(self, context: McpContext) -> Depth:
        """Call this very tool, as deep as it goes."""
        self._note(context)
        try:
            below = await self.caller.call("dive", {}, 3)
        except Unsupported:
            return Depth(below=0)
        return Depth(below=1 + Depth.model_validate(below).below)

    def _note(self, context: McpContext) -> None:
        self.told.append(dict(context.request_context.meta or {}))
        given = delegated()
        if given is not None:
            self.tokens.append(given.token)


@asynccontextmanager
async def delegate() -> AsyncIterator[tuple[ToolServer, DelegateTools]]:
    """Open such a server; the router knows it as `twig`, which is marked for it."""
    async with open_http(SystemClock()) as http:
        tools = DelegateTools(
            caller=MeshCaller(asking=Asking(http=http, name="delegate", version="1"))
        )
        server = ToolServer("delegate", version="1", instructions="", tools=tools_of(tools))

        @server.resource("delegate://token")
        def token() -> str:
            return _token()

        @server.prompt()
        def say_token() -> str:
            return _token()

        yield server, tools


def _token() -> str:
    given = delegated()
    return "" if given is None else given.token


def tokens_of(mesh: Mesh, *, clock: Clock | None = None, secret: str = SECRET) -> JobTokens:
    """Return the tokens of a router that was given the secret."""
    keys = SigningKeys.of(SigningSettings.model_validate({"secret": secret}))
    return JobTokens(keys=keys.derived(PURPOSE), base=mesh.url, clock=clock or SystemClock())


def granted(*, seconds: float = 60, depth: int = 1, **bound: Any) -> Grant:
    """Return a grant that ends after some seconds and is bound to these."""
    return Grant(
        subject="local",
        scopes=SCOPES,
        context=Context.of(bound.items()),
        expires=SystemClock().now() + seconds,
        depth=depth,
    )


def delegation_of(params: Mapping[str, Any]) -> Any:
    """Return the delegation in the `_meta` of a request's params, if any."""
    return params["_meta"].get(meta.DELEGATION)
