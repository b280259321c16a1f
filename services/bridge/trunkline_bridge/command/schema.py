"""JSON Schema as `claude --json-schema` takes it: the arguments of a tool, so always an object."""

from collections.abc import Mapping
from typing import Any, Final

Json = Mapping[str, Any]
_ANSWER: Final = "answer"
_DEFINITIONS: Final = ("$defs", "definitions")


def asked_for(schema: Json) -> Json:
    """Return what to ask for in order to be given what fits the schema.

    What is no object for certain becomes the one property of an object; definitions stay where
    references look for them.
    """
    if schema.get("type") == "object":
        return schema
    return {
        "type": "object",
        "properties": {_ANSWER: schema},
        "required": [_ANSWER],
        "additionalProperties": False,
        **{name: schema[name] for name in _DEFINITIONS if name in schema},
    }


def is_wrapped(schema: Json | None) -> bool:
    """Say whether the answer comes as the one property of an object."""
    return schema is not None and asked_for(schema) is not schema


def unwrapped(given: Any) -> Any:
    """Return the answer that came so."""
    return given.get(_ANSWER) if isinstance(given, dict) else given
