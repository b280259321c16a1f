"""GitHub's OpenAPI description, read and amended where it is known to differ from the service.

There are nine amendments and no others: `UNLISTED_FAILURES`, `REMOVED_IN`, `NULL_AT_TIMES`,
`UNLISTED_VALUES`, `UNLISTED_MEDIA`, `_closed_bodies`, `_null_in_nullable_enums`,
`_null_in_nullable_choices`, `SEARCHES`. What it cannot describe is in `UNDESCRIBED`.
"""

import gzip
from collections.abc import Iterator, Mapping
from pathlib import Path

import orjson

Tree = dict[str, object]

DESCRIBED_VERSION = "2022-11-28"
BASIC_ERROR: Tree = {
    "description": "",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/basic-error"}}},
}
EMPTY: Tree = {"description": ""}
UNLISTED_FAILURES: Mapping[str, tuple[Tree, str]] = {
    # The description lists some failures for some operations; the service has them everywhere.
    "301": (BASIC_ERROR, "a GET below a renamed repository, or of a transferred issue"),
    "304": (EMPTY, "a GET with a validator, of any resource"),
    "307": (BASIC_ERROR, "a write below a renamed repository"),
    "400": (BASIC_ERROR, "an unknown X-GitHub-Api-Version, or a body that is no JSON object"),
    "401": (BASIC_ERROR, "a rejected or missing token"),
    "403": (BASIC_ERROR, "limits, permissions, archived, locked, no User-Agent"),
    "404": (BASIC_ERROR, "missing or invisible, which no DELETE of a comment lists"),
    "406": (BASIC_ERROR, "a diff that is too large"),
    "410": (BASIC_ERROR, "deleted or disabled issues, below every path of an issue"),
    "415": (BASIC_ERROR, "an Accept header without a JSON type"),
    "422": (BASIC_ERROR, "an invalid body, which PATCH of a review comment does not list"),
    "429": (BASIC_ERROR, "limits"),
}
REMOVED_IN: Mapping[str, frozenset[str]] = {
    # The package describes 2022-11-28 only; what a later version removed is in its release notes.
    "2026-03-10": frozenset({"assignee", "merge_commit_sha", "rate"}),
}
UNDESCRIBED: Mapping[str, str] = {
    "/graphql": "GraphQL has a schema of its own, and OpenAPI cannot say it",
}
UNLISTED_MEDIA: Mapping[tuple[str, str], str] = {
    # The prose of the operation names the media type; the description lists JSON only.
    ("/repos/{owner}/{repo}/pulls/{pull_number}", "get"): "application/vnd.github.diff",
}
NULL_AT_TIMES: Mapping[str, tuple[str, ...]] = {
    # A review comment whose line has left the diff: the service sends null, keeps `original_line`;
    # one on a whole file has neither.
    "pull-request-review-comment": ("line", "position", "original_line", "original_position"),
    "review-comment": ("line", "position"),
    # An issue without a description: the service sends null, in a list as in a search.
    "issue-search-result-item": ("body",),
    # A run of a deleted account, or from a deleted fork.
    "workflow-run": ("actor", "triggering_actor", "head_repository"),
}
UNLISTED_VALUES: Mapping[tuple[str, str], tuple[str, ...]] = {
    # The prose of the API names these conclusions; the enumerations leave them out.
    ("check-run", "conclusion"): ("stale", "startup_failure"),
}
SEARCHES = frozenset({"created"})
"""Query parameters called date-times whose prose allows GitHub's date search, `>=2026-01-31`."""


def described(extract: Path, version: str) -> Tree:
    """Return the amended description of an API version from a gzipped JSON file."""
    description: Tree = orjson.loads(gzip.decompress(extract.read_bytes()))
    for operation in _operations(description):
        responses = tree(operation["responses"])
        for status, (failure, _) in UNLISTED_FAILURES.items():
            responses.setdefault(status, failure)
        _closed_bodies(operation)
    for (path, method), media in UNLISTED_MEDIA.items():
        _also_answers(tree(tree(tree(description["paths"])[path])[method]), media)
    schemas = tree(tree(description["components"])["schemas"])
    parameters = tree(tree(description["components"])["parameters"])
    for name in SEARCHES:
        del tree(tree(parameters[name])["schema"])["format"]
    _null_at_times(schemas)
    for (name, one), values in UNLISTED_VALUES.items():
        _also_says(tree(tree(tree(schemas[name])["properties"])[one]), values)
    removed = REMOVED_IN.get(version, frozenset())
    for node in _nodes(description):
        _without_required(node, removed)
        _null_in_nullable_enums(node)
        _null_in_nullable_choices(node)
    return description


def tree(node: object) -> Tree:
    """Return a node that has to be an object."""
    assert isinstance(node, dict)
    return node


def _operations(description: Tree) -> Iterator[Tree]:
    for item in tree(description["paths"]).values():
        for operation in tree(item).values():
            yield tree(operation)


def _also_answers(operation: Tree, media: str) -> None:
    success = tree(tree(operation["responses"])["200"])
    tree(success["content"]).setdefault(media, {})


def _closed_bodies(operation: Tree) -> None:
    """Refuse properties that a body does not list: GitHub ignores them, and a slip goes unseen."""
    content = tree(tree(operation.get("requestBody", {})).get("content", {}))
    for media in content.values():
        schema = tree(tree(media).get("schema", {}))
        if "properties" in schema:
            schema.setdefault("additionalProperties", False)


def _null_at_times(schemas: Tree) -> None:
    for name, properties in NULL_AT_TIMES.items():
        described_as = tree(tree(schemas[name])["properties"])
        for one in properties:
            described_as[one] = {**_resolved(tree(described_as[one]), schemas), "nullable": True}


def _resolved(node: Tree, schemas: Tree) -> Tree:
    """Return what a node refers to: beside a reference, OpenAPI 3.0 reads nothing else."""
    reference = node.get("$ref")
    return tree(schemas[reference.rpartition("/")[2]]) if isinstance(reference, str) else node


def _also_says(node: Tree, more: tuple[str, ...]) -> None:
    listed = node["enum"]
    assert isinstance(listed, list)
    node["enum"] = [*listed, *more]


def _nodes(node: object) -> Iterator[Tree]:
    if isinstance(node, list):
        for one in node:
            yield from _nodes(one)
    elif isinstance(node, dict):
        yield node
        for one in node.values():
            yield from _nodes(one)


def _without_required(node: Tree, names: frozenset[str]) -> None:
    required = node.get("required")
    if isinstance(required, list):
        node["required"] = [name for name in required if name not in names]


def _null_in_nullable_enums(node: Tree) -> None:
    """Let a nullable enumeration be null: open issues do have `state_reason: null`.

    OpenAPI 3.0.3 wants null in the enumeration too, which GitHub's description leaves out.
    """
    values = node.get("enum")
    if node.get("nullable") is True and isinstance(values, list) and None not in values:
        values.append(None)


def _null_in_nullable_choices(node: Tree) -> None:
    """Let a nullable choice be null: `milestone: null` takes an issue out of its milestone.

    OpenAPI 3.0.3 wants null in exactly one of the choices, which GitHub's description leaves out.
    """
    choices = node.get("oneOf")
    if node.get("nullable") is True and isinstance(choices, list):
        first = tree(choices[0])
        choices[0] = first if "$ref" in first else {**first, "nullable": True}
