"""What the tools that search return."""

from trunkline_jira.models import JiraIssue, Result
from trunkline_shared.listing import Entry, PageInfo


class JiraIssues(Result):
    """A page of issues; `jql` is the query as Jira was asked it."""

    issues: list[JiraIssue]
    jql: str
    page_info: PageInfo
    has_more: bool


class JiraProject(Entry):
    """A project; `type` is `software`, `business` or `service_desk`."""

    key: str = ""
    name: str = ""
    type: str | None = None
    url: str = ""


class JiraProjects(Result):
    """A page of projects."""

    projects: list[JiraProject]
    page_info: PageInfo
    has_more: bool
