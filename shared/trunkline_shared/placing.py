"""What the settings know, put into the tags that tools declare before any settings are read."""

from collections.abc import Iterable, Mapping
from typing import Any

from mcp.server.mcpserver.tools import Tool

from trunkline_shared import meta
from trunkline_shared.contracts import Policy


def placed(tools: Iterable[Tool], **known: str) -> list[Tool]:
    """Return the tools with each known value in the place of its `{name}` in their tags.

    An empty value is unknown: its place stays, and the tag widens to its parent.
    """
    values = {f"{{{name}}}": value for name, value in known.items() if value}
    return [_placed(tool, values) for tool in tools]


def _placed(tool: Tool, values: Mapping[str, str]) -> Tool:
    told: Mapping[str, Any] = tool.meta or {}
    policy = Policy.model_validate(told.get(meta.POLICY, {}))
    effects = {
        name: effect.model_copy(update={"tags": tuple(_filled(tag, values) for tag in effect.tags)})
        for name, effect in (("reads", policy.reads), ("writes", policy.writes))
        if effect is not None
    }
    filled = policy.model_copy(update=effects)
    return tool.model_copy(update={"meta": {**told, **filled.to_meta()}})


def _filled(tag: str, values: Mapping[str, str]) -> str:
    for place, value in values.items():
        tag = tag.replace(place, value)
    return tag
