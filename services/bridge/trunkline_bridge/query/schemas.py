"""The JSON Schema that a structured answer must fit: read from its caller, and held against it.

Caller and model are both strangers here: a schema fetches nothing, its patterns run in linear
time, and a check has a bounded number of steps.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any

import orjson
from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import SchemaError, ValidationError
from jsonschema.validators import extend
from pydantic import Field, TypeAdapter
from pydantic import ValidationError as Unfit
from pydantic_core import SchemaError as Uncompilable
from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

from trunkline_bridge.query.patterns import refused
from trunkline_shared.errors import InvalidInput

LONGEST_BYTES = 32 * 1024
DEEPEST = 64
MOST_STEPS = 50_000
_REFERENCE_STEPS = 4
_SHOWN = 160
_FIELD = "options.jsonSchema"
_FIX = "Give a JSON Schema (2020-12) as an object, or as the JSON text of one."
_REFERENCES = frozenset({"$ref", "$dynamicRef"})

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Misfit:
    """Where a value does not fit, as a JSON path, and why."""

    path: str
    problem: str


def read_schema(given: Json | str | None) -> Json | None:
    """Return the schema, or None without one. Raises InvalidInput."""
    if given is None:
        return None
    schema = _parsed(given) if isinstance(given, str) else given
    _check_size(schema)
    try:
        Draft202012Validator.check_schema(dict(schema), format_checker=FormatChecker(formats=()))
    except SchemaError as error:
        raise _refused(f"is no valid JSON Schema at {error.json_path}: {_cut(error)}") from None
    except RecursionError:
        raise _refused("is nested too deeply") from None
    for key, value in _entries(schema):
        _check_entry(schema, key, value)
    return schema


def misfit(schema: Json, value: object) -> Misfit | None:
    """Return where a value does not fit the schema, or None when it does."""
    spent = [0]
    validator = _bounded(spent)(dict(schema), registry=Registry())
    try:
        error = next(validator.iter_errors(value), None)
    except (_TooMuch, RecursionError):
        return Misfit(path="$", problem="takes too many steps to check against the schema")
    except Unresolvable:
        return Misfit(path="$", problem="cannot be checked: a $ref of the schema leads nowhere")
    return None if error is None else Misfit(path=error.json_path[:_SHOWN], problem=_cut(error))


class _TooMuch(Exception):
    """A check has more steps than it may have."""


def _parsed(text: str) -> Json:
    try:
        schema = orjson.loads(text)
    except (orjson.JSONDecodeError, UnicodeEncodeError):
        raise _refused("is no JSON") from None
    if not isinstance(schema, dict):
        raise _refused("is the JSON text of something that is no object")
    return schema


def _check_size(schema: Json) -> None:
    try:
        size = len(orjson.dumps(dict(schema)))
    except (TypeError, RecursionError):
        # Nested beyond its serialiser, a number without bounds, or half of a character.
        raise _refused("cannot be written as JSON") from None
    if size > LONGEST_BYTES:
        raise _refused(f"has {size} bytes, more than {LONGEST_BYTES}")
    if depth_of(schema) > DEEPEST:
        raise _refused(f"is nested deeper than {DEEPEST}")


def depth_of(node: object) -> int:
    """Return how many levels a JSON value has."""
    level, depth = [node], 0
    while level:
        depth += 1
        level = [
            child
            for one in level
            if isinstance(one, dict | list)
            for child in (one.values() if isinstance(one, dict) else one)
        ]
    return depth


def _entries(node: object) -> Iterator[tuple[str, object]]:
    """Return every key with its value, at any depth."""
    if isinstance(node, dict):
        yield from node.items()
    if isinstance(node, dict | list):
        for child in node.values() if isinstance(node, dict) else node:
            yield from _entries(child)


def _check_entry(schema: Json, key: str, value: object) -> None:
    if key in _REFERENCES and isinstance(value, str):
        _check_reference(schema, key, value)
    patterns = [value] if key == "pattern" and isinstance(value, str) else []
    if key == "patternProperties" and isinstance(value, dict):
        patterns = list(value)
    for pattern in patterns:
        try:
            _linear(pattern)
        except Uncompilable:
            raise _refused(
                f"has the pattern {pattern[:_SHOWN]!r}, which does not run in linear time"
            ) from None


def _check_reference(schema: Json, key: str, value: str) -> None:
    if not value.startswith("#"):
        raise _refused(f"has the {key} {value[:_SHOWN]!r}: only its own parts, #/..., are followed")
    own = Registry().with_resource("", DRAFT202012.create_resource(dict(schema)))
    try:
        own.resolver().lookup(value)
    except Unresolvable:
        raise _refused(f"has the {key} {value[:_SHOWN]!r}, which leads nowhere") from None


@lru_cache(maxsize=256)
def _linear(pattern: str) -> TypeAdapter[str]:
    """Return what matches a pattern anywhere, by an engine that never backtracks."""
    return TypeAdapter(Annotated[str, Field(pattern=pattern)])


def _matches(pattern: str, text: str) -> bool:
    try:
        _linear(pattern).validate_python(text)
    except Unfit:
        return False
    return True


def _bounded(spent: list[int]) -> type[Draft202012Validator]:
    """Return a validator that counts its steps into `spent`, and that has patterns of our own."""

    def counted(check: Any, weight: Any) -> Any:
        def checked(validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[Any]:
            spent[0] += weight(instance)
            if spent[0] > MOST_STEPS:
                raise _TooMuch
            yield from check(validator, value, instance, schema) or ()

        return checked

    keywords = {**Draft202012Validator.VALIDATORS, **_PATTERNS}
    weighed = {name: counted(check, _weight_of(name)) for name, check in keywords.items()}
    bounded: type[Draft202012Validator] = extend(Draft202012Validator, weighed)  # type: ignore[no-untyped-call] # typed in part
    return bounded


def _weight_of(keyword: str) -> Any:
    """Return what a keyword's check costs: comparing all with all costs the square."""
    if keyword != "uniqueItems":
        cost = _REFERENCE_STEPS if keyword in _REFERENCES else 1
        return lambda _: cost
    return lambda instance: len(instance) ** 2 // 8 + 1 if isinstance(instance, list) else 1


def _pattern(_: Any, pattern: str, instance: Any, __: Any) -> Iterator[ValidationError]:
    if isinstance(instance, str) and not _matches(pattern, instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _pattern_properties(
    validator: Any,
    patterns: Mapping[str, Any],
    instance: Any,
    __: Any,
) -> Iterator[ValidationError]:
    if not isinstance(instance, dict):
        return
    for pattern, schema in patterns.items():
        for name, value in instance.items():
            if _matches(pattern, name):
                yield from validator.descend(value, schema, path=name, schema_path=pattern)


_PATTERNS = {"pattern": _pattern, "patternProperties": _pattern_properties}


def _cut(error: ValidationError | SchemaError) -> str:
    return error.message if len(error.message) <= _SHOWN else error.message[:_SHOWN] + "…"


def _refused(problem: str) -> InvalidInput:
    return refused(_FIELD, problem, _FIX)
