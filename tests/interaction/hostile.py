"""Hostile arguments of any tool, drawn from its published schema."""

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from mcp_types import CallToolResult, TextContent

SNAPSHOTS = Path(__file__).parents[1] / "snapshots"
ANY_CALLS = settings(max_examples=250, suppress_health_check=[HealthCheck.function_scoped_fixture])
TEXTS = st.one_of(
    st.sampled_from([
        "",
        " ",
        ".",
        "..",
        "../../../user",
        "..%2f..%2fuser",
        "a/../../b",
        "\\..\\..",
        "/etc/passwd",
        "?per_page=1#x",
        "x\r\nHost: evil",
        "\x00",
        "\ud800",
        "https://evil.example/",
        "repo:other/secret",
        '" OR repo:other/secret',
        "é" * 300,
        "x" * 70_000,
        "-->",
        "[" * 40,
        "PROJ-1) OR (project = SECRET",
        "(a+)+$",
        "{}",
        "null",
        "main",
        "src/screws.py",
    ]),
    st.text(max_size=20),
)
NUMBERS = st.one_of(st.sampled_from([1, 2, 3, 0, -1, 2**31, 2**63, 10**30]), st.integers())
GARBAGE = st.one_of(
    st.none(), st.booleans(), NUMBERS, st.floats(), TEXTS, st.lists(TEXTS, max_size=2)
)
BY_TYPE: Mapping[str, st.SearchStrategy[object]] = {
    "boolean": st.booleans(),
    "integer": NUMBERS,
    "number": NUMBERS,
    "object": st.dictionaries(st.sampled_from(["path", "line", "body"]), GARBAGE),
    "string": TEXTS,
}


def values(schema: Mapping[str, Any]) -> st.SearchStrategy[object]:
    """Return values near what a schema asks for, and now and then anything."""
    return st.one_of(near(schema), near(schema), near(schema), GARBAGE)


def near(schema: Mapping[str, Any]) -> st.SearchStrategy[object]:
    """Return values of the schema's type, of every size and content."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "anyOf" in schema:
        return st.one_of([near(one) for one in schema["anyOf"]])
    if schema.get("type") == "array":
        return st.lists(values(schema.get("items", {})), max_size=3)
    return BY_TYPE.get(schema.get("type", ""), GARBAGE)


def arguments(
    schema: Mapping[str, Any], known: Collection[str]
) -> st.SearchStrategy[dict[str, object]]:
    """Return arguments of a tool, all of them hostile but the `known` ones, which are left out."""
    properties = {k: v for k, v in schema["properties"].items() if k not in known}
    required = set(schema.get("required", ()))
    return st.fixed_dictionaries(
        {name: values(properties[name]) for name in properties if name in required},
        optional={name: values(properties[name]) for name in properties if name not in required},
    )


def calls(server: str, *known: str) -> st.SearchStrategy[tuple[str, dict[str, object]]]:
    """Return calls of any tool of a server; `known` arguments are left to the test."""
    path = SNAPSHOTS / f"{server}.json"
    return st.one_of([
        st.tuples(st.just(str(one["name"])), arguments(one["inputSchema"], known))
        for one in json.loads(path.read_text(encoding="utf-8"))
    ])


def code_of(result: CallToolResult) -> str:
    """Return the failure's code, or OK."""
    if not result.is_error:
        return "OK"
    (block,) = result.content
    assert isinstance(block, TextContent)
    payload = json.loads(block.text)
    assert payload["isError"] is True
    return str(payload["error_code"])
