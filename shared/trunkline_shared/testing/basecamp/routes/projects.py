"""Projects (bc3-api, sections/projects.md)."""

from trunkline_shared.testing.basecamp.access import project_named
from trunkline_shared.testing.basecamp.asked import Asked, Shown
from trunkline_shared.testing.basecamp.paging import paged
from trunkline_shared.testing.basecamp.payloads.projects import project
from trunkline_shared.testing.stand_in.call import Answer


def list_projects(asked: Asked) -> Answer:
    """Return a page of the projects of a status: the active ones unless another is asked for."""
    status = asked.query.get("status", "active")
    found = [
        one
        for one in asked.account.projects.values()
        if one.status == status and asked.person.id not in one.closed_to
    ]
    found.sort(key=lambda one: one.id, reverse=True)
    return paged(asked, found, lambda one: project(one, asked.urls))


def get_project(asked: Asked) -> Answer:
    """Return one project, whatever its status."""
    return Answer(json=project(project_named(asked), asked.urls))


SHOWN = (
    Shown(path="/projects.json", show=list_projects),
    Shown(path="/projects/{project_id}.json", show=get_project),
)
