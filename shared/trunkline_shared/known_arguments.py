"""The arguments of a call as its tool knows them: spelled as declared, and none that it has not."""

import difflib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from mcp.server.mcpserver.tools import Tool

from trunkline_shared.errors import InvalidInput

_SNAKE = re.compile(r"_([a-z])")


def known_arguments(declared: Tool, given: Mapping[str, Any]) -> dict[str, Any]:
    """Accept the snake_case spelling of a camelCase parameter, and refuse what is no parameter.

    An argument that is silently dropped changes what a call means; only a null is no argument,
    where it need not be given and null is no value: models hand `next_cursor: null` back as it was.
    Raises InvalidInput.
    """
    properties: Mapping[str, Mapping[str, Any]] = declared.parameters.get("properties", {})
    known: dict[str, Any] = {}
    for name, value in given.items():
        camel = _SNAKE.sub(lambda m: m.group(1).upper(), name)
        target = name if name in properties else camel
        if target not in properties:
            raise _unknown_argument(declared.name, name, properties)
        if value is None and _stands_for_nothing(properties[target]):
            continue
        if target in known and known[target] != value:
            raise InvalidInput(
                f"{declared.name}: argument {target!r} was given twice, differently."
            )
        known[target] = value
    return known


def _stands_for_nothing(schema: Mapping[str, Any]) -> bool:
    """Whether null for an argument with this schema can only mean that it was not given."""
    forms: Sequence[Mapping[str, Any]] = schema.get("anyOf", (schema,))
    takes_null = any(one.get("type") == "null" or None in one.get("enum", ()) for one in forms)
    return "default" in schema and not takes_null


def _unknown_argument(tool: str, name: str, properties: Mapping[str, object]) -> InvalidInput:
    nearest = difflib.get_close_matches(name, properties, n=1)
    known = ", ".join(properties) or "none"
    return InvalidInput(
        f"{tool}: argument {name!r} is not an argument of this tool.",
        hint=f"Did you mean {nearest[0]!r}?" if nearest else f"Its arguments: {known}.",
        details={
            "field_errors": [
                {
                    "field": name,
                    "problem": "is not an argument of this tool",
                    "kind": "extra_forbidden",
                }
            ]
        },
    )
