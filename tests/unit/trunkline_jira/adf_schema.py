"""Atlassian's own schema of its documents: what is one, and which types there are."""

import gzip
from collections.abc import Iterator, Mapping
from functools import cache

import orjson
from jsonschema import Draft4Validator, ValidationError, validators

from tests.samples import ADF_SCHEMA

FULL, STAGE_0 = "full", "stage-0"


@cache
def schemas() -> Mapping[str, Mapping[str, Mapping[str, Mapping[str, object]]]]:
    """Both schemas: what everybody may write, and that with what is still tried out."""
    with gzip.open(ADF_SCHEMA) as packed:
        read: dict[str, Mapping[str, Mapping[str, Mapping[str, object]]]] = orjson.loads(
            packed.read()
        )
    return read


@cache
def _validator(stage: str) -> Draft4Validator:
    definitions = schemas()[stage]["definitions"]

    def any_of(
        validator: Draft4Validator, choices: list[Mapping[str, str]], instance: object, _: object
    ) -> Iterator[ValidationError]:
        """Try only what is of the node's type: else the tries double with each level."""
        kind = str(instance.get("type")) if isinstance(instance, dict) else ""
        for choice in choices:
            if kind in (_kinds(definitions, choice) or {kind}):
                tried = validator.evolve(schema=choice)
                if tried.is_valid(instance):
                    return
        yield ValidationError(f"{instance!r} is none of {choices!r}")

    extended: type[Draft4Validator] = validators.extend(  # type: ignore[no-untyped-call]  # typeshed leaves it open
        Draft4Validator, {"anyOf": any_of}
    )
    return extended(schemas()[stage])


def _kinds(definitions: Mapping[str, Mapping[str, object]], choice: Mapping[str, str]) -> set[str]:
    """The types that a schema by reference is for; nothing when it does not say."""
    if "$ref" not in choice:
        return set()
    definition = definitions[choice["$ref"].rpartition("/")[2]]
    parts = definition.get("allOf", [definition])
    assert isinstance(parts, list)
    for part in parts:
        if "$ref" in part:
            return _kinds(definitions, part)
        properties = part.get("properties")
        if properties and "type" in properties:
            return set(properties["type"]["enum"])
    return set()


def is_valid(document: object, stage: str = STAGE_0) -> bool:
    """Whether Atlassian takes it for a document."""
    return bool(_validator(stage).is_valid(document))


def types(kind: str) -> set[str]:
    """The names of all nodes ("_node") or marks ("_mark")."""
    found: set[str] = set()
    for name, definition in schemas()[STAGE_0]["definitions"].items():
        properties = definition.get("properties")
        if name.endswith(kind) and isinstance(properties, dict):
            found.update(properties["type"]["enum"])
    return found
