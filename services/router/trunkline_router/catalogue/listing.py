"""Reading a server's answers to `server/discover` and the list methods; nothing is trusted."""

import hashlib
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import orjson
from mcp.shared.inbound import find_invalid_x_mcp_header, x_mcp_header_map
from pydantic import ValidationError

from trunkline_router.catalogue.directory import Listing
from trunkline_router.model import Json, ToolSpec
from trunkline_shared import meta
from trunkline_shared.contracts import Policy

log = logging.getLogger(__name__)

LISTS: Mapping[str, tuple[str, str]] = {
    "tools": ("tools/list", "tools"),
    "prompts": ("prompts/list", "prompts"),
    "resources": ("resources/list", "resources"),
    "resourceTemplates": ("resources/templates/list", "resources"),
}
"""Key of the items in a list result to its method and the capability that offers it."""
_AROUND = 16
"""The levels that any answer has around an entry, and some more."""

_ANNOUNCED: Mapping[str, str] = {
    "tools": "toolsListChanged",
    "prompts": "promptsListChanged",
    "resources": "resourcesListChanged",
}
"""Capability to what a listener asks for to hear of its changes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What a server said of itself: to `server/discover`, and each list as its pages."""

    discovered: Json
    lists: Mapping[str, Sequence[Json]]


def read_listing(
    server: str, discovered: Json, lists: Mapping[str, Sequence[Json]], received: float
) -> Listing:
    """Build a Listing from complete, paged-through answers.

    Each list is the pages of one method. `received` is monotonic seconds.
    """
    pages = [discovered, *(page for each in lists.values() for page in each)]
    instructions = discovered.get("instructions")
    return Listing(
        server=server,
        tools=tuple(_tools(server, _items(lists, "tools", "name"))),
        prompts=tuple(_items(lists, "prompts", "name")),
        resources=tuple(_items(lists, "resources", "uri")),
        templates=tuple(_items(lists, "resourceTemplates", "uriTemplate")),
        announces=_announced(discovered),
        completes="completions" in _mapping(discovered.get("capabilities")),
        instructions=instructions if isinstance(instructions, str) else "",
        server_info=_mapping(_mapping(discovered.get("_meta")).get(meta.SERVER_INFO)),
        expires=received + min(_ttl_s(page) for page in pages),
        public=all(page.get("cacheScope") == "public" for page in pages),
    )


def offered(discovered: Json) -> list[str]:
    """Return the list keys that a server's capabilities promise."""
    capabilities = _mapping(discovered.get("capabilities"))
    return [key for key, (_, capability) in LISTS.items() if capability in capabilities]


def _announced(discovered: Json) -> tuple[str, ...]:
    capabilities = _mapping(discovered.get("capabilities"))
    return tuple(
        kind
        for capability, kind in _ANNOUNCED.items()
        if _mapping(capabilities.get(capability)).get("listChanged") is True
    )


def _mapping(value: object) -> Json:
    return value if isinstance(value, dict) else {}


def _items(lists: Mapping[str, Sequence[Json]], key: str, identity: str) -> Iterable[Json]:
    seen: set[str] = set()
    for page in lists.get(key, ()):
        found = page.get(key)
        for item in found if isinstance(found, list) else ():
            name = item.get(identity) if isinstance(item, dict) else None
            if not isinstance(name, str) or not isinstance(item.get("name"), str):
                continue
            if name not in seen and _writable(item):
                seen.add(name)
                yield item


def _writable(item: Json) -> bool:
    """Say whether an entry can be sent on: one nested without end must not spoil the list."""
    within: object = item
    for _ in range(_AROUND):
        within = [within]
    try:
        orjson.dumps(within)
    except TypeError:
        return False
    return True


def _ttl_s(page: Json) -> float:
    ttl = page.get("ttlMs")
    return max(ttl, 0) / 1000 if isinstance(ttl, int | float) else 0.0


def _tools(server: str, definitions: Iterable[Json]) -> Iterable[ToolSpec]:
    for definition in definitions:
        fault = find_invalid_x_mcp_header(definition.get("inputSchema"))
        if fault is not None:
            # The protocol asks a client to drop such a tool: its headers could not be trusted.
            log.warning("tool %s.%s is left out: %s", server, definition["name"], fault)
            continue
        yield _tool(server, definition)


def _tool(server: str, definition: Json) -> ToolSpec:
    name = str(definition["name"])
    policy = _policy(server, definition)
    read_only = _mapping(definition.get("annotations")).get("readOnlyHint") is True
    return ToolSpec(
        exposed=name,
        name=name,
        server=server,
        definition=definition,
        policy=policy,
        read_only=read_only,
        digest=digest_of(definition, policy),
        mirrors=bool(x_mcp_header_map(definition.get("inputSchema"))),
    )


def digest_of(definition: Json, policy: Policy) -> str:
    """Return what identifies a tool's schemas and its policy."""
    identity = [definition.get("inputSchema"), definition.get("outputSchema"), policy.to_meta()]
    return hashlib.sha256(orjson.dumps(identity, option=orjson.OPT_SORT_KEYS)).hexdigest()


def _policy(server: str, definition: Json) -> Policy:
    try:
        return Policy.model_validate(_mapping(definition.get("_meta")).get(meta.POLICY, {}))
    except ValidationError as error:
        log.warning("policy of %s.%s is not used: %s", server, definition["name"], error)
        return Policy()
