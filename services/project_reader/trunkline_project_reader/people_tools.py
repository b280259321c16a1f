"""The tools about people, and about what the token's person is to do."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from trunkline_project_reader import assignment_listing
from trunkline_project_reader.basecamp.assignments import Scope
from trunkline_project_reader.basecamp.belonging import bound_project, require_project
from trunkline_project_reader.basecamp.client import Basecamp
from trunkline_project_reader.basecamp.listing import Extent, Listing, MaxItems, PageNumber
from trunkline_project_reader.basecamp.people import SentProfile, people
from trunkline_project_reader.people_models import Assignments, People, PersonEntry
from trunkline_project_reader.results import ending
from trunkline_project_reader.tags import ACCOUNT, tagged
from trunkline_shared.arguments import OptionalNumber
from trunkline_shared.contracts import READ, Policy, Reads
from trunkline_shared.cursor import Cursor
from trunkline_shared.listing import Fields, choose
from trunkline_shared.reuse import Reusable
from trunkline_shared.tool import tool

TOOLSET = "people"


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleTools:
    """Who is there, and what is to be done by the one whose token is used."""

    basecamp: Basecamp

    @tool(
        "List people",
        READ,
        Policy(reads=Reads(ttl_s=300, stale_s=3600, tags=(ACCOUNT,)), toolset=TOOLSET),
    )
    async def list_people(
        self,
        *,
        project_id: Annotated[OptionalNumber, Field(description="0: all of the account")] = 0,
        page: PageNumber = 1,
        cursor: Cursor = "",
        max_items: MaxItems = 0,
        fields: Fields = (),
    ) -> Reusable[People]:
        """List the people of a project or of the account: items (id, name, email, title)."""
        account = await self.basecamp.account()
        choose((), fields, PersonEntry)
        number = project_id or bound_project() or 0
        if number:
            require_project(number)
        listing = Listing(endpoints=(people(number),), question=("people", number))
        extent = Extent(page=page, cursor=cursor, max_items=max_items)
        listed = await self.basecamp.listed(listing, extent)
        items = choose([_entry(one) for one in listed.items], fields, PersonEntry)
        return tagged(People(items=items, **ending(listed)), account, number)

    @tool(
        "List my assignments",
        READ,
        Policy(
            reads=Reads(ttl_s=15, stale_s=600, tags=(ACCOUNT,)),
            enforces=("project_id",),
            toolset=TOOLSET,
        ),
    )
    async def list_my_assignments(
        self,
        *,
        scope: Scope = "all",
        cursor: Cursor = "",
        max_items: MaxItems = 0,
        fields: Fields = (),
    ) -> Reusable[Assignments]:
        """List what the token's owner is to do: items (title, project, due_on).

        The scope all leaves out what is completed.
        """
        account = await self.basecamp.account()
        extent = Extent(cursor=cursor, max_items=max_items)
        found = await assignment_listing.browse(self.basecamp, scope, extent, fields)
        return tagged(found, account)


def _entry(one: SentProfile) -> PersonEntry:
    return PersonEntry(
        id=one.id,
        name=one.name,
        email=one.email_address or None,
        title=one.title,
        client=one.client,
        type=one.personable_type,
        company=one.company.name if one.company else None,
        admin=one.admin,
        time_zone=one.time_zone,
    )
