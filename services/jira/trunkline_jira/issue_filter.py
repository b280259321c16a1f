"""What a list of a project's issues is narrowed by, as JQL."""

from dataclasses import dataclass

from trunkline_jira.assignees import assignee_condition
from trunkline_jira.jql.query import Query, condition
from trunkline_jira.jql.quoting import quoted
from trunkline_jira.site.client import Jira
from trunkline_shared.errors import InvalidInput

_PROJECT = "project"


@dataclass(frozen=True, slots=True, kw_only=True)
class IssueFilter:
    """Conditions that all hold; an empty text is none."""

    project: str
    status: str = ""
    assignee: str = ""
    type: str = ""
    jql_extra: str = ""

    async def query(self, jira: Jira) -> Query:
        """Return the query of these conditions.

        Raises InvalidInput; BlockedByPolicy for a project that may not be touched.
        """
        conditions = [self._project(jira)]
        if self.status.strip():
            conditions.append(f"status = {quoted(self.status.strip())}")
        if self.type.strip():
            conditions.append(f"issuetype = {quoted(self.type.strip())}")
        extra = condition(self.jql_extra, "jql_extra")
        if self.assignee.strip():
            conditions.append(await assignee_condition(jira, self.assignee))
        if extra:
            conditions.append(f"({extra})")
        return Query(where=" AND ".join(conditions))

    def _project(self, jira: Jira) -> str:
        project = self.project.strip()
        if not project:
            raise InvalidInput(
                "project must be given.",
                hint="Pass a project's key, such as 'PROJ'; list_jira_projects knows them.",
                details={
                    "field_errors": [
                        {"field": _PROJECT, "problem": "is required", "kind": "missing"}
                    ]
                },
            )
        jira.projects.require(project)
        return f"project = {quoted(project)}"
