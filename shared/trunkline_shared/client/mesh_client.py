"""The mesh for a program: its tools, its agents, and how its servers stand."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from importlib.metadata import version
from typing import Final, Self, Unpack

from mcp_types import ListToolsResult, Tool

from trunkline_shared.client.entry import checked_base, checked_server, checked_token
from trunkline_shared.client.job_token import PAGE, PAGE_S, job_token
from trunkline_shared.client.queries import (
    QueryOptions,
    QueryResult,
    query_arguments,
    query_seconds,
)
from trunkline_shared.client.standing import Availability, availability
from trunkline_shared.client.tool_result import ToolResult, read, tool_result
from trunkline_shared.client.work import WorkContext
from trunkline_shared.clock import SystemClock
from trunkline_shared.errors import (
    NetworkError,
    TrunklineError,
    UpstreamTimeout,
    UpstreamUnavailable,
)
from trunkline_shared.http.client import open_http
from trunkline_shared.mesh.asking import CALL, Asking
from trunkline_shared.mesh.context_text import block, lines_of
from trunkline_shared.mesh.entrance import Entrance
from trunkline_shared.mesh.hearing import Told
from trunkline_shared.mesh.lists import Lists
from trunkline_shared.mesh.states import BreakerState, MeshStates, ServerState

BRIDGE: Final = "bridge"
LIST_S: Final = 30.0
CALL_S: Final = 60.0

OnTurn = Callable[[int, str], Awaitable[None]]
"""Hears of each turn of a run: its number, and what happens in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeshClient:
    """One caller of the mesh.

    It repeats nothing: an error says with `retryable` whether the same call may be made again,
    and with `details.may_have_happened` that nobody knows what came of it. Every method raises
    TrunklineError; a cancelled one gives its request up, and the mesh ends what it was about.
    `expires_at` is the end of a narrowed client's token.
    """

    asking: Asking = field(repr=False)
    entrance: Entrance
    expires_at: datetime | None = None

    @classmethod
    @asynccontextmanager
    async def connect(
        cls, url: str, *, token: str | None = None, name: str = "orchestrator"
    ) -> AsyncIterator[Self]:
        """Open a client of the router at `url`; its connections end with the block.

        `name` is what the mesh calls the program. Raises ValueError for a URL or token that is
        none.
        """
        entrance = Entrance(
            url=f"{checked_base(url)}/mcp", token=None if token is None else checked_token(token)
        )
        async with open_http(SystemClock()) as http:
            asking = Asking(http=http, name=name, version=version("trunkline-shared"))
            yield cls(asking=asking, entrance=entrance)

    async def query_mcp(
        self,
        prompt: str,
        tools: Sequence[str],
        *,
        on_turn: OnTurn | None = None,
        **options: Unpack[QueryOptions],
    ) -> QueryResult:
        """Run an agent on a prompt with no tools but these (`mcp__server__tool`, `mcp__server__*`).

        Raises what the tool `query_mcp` does: InvalidInput, Unsupported without a runner,
        CircuitOpen, Overloaded, UpstreamTimeout, UpstreamUnavailable.
        """
        result = await self._called(
            self.entrance.of_server(BRIDGE),
            {"name": "query_mcp", "arguments": query_arguments(prompt, tools, options)},
            query_seconds(options),
            None if on_turn is None else _turns(on_turn),
        )
        answer = tool_result("query_mcp", result)
        return read("query_mcp", answer.structured, QueryResult)

    async def call_tool(
        self,
        name: str,
        arguments: Mapping[str, object] | None = None,
        *,
        server: str | None = None,
        timeout_s: float = CALL_S,
    ) -> ToolResult:
        """Call a tool once, by its name in the mesh or by its own name on a server.

        Raises the error that the tool answers, with its code, `retryable`, `retry_after` and
        `details`; Unsupported for what this caller does not have.
        """
        to = self._to(server)
        params = {"name": name, "arguments": dict(arguments or {})}
        return tool_result(name, await self._called(to, params, timeout_s))

    async def list_tools(self, server: str | None = None) -> tuple[Tool, ...]:
        """Return the tools that this caller may use, of all servers or of one."""
        lists = Lists(asking=self.asking, page_s=LIST_S)
        found = await lists.every(self._to(server), "tools/list", "tools")
        return tuple(read("tools/list", {"tools": found}, ListToolsResult).tools)

    async def is_server_available(self, name: str) -> Availability:
        """Return whether calls to a server are let through now; an unknown one counts as available.

        The router itself answers this and the next two, so they do without the bridge.
        """
        return availability(await self._states(), name)

    async def get_circuit_breaker_states(self) -> Mapping[str, BreakerState]:
        """Return the breaker of each server that this caller may use, by the server's id."""
        return {server: state.breaker for server, state in (await self._states()).items()}

    async def format_for_context(self, max_chars: int = 4000) -> str:
        """Return a block of text for a prompt: which servers there are, and which are disabled."""
        return block("query_mcp", lines_of(await self._states()), max_chars)[0]

    async def work_context(
        self,
        branch: str | None = None,
        *,
        owner: str | None = None,
        repo: str | None = None,
        max_tokens: int | None = None,
    ) -> WorkContext:
        """Return all about a branch, or about the one that is checked out where the mesh runs.

        Raises what the tool `get_work_context` does: BranchNotFound, InvalidInput where nothing
        tells which branch is meant, BlockedByPolicy.
        """
        wanted = {"branch": branch, "owner": owner, "repo": repo, "max_tokens": max_tokens}
        arguments = {name: value for name, value in wanted.items() if value is not None}
        params = {"name": "get_work_context", "arguments": arguments}
        to = self.entrance.of_server(BRIDGE)
        answer = tool_result("get_work_context", await self.asking.ask(to, CALL, params, CALL_S))
        return read("get_work_context", answer.structured, WorkContext)

    async def context(
        self,
        *,
        bind: Mapping[str, str | int] | None = None,
        tools: Sequence[str] | None = None,
        ttl_s: float | None = None,
    ) -> Self:
        """Return a client for one job, which may do less: bound arguments, fewer tools, an end.

        It lives as long as this one's block. Raises InvalidInput, and PermissionDenied for what
        this caller may not hand on.
        """
        wanted: dict[str, object] = {"bind": dict(bind or {})}
        wanted |= {} if tools is None else {"tools": list(tools)}
        wanted |= {} if ttl_s is None else {"ttl_s": ttl_s}
        minted = job_token(*await self.asking.page(self.entrance, PAGE, PAGE_S, wanted))
        narrower = replace(self.entrance, token=minted.token)
        return replace(self, entrance=narrower, expires_at=minted.expires_at)

    def _to(self, server: str | None) -> Entrance:
        return self.entrance if server is None else self.entrance.of_server(checked_server(server))

    async def _states(self) -> Mapping[str, ServerState]:
        return await MeshStates(asking=self.asking).read(self.entrance)

    async def _called(
        self,
        to: Entrance,
        params: Mapping[str, object],
        timeout_s: float,
        told: Told | None = None,
    ) -> Mapping[str, object]:
        try:
            return await self.asking.ask(to, CALL, params, timeout_s, told)
        except (NetworkError, UpstreamTimeout, UpstreamUnavailable) as error:
            raise _doubtful(error) from None


def _doubtful(error: TrunklineError) -> TrunklineError:
    """Return the failure of a call on its way; one that may have arrived is not to be repeated."""
    if error.details.get("phase") != "exchange":
        return error
    return type(error)(
        error.message,
        hint="Look whether it has happened before you call again.",
        retryable=False,
        details={**error.details, "may_have_happened": True},
    )


def _turns(on_turn: OnTurn) -> Told:
    async def told(progress: float, _: float | None, message: str) -> None:
        await on_turn(int(progress), message)

    return told
