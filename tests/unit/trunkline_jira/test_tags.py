"""The tags of the jira server: the mesh's vocabulary, with the site in its place."""

from typing import Any

import pytest

from trunkline_jira.account_tools import AccountTools
from trunkline_jira.comment_tools import CommentTools
from trunkline_jira.settings import JiraSettings
from trunkline_jira.site.opening import open_jira
from trunkline_jira.tags import SHOWS_ISSUE, WRITES_ISSUE, issue_tags
from trunkline_shared import meta
from trunkline_shared.placing import placed
from trunkline_shared.settings import load
from trunkline_shared.tool import tools_of

pytestmark = pytest.mark.anyio


async def test_the_site_stands_in_the_tags_of_the_tools() -> None:
    """`{issue_key}` is left to the router."""
    async with open_jira(load(JiraSettings, {"jira_url": "https://acme.atlassian.net"})) as jira:
        tools = tools_of(CommentTools(jira=jira), AccountTools(jira=jira))
    policies: list[Any] = [(one.meta or {})[meta.POLICY] for one in placed(tools, site=jira.site)]
    assert policies[0]["reads"]["tags"] == [
        "jira:acme.atlassian.net:{issue_key}",
        "jira:acme.atlassian.net:written-issues",
    ]
    assert policies[1]["reads"]["tags"] == ["jira:acme.atlassian.net:account"]
    assert policies[0]["reads"]["ttl_s"] == 15


def test_a_write_under_an_old_key_spoils_what_is_read_under_the_new_one() -> None:
    """A moved issue answers to both, and only Jira knows which they are."""
    written = {tag for tag in WRITES_ISSUE.tags if "{issue_key}" not in tag}
    assert written & set(SHOWS_ISSUE)


def test_a_result_is_tagged_with_each_key_once() -> None:
    """Of very many the parent of all takes their place."""
    assert issue_tags("acme", ["ME-1", "ME-2", "ME-1"]) == ("jira:acme:ME-1", "jira:acme:ME-2")
    assert issue_tags("acme", [f"ME-{number}" for number in range(101)]) == ("jira:acme",)
