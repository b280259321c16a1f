"""`key=value` words of a command line as a tool's arguments, read by its input schema."""

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TextIO

from trunkline_cli.failure import USAGE, CommandFailed, unknown

Schema = Mapping[str, Any]

_SNAKE = re.compile(r"_([a-z])")
_JSON_TYPES: Mapping[type, str] = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    str: "string",
    list: "array",
    dict: "object",
}
_WORDS: dict[str, object] = {"true": True, "false": False, "null": None}


def parsed(words: Iterable[str], schema: Schema, *, stdin: TextIO) -> dict[str, object]:
    """Return the arguments: numbers, booleans and JSON where the schema asks for them.

    `key=@path` is the content of a file, `key=-` all of `stdin`. Raises CommandFailed.
    """
    properties: Mapping[str, Schema] = schema.get("properties", {})
    arguments: dict[str, object] = {}
    for word in words:
        key, equals, text = word.partition("=")
        if not equals or not key:
            raise CommandFailed(f"argument {word!r}: write it as key=value", USAGE)
        name = _known(key, properties)
        if name in arguments:
            raise CommandFailed(f"argument {name!r} was given twice", USAGE)
        arguments[name] = _value(name, _content(name, text, stdin), properties[name], schema)
    missing = [name for name in schema.get("required", []) if name not in arguments]
    if missing:
        raise CommandFailed(f"missing: {' '.join(f'{name}=...' for name in missing)}", USAGE)
    return arguments


def _known(key: str, properties: Mapping[str, Schema]) -> str:
    """Return the parameter that a key means; snake_case stands for camelCase as well."""
    camel = _SNAKE.sub(lambda match: match.group(1).upper(), key)
    for name in (key, camel):
        if name in properties:
            return name
    raise unknown("argument", key, properties)


def _content(name: str, text: str, stdin: TextIO) -> str:
    if text == "-":
        return stdin.read()
    if not text.startswith("@"):
        return text
    try:
        return Path(text[1:]).expanduser().read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise CommandFailed(
            f"argument {name}={text}: the file cannot be read ({reason})", USAGE
        ) from None


def _value(name: str, text: str, declared: Schema, schema: Schema) -> object:
    types = _types(declared, schema)
    if not types or types == {"string"}:
        return text
    try:
        value = _WORDS[text.lower()] if text.lower() in _WORDS else json.loads(text)
    except ValueError:
        value = text
    if _fits(value, types):
        return value
    if "string" in types:
        return text
    wanted = " or ".join(sorted(types))
    raise CommandFailed(f"argument {name}={text}: the tool wants {wanted}", USAGE)


def _types(declared: Schema, schema: Schema) -> set[str]:
    """Return the JSON types that a parameter takes, through `$ref` and alternatives."""
    reference = declared.get("$ref")
    if isinstance(reference, str):
        target = schema.get("$defs", {}).get(reference.rpartition("/")[2], {})
        return _types(target, schema)
    own = declared.get("type", [])
    types = {own} if isinstance(own, str) else set(own)
    for alternative in (*declared.get("anyOf", ()), *declared.get("oneOf", ())):
        types |= _types(alternative, schema)
    if not types and "enum" in declared:
        types = {_type_of(value) for value in declared["enum"]}
    return types


def _fits(value: object, types: set[str]) -> bool:
    kind = _type_of(value)
    return kind in types or (kind == "integer" and "number" in types)


def _type_of(value: object) -> str:
    if isinstance(value, float):
        return "integer" if value.is_integer() else "number"
    return _JSON_TYPES[type(value)]
