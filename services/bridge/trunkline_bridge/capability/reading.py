"""Reading one server's lists into its entry; what the server wrote is sanitised."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson

from trunkline_bridge.capability.catalog import NamedEntry, ServerEntry, ToolEntry
from trunkline_shared.capabilities import summary
from trunkline_shared.errors import CircuitOpen, TrunklineError, UpstreamUnavailable
from trunkline_shared.mesh.answers import Json, is_object
from trunkline_shared.mesh.entrance import Entrance
from trunkline_shared.mesh.lists import Lists
from trunkline_shared.mesh.states import ServerState
from trunkline_shared.untrusted import sanitize

_LONGEST_NAME: Final = 500
_HINTS: Final = ("title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Which entries are wanted: those with all `words`, with schemas or without."""

    lists: Lists
    words: Sequence[str] = ()
    with_schemas: bool = False

    async def server(self, mesh: Entrance, name: str, state: ServerState) -> ServerEntry:
        """Return a server's entry; a failure to read it is part of it."""
        bare = ServerEntry(
            name=name,
            description=summary(state.description),
            available=state.admits,
            state=state.breaker.state,
            tools=(),
            **_trouble(name, state),
        )
        try:
            return bare.model_copy(update=await self._read(mesh.of_server(name), bare))
        except TrunklineError as error:
            told = {"error_code": error.code, "message": sanitize(error.message)}
            return bare.model_copy(update=told)

    async def _read(self, of: Entrance, bare: ServerEntry) -> dict[str, Any]:
        kinds: Sequence[tuple[str, str, str, Callable[[Json], ToolEntry | NamedEntry]]] = (
            ("tools", "tools/list", "tools", self._tool),
            ("resources", "resources/list", "resources", _named),
            ("templates", "resources/templates/list", "resourceTemplates", _named),
            ("prompts", "prompts/list", "prompts", _named),
        )
        found: dict[str, Any] = {}
        for kind, method, key, read in kinds:
            entries = [read(one) for one in await self.lists.every(of, method, key)]
            found[kind] = tuple(one for one in entries if self._is_wanted(one, bare))
        return found

    def _tool(self, one: Json) -> ToolEntry:
        hints, schema = one.get("annotations"), one.get("inputSchema")
        told = hints if is_object(hints) else {}
        return ToolEntry(
            name=_name(one.get("name")),
            description=summary(str(one.get("description") or "")),
            annotations=_clean({name: told[name] for name in _HINTS if name in told}),
            inputSchema=_clean(schema) if self.with_schemas and is_object(schema) else None,
        )

    def _is_wanted(self, entry: ToolEntry | NamedEntry, of: ServerEntry) -> bool:
        uri = entry.uri if isinstance(entry, NamedEntry) else ""
        text = f"{of.name} {entry.name} {uri} {entry.description}".casefold()
        return all(word in text for word in self.words)


def _named(one: Json) -> NamedEntry:
    return NamedEntry(
        name=_name(one.get("name")),
        uri=_name(one.get("uri") or one.get("uriTemplate")),
        description=summary(str(one.get("description") or "")),
    )


def _trouble(name: str, state: ServerState) -> dict[str, str]:
    """Return why calls do not reach a server, whose lists may be known from before."""
    if not state.admits:
        failures = state.breaker.consecutiveFailures
        return {"error_code": CircuitOpen.code, "message": f"{name} failed {failures} times."}
    if not state.available:
        return {"error_code": UpstreamUnavailable.code, "message": f"{name} does not answer."}
    return {}


def _name(given: object) -> str:
    return sanitize(str(given or ""))[:_LONGEST_NAME]


def _clean(value: Json) -> dict[str, Any]:
    cleaned: dict[str, Any] = orjson.loads(sanitize(orjson.dumps(value).decode()))
    return cleaned
