"""The tools of a query as its model is offered them: definitions, read through the router."""

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mcp_types import Tool

from trunkline_bridge.query.patterns import ToolPattern
from trunkline_bridge.sampling.tool_names import name_for_model
from trunkline_shared.errors import InvalidInput
from trunkline_shared.mesh.answers import Json, is_object
from trunkline_shared.mesh.asking import Asking
from trunkline_shared.mesh.entrance import Entrance
from trunkline_shared.mesh.lists import Lists
from trunkline_shared.together import together
from trunkline_shared.untrusted import sanitize

LIST_S: Final = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedTool:
    """A server's tool, as a model is told of it; `reads` says that it changes nothing."""

    server: str
    tool: str
    definition: Tool
    reads: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedTools:
    """The tools of a query by the names that the model has for them."""

    by_name: Mapping[str, OfferedTool]

    @property
    def definitions(self) -> list[Tool]:
        """What the model is shown, in a stable order."""
        return [self.by_name[name].definition for name in sorted(self.by_name)]

    def named(self, name: str) -> OfferedTool:
        """Return the tool of that name. Raises InvalidInput, which names the nearest."""
        found = self.by_name.get(name)
        if found is not None:
            return found
        nearest = difflib.get_close_matches(name[:200], self.by_name, n=1)
        raise InvalidInput(
            f"There is no tool {name[:100]!r} here.",
            hint=f"Did you mean {nearest[0]!r}?" if nearest else "Use the tools that are offered.",
        )


async def offered_tools(
    asking: Asking, mesh: Entrance, patterns: Sequence[ToolPattern]
) -> OfferedTools:
    """Return those of the mesh's tools that the patterns name. Raises what `Asking.ask` does."""
    servers = tuple(dict.fromkeys(pattern.server for pattern in patterns))
    lists = Lists(asking=asking, page_s=LIST_S)
    async with together() as tasks:
        asked = [tasks.create_task(lists.tools(mesh.of_server(server))) for server in servers]
    return OfferedTools(
        by_name={
            tool.definition.name: tool
            for server, task in zip(servers, asked, strict=True)
            for tool in _wanted(server, task.result(), patterns)
        }
    )


def _wanted(
    server: str, listed: Mapping[str, Json], patterns: Sequence[ToolPattern]
) -> Iterator[OfferedTool]:
    for name, definition in listed.items():
        if any(pattern.matches(server, name) for pattern in patterns):
            yield _offered(server, name, definition)


def _offered(server: str, tool: str, definition: Json) -> OfferedTool:
    hints = definition.get("annotations")
    described = definition.get("description")
    return OfferedTool(
        server=server,
        tool=tool,
        definition=Tool(
            name=name_for_model(server, tool),
            description=sanitize(described) if isinstance(described, str) else None,
            input_schema=_schema(definition.get("inputSchema")),
        ),
        reads=is_object(hints) and hints.get("readOnlyHint") is True,
    )


def _schema(given: object) -> dict[str, Any]:
    """Return a schema of an object: a client that reads strictly takes no other."""
    schema = dict(given) if is_object(given) else {}
    return schema | {"type": "object"}
