"""Where an issue is now: an old key leads to an issue that has moved, whatever its new project."""

from trunkline_jira.endpoints import get_issue
from trunkline_jira.keys import IssueKey, KeyRules
from trunkline_jira.site.client import Jira


async def reached_issue(jira: Jira, text: str) -> IssueKey:
    """Return the issue that a call is about, for requests whose answers do not say where it is.

    Raises what `Jira.issue_key` does, and BlockedByPolicy for one that has moved to a project
    that may not be touched.
    """
    key = await jira.issue_key(text)
    if jira.projects.limited:
        asked = get_issue((await jira.deployment()).flavour, key, ["summary"])
        found = (await jira.fetch(asked)).key
        now = KeyRules.sent(found)
        jira.projects.require(now.project if now else found)
    return key
