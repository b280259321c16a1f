"""What a tool's input schema declares, and the same schema without what a context sets."""

from collections.abc import Collection, Mapping
from typing import TypeGuard

from trunkline_router.context import Value
from trunkline_router.model import Json

_COMBINED = ("allOf", "anyOf", "oneOf")


def properties_of(definition: Json) -> Mapping[str, object]:
    """Return the parameters of a tool, from its definition."""
    schema = definition.get("inputSchema")
    declared = schema.get("properties") if _is_object(schema) else None
    return declared if _is_object(declared) else {}


def without(definition: Json, names: Collection[str]) -> Json:
    """Return a definition whose input schema has no longer the parameters `names`."""
    schema = definition.get("inputSchema")
    if not names or not _is_object(schema):
        return definition
    kept = {key: v for key, v in properties_of(definition).items() if key not in names}
    return definition | {"inputSchema": _unrequired(schema, names) | {"properties": kept}}


def typed(value: Value, schema: object) -> Value:
    """Return a value as its parameter wants it: a number as text where only text is taken."""
    types = _types(schema)
    return str(value) if "string" in types and not types & {"integer", "number"} else value


def _unrequired(schema: Json, names: Collection[str]) -> Json:
    loose = dict(schema)
    required = schema.get("required")
    if isinstance(required, list):
        loose["required"] = [name for name in required if name not in names]
        if not loose["required"]:
            del loose["required"]
    for key in _COMBINED:
        parts = schema.get(key)
        if isinstance(parts, list):
            loose[key] = [_unrequired(p, names) if _is_object(p) else p for p in parts]
    return loose


def _types(schema: object) -> set[object]:
    if not _is_object(schema):
        return set()
    named = schema.get("type")
    types: set[object] = {*named} if isinstance(named, list) else {named}
    for key in ("anyOf", "oneOf"):
        parts = schema.get(key)
        for part in parts if isinstance(parts, list) else ():
            types |= _types(part)
    return types


def _is_object(value: object) -> TypeGuard[Json]:
    return isinstance(value, dict)
