"""Which tools a pattern names, and what is said of one that names none."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_bridge.query.patterns import LONGEST, MOST, ToolPattern, read_patterns
from trunkline_shared.errors import InvalidInput

SERVERS = st.from_regex(r"[A-Za-z0-9](_?[A-Za-z0-9.-]){0,20}", fullmatch=True)
TOOLS = st.from_regex(r"[A-Za-z0-9_./-]{1,60}", fullmatch=True)


def refusal(*tools: str) -> InvalidInput:
    """Return how these are refused."""
    with pytest.raises(InvalidInput) as caught:
        read_patterns(tools)
    return caught.value


@pytest.mark.requirement("bridge.query-patterns")
def test_a_server_as_a_whole_is_never_another_whose_name_begins_alike() -> None:
    """`mcp__github__*` is github, not github_ci."""
    (github,) = read_patterns(["mcp__github__*"])
    (ci,) = read_patterns(["mcp__github_ci__*"])
    assert (github.server, ci.server) == ("github", "github_ci")
    assert github.matches("github", "list_issues")
    assert not github.matches("github_ci", "list_issues")
    assert not ci.matches("github", "ci__list")


@pytest.mark.requirement("bridge.query-patterns")
@pytest.mark.parametrize(
    ("text", "server", "tool"),
    [
        ("mcp__github__list_issues", "github", "list_issues"),
        ("mcp__docker-mcp__*", "docker-mcp", "*"),
        ("mcp__google-calendar__list-events", "google-calendar", "list-events"),
        ("mcp__a__b__c", "a", "b__c"),
        ("mcp__a__b__", "a", "b__"),
        ("mcp__a___b", "a", "_b"),
        ("mcp__a____", "a", "__"),
        ("mcp__github_ci__a.b/c", "github_ci", "a.b/c"),
    ],
)
def test_a_pattern_is_split_at_its_second_separator(text: str, server: str, tool: str) -> None:
    """What follows belongs to the tool, whatever it holds."""
    (pattern,) = read_patterns([text])
    assert pattern == ToolPattern(server=server, tool=tool)
    assert str(pattern) == text


@pytest.mark.requirement("bridge.query-patterns")
@given(server=SERVERS, tool=TOOLS | st.just("*"))
def test_what_is_written_is_what_is_read(server: str, tool: str) -> None:
    """Any server without `__`, any tool."""
    text = f"mcp__{server}__{tool}"
    (pattern,) = read_patterns([text])
    assert (pattern.server, pattern.tool, str(pattern)) == (server, tool, text)
    assert pattern.matches(server, tool if tool != "*" else "any")
    assert not pattern.matches(f"{server}_ci", tool)
    assert not pattern.matches(server[:-1], tool)


@pytest.mark.requirement("bridge.query-refused")
@pytest.mark.parametrize(
    ("text", "problem", "fix"),
    [
        ("mcp__github", "has no tool part", "mcp__github__*"),
        ("mcp__github__", "has no tool part", "mcp__github__*"),
        ("mcp__", "names no server", "mcp__SERVER__TOOL"),
        ("mcp____x", "names no server", "mcp__SERVER__TOOL"),
        ("mcp__*", "names no server", "mcp__SERVER__TOOL"),
        ("mcp__*__*", "names no server", "mcp__SERVER__TOOL"),
        ("mcp__a b__x", "names no server", "mcp__SERVER__TOOL"),
        ("github__list", "does not begin with mcp__", "mcp__SERVER__TOOL"),
        ("MCP__github__x", "does not begin with mcp__", "mcp__SERVER__TOOL"),
        ("list_issues", "does not begin with mcp__", "mcp__SERVER__TOOL"),
        ("", "does not begin with mcp__", "mcp__SERVER__TOOL"),
        ("Bash(rm:*)", "does not begin with mcp__", "mcp__SERVER__TOOL"),
        ("mcp__github__list_*", "has no tool's name", "mcp__SERVER__*"),
        ("mcp__github__[a]", "has no tool's name", "mcp__SERVER__*"),
        ("mcp__github__a,Bash", "has no tool's name", "mcp__SERVER__*"),
        ("mcp__github__a b", "has no tool's name", "mcp__SERVER__*"),
        ("mcp__github__x\n", "has no tool's name", "mcp__SERVER__*"),
        ("mcp__github__" + "x" * LONGEST, "more than 200", "mcp__SERVER__TOOL"),
    ],
)
def test_what_is_no_pattern_is_refused_with_its_place_and_the_fix(
    text: str, problem: str, fix: str
) -> None:
    """The second of two, by its index."""
    error = refusal("mcp__a__*", text)
    assert "tools[1]" in error.message
    assert problem in error.message
    assert repr(text[:20])[:-1] in error.message
    assert fix in str(error.hint)
    assert "'field': 'tools[1]'" in str(error.details["field_errors"])


@pytest.mark.requirement("bridge.query-refused")
def test_none_too_many_and_the_same_twice_are_refused() -> None:
    """The same is told with the place of the first."""
    assert "empty" in refusal().message
    many = refusal(*(f"mcp__a__t{number}" for number in range(MOST + 1)))
    assert f"{MOST + 1} tools, more than {MOST}" in many.message
    assert len(read_patterns([f"mcp__a__t{number}" for number in range(MOST)])) == MOST
    twice = refusal("mcp__a__*", "mcp__b__*", "mcp__a__*")
    assert "tools[2]" in twice.message
    assert "repeats tools[0]" in twice.message


@pytest.mark.requirement("bridge.query-hostile")
@given(
    tools=st.lists(st.text(max_size=30).map(lambda text: f"mcp__{text}") | st.text(), max_size=5)
)
def test_any_list_is_read_or_refused(tools: list[str]) -> None:
    """Nothing else is raised, and what is read is written as it was."""
    read: tuple[ToolPattern, ...] | None = None
    with suppress(InvalidInput):
        read = read_patterns(tools)
    assert read is None or [str(pattern) for pattern in read] == tools
