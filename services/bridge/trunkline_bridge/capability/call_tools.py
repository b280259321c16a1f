"""The tool that calls any tool of any server, once, and passes its answer on."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any, Final

import orjson
from mcp_types import CallToolResult
from pydantic import Field

from trunkline_bridge.capability.context_text import MESH_TOOLSET
from trunkline_bridge.capability.passing import PassedOn, Sender, passed_on
from trunkline_bridge.capability.servers import known_server, unknown
from trunkline_shared import wire
from trunkline_shared.contracts import Effect, Policy, Writes
from trunkline_shared.errors import (
    InvalidInput,
    NetworkError,
    TrunklineError,
    Unsupported,
    UpstreamTimeout,
    UpstreamUnavailable,
)
from trunkline_shared.mesh.answers import Json, is_object
from trunkline_shared.mesh.asking import CALL
from trunkline_shared.mesh.caller import entrance
from trunkline_shared.mesh.entrance import Entrance
from trunkline_shared.mesh.lists import Lists
from trunkline_shared.mesh.states import BreakerState, MeshStates
from trunkline_shared.progress import report
from trunkline_shared.tool import tool

ANYTHING: Final = Effect(read_only=False, destructive=True, idempotent=False)
"""The worst that a tool somewhere may do."""
POLICY: Final = Policy(
    toolset=MESH_TOOLSET,
    writes=Writes(tags=()),
    timeout_s=610,
    waits=True,
    # It is asked with the caller's own bindings: nothing beside them is reached.
    enforces=("pr_number", "issue_number"),
)
LONGEST_MS: Final = 600_000
_KEYS: Final = ("idempotency_key", "idempotencyKey")


def _must_be_json(tool: str, arguments: Mapping[str, Any]) -> None:
    try:
        orjson.dumps([tool, arguments])
    except TypeError:
        raise InvalidInput(
            "The tool's name or its arguments hold half a character, a number beyond 64 bits, or "
            "too many levels: they cannot be sent.",
            hint="Send whole characters, and large numbers as strings.",
        ) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallTools:
    """Enters the router at the one server, where the tool has its own name."""

    lists: Lists
    states: MeshStates

    @tool("Call a tool of a server", ANYTHING, POLICY)
    async def call_tool(
        self,
        server: Annotated[str, Field(min_length=1, max_length=100)],
        tool: Annotated[str, Field(description="The server's own name for it")],
        arguments: dict[str, Any] = {},  # noqa: B006 - the SDK reads the default, nobody changes it
        timeout_ms: Annotated[int, Field(ge=1, le=LONGEST_MS)] = 60_000,
        idempotency_key: Annotated[
            str, Field(max_length=200, description="Only for tools that take one")
        ] = "",
    ) -> Annotated[CallToolResult, PassedOn]:
        """Call any tool of any server of the mesh, once; its result comes back as it is.

        With the server's breaker after the call. See list_capabilities for names and schemas.
        """
        mesh = entrance("call_tool")
        _must_be_json(tool, arguments)
        known_server(await self.states.read(mesh), server)
        to = mesh.of_server(server)
        given = await self._with_key(to, tool, arguments, idempotency_key)
        result = await self._result(to, tool, given, timeout_ms / 1000)
        return passed_on(result, Sender(server=server, breaker=await self._breaker(mesh, server)))

    async def _result(self, to: Entrance, tool: str, given: Json, timeout_s: float) -> Json:
        """Return the tool's result, failures included. Raises InvalidInput for an unknown tool."""
        params = {"name": tool, "arguments": dict(given)}
        try:
            return await self.lists.asking.ask(to, CALL, params, timeout_s, report)
        except Unsupported as error:
            return wire.to_result(await self._refused(to, tool, error))
        except (UpstreamTimeout, NetworkError, UpstreamUnavailable) as error:
            return wire.to_result(await self._cut_off(to, tool, error))
        except TrunklineError as error:
            return wire.to_result(error)

    async def _refused(self, to: Entrance, tool: str, error: Unsupported) -> TrunklineError:
        """Return what a refusal of the protocol's means: it is the same for a bad argument."""
        try:
            known = await self.lists.tools(to)
        except TrunklineError:
            return error
        if tool not in known:
            raise unknown("tool", "tool", tool, known)
        return InvalidInput(error.message, hint="See its schema with list_capabilities.")

    async def _cut_off(self, to: Entrance, tool: str, error: TrunklineError) -> TrunklineError:
        """Say of a call whose end nobody saw that it may have happened, unless it only reads."""
        if error.details.get("phase") != "exchange" or await self._only_reads(to, tool):
            return error
        return type(error)(
            error.message,
            hint="Look whether it took effect before calling again.",
            retryable=False,
            details={"may_have_happened": True},
        )

    async def _only_reads(self, to: Entrance, tool: str) -> bool:
        with suppress(TrunklineError):
            hints = (await self.lists.tools(to)).get(tool, {}).get("annotations")
            return is_object(hints) and hints.get("readOnlyHint") is True
        return False

    async def _with_key(
        self, to: Entrance, tool: str, arguments: Mapping[str, Any], key: str
    ) -> Mapping[str, Any]:
        """Return the arguments with the key. Raises InvalidInput for a tool that takes none."""
        if not key:
            return arguments
        known = await self.lists.tools(to)
        if tool not in known:
            raise unknown("tool", "tool", tool, known)
        schema = known[tool].get("inputSchema")
        declared = schema.get("properties") if is_object(schema) else None
        name = next((one for one in _KEYS if is_object(declared) and one in declared), None)
        if name is None:
            raise InvalidInput(
                f"Tool {tool!r} declares no idempotency_key.",
                hint="Leave idempotency_key out; look before you repeat a call.",
            )
        if arguments.get(name, key) != key:
            raise InvalidInput(f"{name} was given twice, differently.")
        return {**arguments, name: key}

    async def _breaker(self, mesh: Entrance, server: str) -> BreakerState | None:
        with suppress(TrunklineError):
            state = (await self.states.read(mesh)).get(server)
            return None if state is None else state.breaker
        return None
