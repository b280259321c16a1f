"""The block for a prompt: never longer than asked for, never cut within a line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_bridge.capability.context_text import way_of
from trunkline_bridge.settings import BridgeSettings
from trunkline_shared.capabilities import Capability, capability_lines
from trunkline_shared.mesh.context_text import NOTE, block

HEADER = "MCP Capabilities (via claude -p --allowedTools):"


@given(
    texts=st.lists(st.text(max_size=300), max_size=30),
    max_chars=st.integers(min_value=100, max_value=5000),
)
def test_whatever_servers_say_the_block_is_whole_lines_within_its_size(
    texts: list[str], max_chars: int
) -> None:
    """The header first, one line for each server in order, and a count of the rest."""
    lines = capability_lines(
        Capability(name=f"s{number}", description=text) for number, text in enumerate(texts)
    )
    text, left_out = block("claude -p --allowedTools", lines, max_chars)
    shown = text.split("\n")
    assert len(text) <= max_chars
    assert shown == text.splitlines()
    assert shown[0] == HEADER
    kept = len(lines) - left_out
    assert shown[1 : kept + 1] == lines[:kept]
    rest = [f"- ({left_out} more servers are left out)"] if left_out else []
    assert shown[kept + 1 :] in (rest, [*rest, NOTE])


@pytest.mark.parametrize(
    ("given_", "way"),
    [
        ({}, "their own tools"),
        ({"toolsets": "mesh"}, "call_tool"),
        ({"toolsets": "all", "read_only": True}, "their own tools"),
        ({"bridge_runner": "claude"}, "claude -p --allowedTools"),
        ({"bridge_runner": "nice -n 5 /opt/bin/claude"}, "claude -p --allowedTools"),
        ({"bridge_runner": "sampling,claude"}, "query_mcp"),
    ],
)
def test_the_header_follows_the_runner(given_: dict[str, object], way: str) -> None:
    """The first one; without any, what agents have."""
    assert way_of(BridgeSettings.model_validate(given_)) == way
