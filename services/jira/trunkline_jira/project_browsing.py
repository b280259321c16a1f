"""Pages of the allowed projects."""

from collections.abc import Sequence
from dataclasses import dataclass

from trunkline_jira.offset import offset
from trunkline_jira.project_listing import ProjectDirectory
from trunkline_jira.search_models import JiraProject, JiraProjects
from trunkline_shared.listing import PageInfo, choose
from trunkline_shared.untrusted import sanitize


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectPage:
    """Which projects are asked for."""

    text: str
    limit: int
    cursor: str
    fields: Sequence[str]


async def browse_projects(directory: ProjectDirectory, wanted: ProjectPage) -> JiraProjects:
    """Return a page of the projects whose key or name holds a text, by key.

    Raises a TrunklineError; InvalidInput for a cursor of another list.
    """
    jira = directory.jira
    choose((), wanted.fields, JiraProject)
    question = ("projects", jira.site, wanted.text)
    start = offset(jira.cursors.read(wanted.cursor, *question))
    pages = (await jira.deployment()).pages
    found: list[JiraProject] = []
    passed, more = 0, False
    async for project in directory.each(wanted.text):
        passed += 1
        if passed <= start:
            continue
        if len(found) == wanted.limit:
            more = True
            break
        found.append(
            JiraProject(
                key=project.key,
                name=sanitize(project.name),
                type=project.projectTypeKey,
                url=f"{pages}/browse/{project.key}",
            )
        )
    end = start + len(found)
    return JiraProjects(
        projects=choose(found, wanted.fields, JiraProject),
        page_info=PageInfo(
            has_more=more,
            next_cursor=jira.cursors.written(str(end), *question) if more else None,
            total_count=None if more else end,
            returned=len(found),
        ),
        has_more=more,
    )
