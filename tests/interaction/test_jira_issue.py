"""One issue, read from outside: everything that Jira keeps of it, of either flavour."""

import pytest

from tests.interaction.jira_reading import either_flavour, reading
from trunkline_shared.testing.jira import FlavourName

pytestmark = pytest.mark.anyio


@either_flavour
async def test_an_issue_is_read_by_its_key(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The five fields of every reader of issues, and where it is for people."""
    async with reading(flavour, monkeypatch) as asking:
        issue = await asking.call("get_jira_issue", issue_key="ME-1")
        assert (issue["key"], issue["summary"]) == ("ME-1", "Broken")
        assert issue["description"] == "It wobbles."
        assert (issue["status"], issue["status_category"]) == ("To Do", "to_do")
        assert issue["assignee"] == "Helper Bot"
        assert issue["url"] == f"{asking.jira.url}/browse/ME-1"
