"""What the servers behind the router answer."""

from collections.abc import Mapping

Json = dict[str, object]

COMPLETE: Json = {"resultType": "complete", "ttlMs": 60000, "cacheScope": "public"}
DISCOVERED = COMPLETE | {"capabilities": {"tools": {}}, "supportedVersions": ["2026-07-28"]}
INITIALIZED: Json = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"tools": {}},
    "serverInfo": {"name": "bare", "version": "1"},
}
SAID: Json = {
    "resultType": "complete",
    "content": [{"type": "text", "text": '{"said":"hello"}'}],
    "structuredContent": {"said": "hello"},
    "isError": False,
}
MEGABYTE: Json = {
    "resultType": "complete",
    "content": [{"type": "text", "text": "x" * 1_000_000}],
    "isError": False,
}
LARGE = frozenset({"large", "shout"})
"""The tools that answer a megabyte."""

KEPT = ("echo", "large")
"""The tools whose answers the router is told to keep."""


def tool(name: str, description: str) -> Json:
    return {
        "name": name,
        "description": description,
        "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}},
        "annotations": {"readOnlyHint": True},
    }


TOOLS = [
    tool("echo", "Say it again."),
    tool("large", "Say a megabyte."),
    tool("say", "Say it once."),
    tool("shout", "Say a megabyte once."),
]


def library(size: int) -> list[Json]:
    """Return so many tools, each as large as tools are: four arguments, a paragraph."""
    return [_book(number) for number in range(size)]


def _book(number: int) -> Json:
    text = (
        f"Do the thing of number {number}. It takes what stands below, does as it is told, and"
        " returns what has come of it; nothing else is touched. Use it when the question is about"
        " one thing, and the list when it is about many."
    )
    properties = {
        "owner": {"type": "string", "description": "Whose repository it is."},
        "repo": {"type": "string", "description": "The repository's name."},
        "number": {"type": "integer", "minimum": 1, "description": "The thing's number."},
        "state": {"type": "string", "enum": ["open", "closed", "all"], "default": "open"},
    }
    return {
        "name": f"tool_{number}",
        "description": text,
        "inputSchema": {"type": "object", "properties": properties, "required": ["number"]},
        "annotations": {"readOnlyHint": True},
    }


def results(tools: list[Json]) -> Mapping[str, Json]:
    """Return the answer to each method, for a server that has these tools."""
    return {
        "initialize": INITIALIZED,
        "server/discover": DISCOVERED,
        "tools/list": COMPLETE | {"tools": tools},
        "tools/call": SAID,
    }
