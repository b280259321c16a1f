"""Listing a repository's labels."""

from collections.abc import Sequence

from trunkline_issues.cursor import following, read, written
from trunkline_issues.label_endpoints import list_labels
from trunkline_issues.label_models import LabelEntry, Labels
from trunkline_issues.sent_issues import Label
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.repository import Repository
from trunkline_shared.listing import PageInfo, choose
from trunkline_shared.untrusted import sanitize
from trunkline_shared.vendor.answered import source_of, with_response


async def browse(
    github: GitHub, repository: Repository, *, limit: int, cursor: str, fields: Sequence[str]
) -> Labels:
    """Return a page of labels.

    Raises InvalidInput for an unknown field or an unusable cursor before anything is asked.
    """
    choose((), fields, LabelEntry)
    question = (repository.slug.lower(), limit)
    endpoint = list_labels(repository, read(cursor, *question), per_page=limit)
    page, response = await github.fetch(with_response(endpoint))
    entries = choose([_entry(label) for label in page.items], fields, LabelEntry)
    goes_on = following(page.next_url)
    return Labels(
        labels=entries,
        page_info=PageInfo(
            has_more=goes_on is not None,
            next_cursor=written(goes_on, *question) if goes_on else None,
            returned=len(entries),
        ),
        has_more=goes_on is not None,
        source=source_of(response),
    )


def _entry(label: Label) -> LabelEntry:
    return LabelEntry(
        name=sanitize(label.name),
        description=sanitize(label.description),
        color=label.color,
        default=label.default,
    )
