"""Calls of a tool that together touch each of its arguments, made from its schema."""

from collections.abc import Iterator, Mapping
from typing import Any

from mcp_types import Tool

TEXTS = {"date": "2023-10-20", "date-time": "2023-10-01T00:00:00Z"}

Arguments = dict[str, object]


def calls_of(tool: Tool, known: Mapping[str, object]) -> Iterator[Arguments]:
    """Yield arguments: the required ones alone, then with each value of each other one.

    `known` holds the values of arguments that mean something, such as ids.
    """
    properties: Mapping[str, Mapping[str, Any]] = tool.input_schema["properties"]
    required = {
        name: next(_values(name, properties[name], known))
        for name in tool.input_schema.get("required", [])
    }
    yield required
    for name, schema in properties.items():
        for value in _values(name, schema, known):
            if required.get(name) != value:
                yield {**required, name: value}


def _values(name: str, schema: Mapping[str, Any], known: Mapping[str, object]) -> Iterator[object]:
    if name in known:
        yield known[name]
        return
    if "anyOf" in schema:
        schema = schema["anyOf"][0]
    if "enum" in schema:
        yield from schema["enum"]
    elif schema["type"] == "array":
        yield [next(_values(name, schema["items"], known))]
    elif schema["type"] == "boolean":
        yield from (True, False)
    elif schema["type"] == "integer":
        yield 2
    else:
        yield TEXTS.get(schema.get("format", ""), "launch")
