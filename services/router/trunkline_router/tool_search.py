"""`search_tools` and `use_tool`: many tools behind two, for those whose lists would be too long."""

import asyncio
from dataclasses import dataclass, field, replace

import orjson
from mcp.shared.inbound import mcp_param_headers, x_mcp_header_map

from trunkline_router.catalogue.directory import Directory
from trunkline_router.catalogue.made_for_views import MadeForViews
from trunkline_router.catalogue.search_definitions import DEFAULT_LIMIT, MOST, SEARCH, USE
from trunkline_router.catalogue.tool_index import ToolIndex
from trunkline_router.catalogue.tool_schema import without
from trunkline_router.model import Json, Outcome, Request, ToolSpec
from trunkline_router.ports import Catalog
from trunkline_router.view import View
from trunkline_shared import meta
from trunkline_shared.errors import InvalidInput

_INDEXES = 16
_LONGEST = 800
OWN = "trunkline"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSearch:
    """Answers searches from an index of what the caller's view shows."""

    catalog: Catalog
    _indexes: MadeForViews[ToolIndex] = field(default_factory=lambda: MadeForViews(most=_INDEXES))

    async def found(self, request: Request) -> Outcome:
        """Answer `search_tools`. Raises InvalidInput."""
        arguments = _arguments(request)
        query, limit = arguments.get("query"), arguments.get("limit") or DEFAULT_LIMIT
        if not isinstance(query, str) or not query.strip():
            raise _invalid("query", "must be some words, such as 'failing checks'")
        if not isinstance(limit, int) or not 1 <= limit <= MOST:
            raise _invalid("limit", f"must be a whole number from 1 to {MOST}")
        directory = self.catalog.directory(request.view)
        index = await self._index(request.view, directory)
        tools = [directory.tools[name] for name in index.best(query, limit)]
        text = orjson.dumps(_answer(tools, directory)).decode()
        return Outcome(
            server=OWN,
            result={"content": [{"type": "text", "text": text}], "isError": False},
        )

    def opened(self, request: Request) -> Request:
        """Return the call that `use_tool` stands for; every other request as it is.

        Raises InvalidInput.
        """
        if request.target != USE:
            return request
        given = _arguments(request)
        name, arguments = given.get("name"), _object(given.get("arguments"))
        if not isinstance(name, str):
            raise _invalid("name", "must be a tool's name, as search_tools gives it")
        if name in {SEARCH, USE}:
            raise _invalid("name", f"is {name}, which is called directly")
        if arguments is None:
            raise _invalid("arguments", "must be an object, as the tool's input schema says")
        spec = self.catalog.directory(request.view).tools.get(name)
        return replace(
            request,
            params=request.params | {"name": name, "arguments": arguments},
            param_headers=_mirrored(spec, arguments),
        )

    async def _index(self, view: View, directory: Directory) -> ToolIndex:
        known = self._indexes.get(directory, view)
        if known is not None:
            return known
        index = await asyncio.to_thread(ToolIndex.of, directory.tools)
        return self._indexes.put(directory, view, index)


def _arguments(request: Request) -> Json:
    given = _object(request.params.get("arguments"))
    if given is None:
        raise _invalid("arguments", "must be an object")
    return given


def _object(value: object) -> Json | None:
    """Return an object, also one that came as its JSON text; None for anything else."""
    if value is None:
        return {}
    if isinstance(value, str):
        try:
            value = orjson.loads(value)
        except orjson.JSONDecodeError:
            return None
    return value if isinstance(value, dict) else None


def _mirrored(spec: ToolSpec | None, arguments: Json) -> tuple[tuple[str, str], ...]:
    if spec is None:
        return ()
    headers = x_mcp_header_map(spec.definition.get("inputSchema"))
    return tuple(mcp_param_headers(headers, arguments).items())


def _answer(tools: list[ToolSpec], directory: Directory) -> Json:
    answer: Json = {"tools": [_entry(spec) for spec in tools]}
    if not tools:
        servers = ", ".join(one.server for one in directory.listings)
        answer["hint"] = (
            f"None of {len(directory.tools)} tools matches; try other words. Servers: {servers}."
        )
    return answer


def _entry(spec: ToolSpec) -> Json:
    definition = without(spec.definition, spec.bound)
    description = str(definition.get("description", ""))
    entry: Json = {
        "name": spec.exposed,
        "description": description[:_LONGEST],
        "inputSchema": _untitled(definition.get("inputSchema")),
    }
    noted = definition.get("_meta")
    if isinstance(noted, dict) and meta.AVAILABILITY in noted:
        entry["available"] = False
    return entry


def _untitled(schema: object) -> object:
    """Return a schema without the titles that generators put everywhere: they say nothing new."""
    if isinstance(schema, list):
        return [_untitled(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: {name: _untitled(each) for name, each in value.items()}
        if key == "properties" and isinstance(value, dict)
        else _untitled(value)
        for key, value in schema.items()
        if key != "title" or not isinstance(value, str)
    }


def _invalid(field_name: str, problem: str) -> InvalidInput:
    return InvalidInput(
        f"{field_name} {problem}.",
        details={"field_errors": [{"field": field_name, "problem": problem, "kind": "value"}]},
    )
