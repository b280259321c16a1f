"""Atlassian's own schema of its documents: what is one, and which types there are."""

import gzip
from collections.abc import Mapping
from functools import cache

import orjson
from jsonschema import Draft4Validator  # type: ignore[import-untyped]  # it has no types

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
    return Draft4Validator(schemas()[stage])


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
