"""Searching the issues or pull requests of one repository."""

from collections.abc import Sequence
from dataclasses import dataclass

from trunkline_issues.cursor import Place, following, read, written
from trunkline_issues.issue_models import Hits, IssueEntry
from trunkline_issues.issue_shapes import entry
from trunkline_issues.search_query import Kind, scoped
from trunkline_issues.sent_issues import SearchAnswer, SentIssue
from trunkline_shared.errors import InvalidInput
from trunkline_shared.exchange import Endpoint, Request, Response
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.reading import one
from trunkline_shared.github.repository import Repository
from trunkline_shared.listing import PageInfo, choose
from trunkline_shared.vendor.answered import source_of, with_response
from trunkline_shared.vendor.page import links

PATH = "/search/issues"
MOST_HITS = 1_000
"""What GitHub shows of a search, however much it found."""

_read_answer = one(SearchAnswer)


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What to search, and how much of it to return."""

    query: str
    kind: Kind
    limit: int
    cursor: str
    fields: Sequence[str]


def search_issues(query: str, place: Place, per_page: int) -> Endpoint[SearchAnswer]:
    """Search all that the credential sees; `query` says where."""
    return Endpoint(
        request=Request(
            method="GET",
            path=PATH,
            query=(
                ("q", query),
                ("advanced_search", "true"),
                ("per_page", str(per_page)),
                *place.query,
            ),
            template=PATH,
        ),
        read=_read_answer,
        repeatable=True,
    )


async def search(github: GitHub, repository: Repository, wanted: Search) -> Hits:
    """Return a page of hits, none of them outside of the repository or of another kind.

    Raises InvalidInput for a query that GitHub does not take, with its reason.
    """
    choose((), wanted.fields, IssueEntry)
    asked = scoped(wanted.query, repository, wanted.kind)
    question = (asked, wanted.limit)
    place = read(wanted.cursor, *question)
    answer, response = await _ask(github, search_issues(asked, place, wanted.limit))
    shown = [hit for hit in answer.items if _is_inside(hit, repository, wanted.kind)]
    entries = choose([entry(hit) for hit in shown], wanted.fields, IssueEntry)
    goes_on = _following(response, place, wanted.limit)
    truncated = goes_on is None and answer.total_count > MOST_HITS
    return Hits(
        items=entries,
        incomplete=answer.incomplete_results or len(shown) < len(answer.items),
        query=asked,
        page_info=PageInfo(
            has_more=goes_on is not None or truncated,
            next_cursor=written(goes_on, *question) if goes_on else None,
            total_count=answer.total_count,
            returned=len(entries),
            truncated=truncated,
        ),
        has_more=goes_on is not None or truncated,
        source=source_of(response),
    )


async def _ask(github: GitHub, endpoint: Endpoint[SearchAnswer]) -> tuple[SearchAnswer, Response]:
    try:
        return await github.fetch(with_response(endpoint))
    except InvalidInput as error:
        error.hint = (
            "Correct the query. GitHub says the same when the repository or a person that it names "
            "does not exist, or cannot be seen by the credential."
        )
        raise


def _is_inside(hit: SentIssue, repository: Repository, kind: Kind) -> bool:
    """Say whether a hit is what was asked for, whatever GitHub has read in the query."""
    owner, name = hit.home
    return f"{owner}/{name}".lower() == repository.slug.lower() and hit.is_pull == (kind == "pr")


def _following(response: Response, place: Place, limit: int) -> Place | None:
    """Return the next place that GitHub would answer; it refuses to begin beyond 1,000."""
    if place.page * limit >= MOST_HITS:
        return None
    return following(links(response.headers).get("next"))
