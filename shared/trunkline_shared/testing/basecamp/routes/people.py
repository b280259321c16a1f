"""People of an account and of a project (bc3-api, sections/people.md)."""

from trunkline_shared.testing.basecamp.access import project_named
from trunkline_shared.testing.basecamp.asked import Asked, Shown
from trunkline_shared.testing.basecamp.paging import paged
from trunkline_shared.testing.basecamp.payloads.people import person
from trunkline_shared.testing.stand_in.call import Answer

_GONE = {"Tombstone", "LocalPerson"}


def list_people(asked: Asked) -> Answer:
    """Return a page of all people; who has left is not among them."""
    found = [one for one in asked.account.people.values() if one.kind not in _GONE]
    return paged(asked, found, lambda one: person(one, asked.urls))


def list_project_people(asked: Asked) -> Answer:
    """Return a page of the people who may see a project."""
    project = project_named(asked)
    found = [
        one
        for one in asked.account.people.values()
        if one.kind not in _GONE and one.id not in project.closed_to
    ]
    return paged(asked, found, lambda one: person(one, asked.urls))


SHOWN = (
    Shown(path="/people.json", show=list_people),
    Shown(path="/projects/{project_id}/people.json", show=list_project_people),
)
