"""Headers that mirror a message."""

import pytest

from trunkline_cli.request_headers import RequestHeaders

VERSION = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}


@pytest.mark.parametrize(
    ("method", "params", "name"),
    [
        ("tools/call", {"name": "a"}, "a"),
        ("prompts/get", {"name": "b"}, "b"),
        ("resources/read", {"uri": "twig://repo/tree"}, "twig://repo/tree"),
        ("tools/list", {}, None),
        ("tools/call", {"name": 1}, None),
    ],
)
def test_a_modern_message_names_its_method_and_target(
    method: str, params: dict[str, object], name: str | None
) -> None:
    """The three methods that have a target mirror it, the others do not."""
    message = {"method": method, "params": {**params, "_meta": VERSION}}
    headers = RequestHeaders().of(message)
    assert headers["mcp-method"] == method
    assert headers.get("mcp-name") == name


def test_annotated_arguments_are_mirrored_once_they_are_known() -> None:
    """A tool's `x-mcp-header`, seen in the list that passed by, becomes a header of its calls."""
    headers = RequestHeaders()
    schema = {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "R"}}}
    listing = {"result": {"tools": [{"name": "a", "inputSchema": schema}, {"name": "b"}]}}
    headers.learn({"method": "tools/list"}, listing, {})
    params = {"name": "a", "arguments": {"region": "eu"}, "_meta": VERSION}
    assert headers.of({"method": "tools/call", "params": params})["Mcp-Param-R"] == "eu"


def test_a_second_initialize_begins_without_the_first_session() -> None:
    """A client that starts over does not carry the old session along."""
    headers = RequestHeaders()
    answer = {"result": {"protocolVersion": "2025-06-18"}}
    headers.learn({"method": "initialize"}, answer, {"mcp-session-id": "s"})
    assert headers.of({"method": "tools/list"})["mcp-session-id"] == "s"
    assert "mcp-session-id" not in headers.of({"method": "initialize"})


@pytest.mark.parametrize("message", [{}, {"method": "x", "params": []}, {"params": {"_meta": 1}}])
def test_a_message_of_no_known_shape_still_gets_headers(message: dict[str, object]) -> None:
    """What is wrong with it is for the router to say."""
    assert RequestHeaders().of(message)["Content-Type"] == "application/json"
