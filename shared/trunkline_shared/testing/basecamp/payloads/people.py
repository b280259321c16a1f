"""People as Basecamp shows them."""

from trunkline_shared.testing.basecamp.payloads.moments import local_moment
from trunkline_shared.testing.basecamp.people import Person
from trunkline_shared.testing.basecamp.urls import Urls


def person(of: Person | None, urls: Urls) -> dict[str, object] | None:
    """Return a person; bios and locations are null until somebody writes them."""
    if of is None:
        return None
    return {
        "id": "basecamp" if of.kind == "LocalPerson" else of.id,
        "attachable_sgid": f"sgid-{of.id}",
        "name": of.name,
        "email_address": of.email,
        "personable_type": of.kind,
        "title": of.title,
        "bio": None,
        "location": None,
        "created_at": local_moment(of.created_at),
        "updated_at": local_moment(of.created_at),
        "admin": False,
        "owner": False,
        "client": of.kind == "Client",
        "employee": of.kind == "User",
        "time_zone": "America/Chicago",
        "avatar_url": urls.on_web(f"/people/{of.id}/avatar"),
        "company": None if of.kind == "Tombstone" else {"id": urls.account, "name": "Acme"},
        "can_manage_projects": True,
        "can_manage_people": False,
    }
