"""What a model calls a tool."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_bridge.sampling.tool_names import name_for_model

NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=140)


@pytest.mark.requirement("bridge.sampling-tools")
def test_a_usual_name_stays_as_agents_know_it() -> None:
    """The name that patterns have."""
    assert name_for_model("github_ci", "get_run") == "mcp__github_ci__get_run"


@pytest.mark.requirement("bridge.sampling-tools")
@given(server=NAMES, tools=st.lists(NAMES, unique=True, max_size=20))
def test_every_name_is_one_that_clients_take_and_no_two_are_the_same(
    server: str, tools: list[str]
) -> None:
    """64 characters of letters, digits, `_` and `-`: real APIs refuse all others (clients.md 9)."""
    names = [name_for_model(server, tool) for tool in tools]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name) for name in names)


def test_names_that_differ_only_in_a_dot_stay_apart() -> None:
    """A dot is no letter that a model may write, so that the name ends with a digest."""
    dotted, plain = name_for_model("s", "a.b"), name_for_model("s", "a_b")
    assert plain == "mcp__s__a_b"
    assert dotted.startswith("mcp__s__a_b_")
