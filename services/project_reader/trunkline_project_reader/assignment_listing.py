"""Listing what the token's person is to do."""

from collections.abc import Sequence

from trunkline_project_reader.basecamp.assignments import Scope, SentAssignment, assignments
from trunkline_project_reader.basecamp.belonging import bound_project
from trunkline_project_reader.basecamp.client import Basecamp
from trunkline_project_reader.basecamp.listing import MOST_ITEMS, Extent, Listing
from trunkline_project_reader.people_models import AssignmentEntry, Assignments, Subassignment
from trunkline_project_reader.recording_listing import named_bucket, named_parent
from trunkline_project_reader.results import authors_of, ending
from trunkline_shared.listing import choose


async def browse(
    basecamp: Basecamp, scope: Scope, extent: Extent, fields: Sequence[str]
) -> Assignments:
    """Return what is to be done; in a context that is bound to a project, what lies in that one.

    Raises InvalidInput for an unknown field before anything is asked, else a TrunklineError.
    """
    choose((), fields, AssignmentEntry)
    alone = bound_project()
    listing = Listing(
        endpoints=(assignments(scope),),
        question=("assignments", scope, alone),
        wanted=None if alone is None else lambda one: _lies_in(one, alone),
    )
    if not extent.max_items:
        extent = Extent(cursor=extent.cursor, max_items=MOST_ITEMS)
    listed = await basecamp.listed(listing, extent)
    items = choose([_entry(one) for one in listed.items], fields, AssignmentEntry)
    return Assignments(items=items, **ending(listed))


def _lies_in(one: SentAssignment, project_id: int) -> bool:
    return one.bucket is not None and one.bucket.id == project_id


def _entry(one: SentAssignment) -> AssignmentEntry:
    return AssignmentEntry(
        id=one.id,
        type=one.type,
        title=one.content,
        project=named_bucket(one.bucket),
        parent=named_parent(one.parent),
        starts_on=one.starts_on,
        due_on=one.due_on,
        completed=one.completed,
        priority=one.priority_recording_id is not None,
        assignees=authors_of(one.assignees),
        children=[_child(child) for child in one.children],
        url=one.app_url,
        comments_count=one.comments_count,
    )


def _child(one: SentAssignment) -> Subassignment:
    return Subassignment(
        id=one.id,
        title=one.content,
        completed=one.completed,
        due_on=one.due_on,
        assignees=authors_of(one.assignees),
        url=one.app_url,
    )
