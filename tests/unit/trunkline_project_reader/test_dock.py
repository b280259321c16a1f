"""Finding a project's tools in its dock."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_project_reader.basecamp.dock import enabled_names, preferred, tool_of
from trunkline_project_reader.basecamp.models import SentDockEntry, SentProject
from trunkline_shared.errors import NotFound, ToolNotEnabled


def entry(number: int, name: str, position: int | None) -> SentDockEntry:
    """Return a tool; one without a position is disabled."""
    return SentDockEntry(id=number, name=name, enabled=position is not None, position=position)


def project(*dock: SentDockEntry) -> SentProject:
    return SentProject(id=1, name="Widgets", dock=dock)


entries = st.builds(
    entry,
    st.integers(1, 99),
    st.sampled_from(["vault", "chat", "message_board"]),
    st.none() | st.integers(1, 5),
)


@pytest.mark.requirement("basecamp.dock")
def test_of_several_tools_the_first_enabled_one_is_meant() -> None:
    """The lowest position, whatever the order in which they come."""
    dock = [entry(1, "vault", None), entry(2, "vault", 3), entry(3, "vault", 2)]
    assert tool_of(project(*dock), "vault").id == 3
    assert tool_of(project(*dock), "vault", 2).id == 2


@pytest.mark.requirement("basecamp.dock")
def test_a_disabled_tool_is_told_with_those_that_are_enabled() -> None:
    """Also when it is named by its id."""
    dock = [entry(1, "chat", None), entry(2, "vault", 2), entry(3, "message_board", 1)]
    for wanted in (0, 1):
        with pytest.raises(ToolNotEnabled) as caught:
            tool_of(project(*dock), "chat", wanted)
        assert caught.value.details["reason"] == "disabled"
        assert caught.value.details["enabled"] == ["message_board", "vault"]
        assert "message_board, vault" in (caught.value.hint or "")


@pytest.mark.requirement("basecamp.dock")
def test_an_absent_tool_is_told_as_absent() -> None:
    """As in projects with clients, and in templates; with an id or without."""
    for wanted in (0, 7):
        with pytest.raises(ToolNotEnabled) as caught:
            tool_of(project(entry(2, "vault", 1)), "chat", wanted)
        assert caught.value.details == {"reason": "absent", "tool": "chat", "enabled": ["vault"]}
    with pytest.raises(ToolNotEnabled, match="chat") as empty:
        tool_of(project(), "chat")
    assert "nothing" in (empty.value.hint or "")


def test_an_id_that_is_not_in_the_dock_is_not_found() -> None:
    """The ids that are there are told."""
    with pytest.raises(NotFound) as caught:
        tool_of(project(entry(2, "vault", 1)), "vault", 9)
    assert caught.value.details["known"] == [2]


@given(dock=st.lists(entries, max_size=8), name=st.sampled_from(["vault", "chat"]))
def test_a_tool_is_found_exactly_when_one_is_enabled(dock: list[SentDockEntry], name: str) -> None:
    """And then it is an enabled one of that name, before which none stands."""
    found = preferred(dock, name)
    named = [one for one in dock if one.name == name]
    assert (found is None) == (not named)
    assert (name in enabled_names(dock)) == any(one.enabled for one in named)
    if found is not None and any(one.enabled for one in named):
        positions = [one.position for one in named if one.enabled and one.position is not None]
        assert found.enabled
        assert found.position == min(positions)
