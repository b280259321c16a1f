"""People, as Basecamp sends them (bc3-api, sections/people.md)."""

from trunkline_project_reader.basecamp.models import Sent, SentPerson, Truth, Words
from trunkline_project_reader.basecamp.reading import get, page
from trunkline_shared.exchange import Endpoint
from trunkline_shared.vendor.page import Page

_PEOPLE = "/people.json"
_PROJECT_PEOPLE = "/projects/{project_id}/people.json"


class SentCompany(Sent):
    """Whom somebody works for."""

    name: Words = ""


class SentProfile(SentPerson):
    """Somebody, with more than authors have."""

    company: SentCompany | None = None
    admin: Truth = False
    owner: Truth = False
    time_zone: Words = ""


_read_people = page(SentProfile)


def people(project_id: int) -> Endpoint[Page[SentProfile]]:
    """List who may see a project; with 0 everybody whom the token's person may see."""
    if not project_id:
        return get(_PEOPLE, _read_people)
    return get(_PROJECT_PEOPLE, _read_people, project_id=project_id)
