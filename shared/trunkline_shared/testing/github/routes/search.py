"""Searching issues and pull requests."""

from collections.abc import Sequence

from trunkline_shared.testing.github.access import at_least
from trunkline_shared.testing.github.call import Answer, Call, Refusal, Route
from trunkline_shared.testing.github.conversation import Issue
from trunkline_shared.testing.github.paging import MOST_PER_PAGE, PER_PAGE, page_of
from trunkline_shared.testing.github.payloads.issues import issue
from trunkline_shared.testing.github.repository import Repository
from trunkline_shared.testing.github.routes.issue_lists import visible
from trunkline_shared.testing.github.search_language import NotUnderstood, Query

MOST_RESULTS, LONGEST_QUERY = 1_000, 4_096
HEADERS = {"x-ratelimit-resource": "search"}


def search_issues(call: Call) -> Answer:
    """Return a page of the first 1,000 hits, newest first."""
    hits = _hits(call)
    _refuse_beyond(call)
    address = f"{call.urls.api}/search/issues"
    shown, links = page_of(call, hits[:MOST_RESULTS], address)
    return Answer(
        json={
            "total_count": len(hits),
            "incomplete_results": call.state.search_is_incomplete,
            "search_type": "lexical",
            "items": [{**issue(one, home, call.urls), "score": 1.0} for home, one in shown],
        },
        headers={**HEADERS, **links},
    )


def _hits(call: Call) -> Sequence[tuple[Repository, Issue]]:
    text = call.query.get("q", "")
    if not text.strip() or len(text) > LONGEST_QUERY:
        raise _invalid(
            "missing" if not text.strip() else "invalid",
            "The search is longer than 256 characters.",
        )
    try:
        matches, named = Query.read(text)
    except NotUnderstood as error:
        raise _invalid("invalid", f"The search could not be parsed: {error}.") from error
    readable = [one for one in call.state.repositories.values() if at_least(call, one, "read")]
    if not set(named) <= {one.full_name.lower() for one in readable}:
        raise _invalid(
            "invalid",
            "The listed users and repositories cannot be searched either because the resources "
            "do not exist or you do not have permission to view them.",
        )
    found = [(home, one) for home in readable for one in visible(call, home) if matches(home, one)]
    return sorted(found, key=lambda hit: (hit[1].created_at, hit[1].number), reverse=True)


def _refuse_beyond(call: Call) -> None:
    per_page = min(int(call.query.get("per_page", PER_PAGE)), MOST_PER_PAGE)
    if (int(call.query.get("page", 1)) - 1) * per_page >= MOST_RESULTS:
        raise Refusal(422, "Only the first 1000 search results are available", headers=HEADERS)


def _invalid(code: str, message: str) -> Refusal:
    error = {"message": message, "resource": "Search", "field": "q", "code": code}
    return Refusal(422, "Validation Failed", errors=[error], headers=HEADERS)


ROUTES = (Route(method="GET", path="/search/issues", handle=search_issues),)
