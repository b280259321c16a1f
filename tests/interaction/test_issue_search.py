"""Searching one repository, and never another."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from dirty_equals import IsPartialDict

from tests.interaction.issue_tracking import SEARCH, Tracking, names_of, tracking
from trunkline_shared import meta
from trunkline_shared.testing.github import AnswerWith, GitHubStandIn, LaggingList

pytestmark = pytest.mark.anyio

BEGAN = datetime(2025, 1, 1, tzinfo=UTC)


@pytest.fixture
async def here(github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Tracking]:
    """The usual repository, and another one that the credential sees as well."""
    async with tracking(github, monkeypatch) as made:
        other = github.state.add_repository("acme/secret")
        other.add_issue("Broken plans", made.stranger)
        yield made


async def found(here: Tracking, query: str, **arguments: object) -> list[str]:
    """Return the titles of what a search finds."""
    answer = await here.call("search_issues", query=query, **arguments)
    return names_of(answer["items"])


def hit(number: int, repository_url: str) -> dict[str, object]:
    """Return an item of GitHub's answer, as far as it is read."""
    return {
        "id": number,
        "number": number,
        "title": "Broken",
        "state": "open",
        "html_url": "https://github.com/",
        "repository_url": repository_url,
        "created_at": "2025-01-01T00:00:00Z",
        "updated_at": "2025-01-01T00:00:00Z",
    }


async def test_a_search_finds_words_and_qualifiers(here: Tracking) -> None:
    """As GitHub reads them, within the repository."""
    here.label(here.issue, "bug")
    answer = await here.call("search_issues", query="broken label:bug is:open")
    assert names_of(answer["items"]) == ["Broken"]
    assert answer == IsPartialDict(
        incomplete=False,
        has_more=False,
        query="repo:acme/widgets is:issue broken label:bug is:open",
    )
    assert answer["page_info"] == IsPartialDict(total_count=1, returned=1, truncated=False)
    assert answer["items"][0] == IsPartialDict(number=1, labels=["bug"], author="mallory")


async def test_issues_and_pull_requests_are_searched_apart(here: Tracking) -> None:
    """`kind` says which; a query that says otherwise is told so."""
    assert await found(here, "e", kind="issue") == ["Broken"]
    assert await found(here, "e", kind="pr") == ["Mend"]
    assert await found(here, "is:pr e", kind="pr") == ["Mend"]
    error = await here.refused("search_issues", query="is:PR e")
    assert (error["error_code"], error["hint"]) == ("INVALID_INPUT", "Pass kind='pr'.")


@pytest.mark.requirement("issues.search-scope")
@pytest.mark.parametrize(
    "query",
    [
        "broken OR plans",
        "plans OR (broken)",
        "NOT zzz",
        "(broken OR plans) OR plans",
        "-is:closed",
    ],
)
async def test_no_operator_widens_a_search_beyond_the_repository(
    here: Tracking, query: str
) -> None:
    """Without parentheses around it, an OR would leave the repository."""
    assert await found(here, query) == ["Broken"]


@pytest.mark.requirement("issues.search-scope")
async def test_hits_from_elsewhere_are_dropped_whatever_github_read(here: Tracking) -> None:
    """The last line of defence: an answer that holds another repository's issue."""
    repos = f"{here.github.url}/repos"
    items = [hit(1, f"{repos}/ACME/widgets"), hit(2, f"{repos}/acme/secret")]
    body = {"total_count": 2, "incomplete_results": False, "items": items}
    here.github.faults.add(AnswerWith(status=200, body=body), "GET", SEARCH)
    answer = await here.call("search_issues", query="broken")
    assert [one["number"] for one in answer["items"]] == [1]
    assert answer["incomplete"] is True


@pytest.mark.requirement("issues.search-scope")
@pytest.mark.parametrize(
    "query",
    [
        "repo:acme/secret plans",
        "plans -repo:acme/widgets",
        "REPO:acme/secret",
        "(org:acme plans)",
        "user:acme",
        'repo:"acme/secret"',
        '"plans" owner:acme',
        "a OR repo:acme/secret",
        "enterprise:acme",
        "repo\uff1aacme/secret",
    ],
)
async def test_a_query_says_not_where_to_search(here: Tracking, query: str) -> None:
    """Every qualifier that could name another place is refused, before anything is sent."""
    error = await here.refused("search_issues", query=query)
    assert error["error_code"] == "BLOCKED_BY_POLICY"
    assert error["details"]["reason"] == "search_scope"
    assert not len(here.github.requests)


@pytest.mark.requirement("issues.search-scope")
async def test_in_quotes_such_words_are_text(here: Tracking) -> None:
    """A phrase names nothing."""
    here.issue.body = "it says repo:acme/secret here"
    assert await found(here, '"repo:acme/secret"') == ["Broken"]


@pytest.mark.requirement("issues.search-scope")
@pytest.mark.parametrize(
    "query", ['broken"', 'a \\" repo:x/y "', "a) OR (b", "((a)", "", "  ", "x" * 2_000]
)
async def test_a_query_that_cannot_be_held_together_is_refused(here: Tracking, query: str) -> None:
    """Else what is added around it would be read as a part of it."""
    error = await here.refused("search_issues", query=query)
    assert error["error_code"] == "INVALID_INPUT"
    assert not len(here.github.requests)


@pytest.mark.requirement("issues.search-scope")
async def test_bindings_and_allowlist_stand_over_a_search(
    github: GitHubStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a context nor TRUNKLINE_ALLOWED_REPOS is left by searching."""
    async with tracking(github, monkeypatch, allowed_repos="acme/widgets") as here:
        github.state.add_repository("acme/secret")
        outside = await here.refused("search_issues", query="x", repo="secret")
        bound = {meta.BIND: {"owner": "acme", "repo": "gadgets", "pr_number": 2}}
        elsewhere = await here.refused("search_issues", query="x", meta=bound)
        inside = {meta.BIND: {"owner": "acme", "repo": "widgets", "pr_number": 2}}
        assert await found(here, "broken", meta=inside) == ["Broken"]
    assert {outside["error_code"], elsewhere["error_code"]} == {"BLOCKED_BY_POLICY"}


@pytest.mark.requirement("issues.search-limits")
async def test_an_incomplete_search_says_so(here: Tracking) -> None:
    """GitHub ran out of time: there may be more."""
    here.github.state.search_is_incomplete = True
    answer = await here.call("search_issues", query="broken")
    assert answer["incomplete"] is True


@pytest.mark.requirement("issues.search-limits")
async def test_the_end_of_what_github_shows_is_not_the_end_of_what_it_found(
    here: Tracking,
) -> None:
    """1,000 hits can be read; the last page says that there are more."""
    for number in range(1_004):
        at = BEGAN + timedelta(minutes=number)
        here.repository.add_issue(f"Flaky {number}", here.stranger, at=at)
    cursor, seen = "", 0
    answer: dict[str, Any] = {}
    for _ in range(10):
        answer = await here.call("search_issues", query="flaky", limit=100, cursor=cursor)
        seen += len(answer["items"])
        assert answer["has_more"] is True
        cursor = answer["page_info"]["next_cursor"] or ""
    assert (seen, cursor) == (1_000, "")
    assert answer["page_info"] == IsPartialDict(truncated=True, total_count=1_004)


async def test_a_search_is_paged(here: Tracking) -> None:
    """Each cursor leads on, for its own search only."""
    for number in range(4):
        here.repository.add_issue(f"Flaky {number}", here.stranger)
    one = await here.call("search_issues", query="flaky", limit=3)
    cursor = one["page_info"]["next_cursor"]
    two = await here.call("search_issues", query="flaky", limit=3, cursor=cursor)
    assert names_of(one["items"] + two["items"]) == [f"Flaky {n}" for n in (3, 2, 1, 0)]
    assert (one["has_more"], two["has_more"]) == (True, False)
    error = await here.refused("search_issues", query="other", limit=3, cursor=cursor)
    assert error["error_code"] == "INVALID_INPUT"


@pytest.mark.requirement("issues.search-limits")
async def test_a_bad_query_is_told_in_githubs_words(here: Tracking) -> None:
    """422 with its reason."""
    here.repository.private = True
    here.repository.roles.clear()
    error = await here.refused("search_issues", query="broken")
    assert error["error_code"] == "INVALID_INPUT"
    assert "cannot be searched" in error["message"]
    assert "does not exist" in error["hint"]


@pytest.mark.requirement("issues.search-limits")
async def test_a_search_is_never_semantic_unasked(here: Tracking) -> None:
    """What is sent asks for GitHub's own language, and for nothing else."""
    await here.call("search_issues", query="broken")
    (request,) = here.github.requests.matching("GET", SEARCH)
    assert dict(request.query).keys() == {"q", "advanced_search", "per_page", "page"}


@pytest.mark.requirement("issues.search-limits")
async def test_an_exhausted_search_quota_stops_searches_only(here: Tracking) -> None:
    """30 a minute are counted apart: lists go on, and the next search is not even sent."""
    headers = {
        "x-ratelimit-resource": "search",
        "x-ratelimit-remaining": "0",
        "retry-after": "40",
    }
    body = {"message": "API rate limit exceeded for user ID 1."}
    here.github.faults.add(AnswerWith(status=403, body=body, headers=headers), "GET", SEARCH)
    first = await here.refused("search_issues", query="broken")
    second = await here.refused("search_issues", query="broken")
    assert (first["error_code"], first["retry_after_seconds"]) == ("RATE_LIMITED", 40)
    assert first["details"]["throttle"]["resource"] == "search"
    assert second["details"]["phase"] == "held"
    assert here.sent("GET", SEARCH) == 1
    assert names_of((await here.call("github_list_issues"))["issues"]) == ["Broken"]


async def test_what_was_just_changed_may_not_be_found_yet(here: Tracking) -> None:
    """GitHub's index lags; nothing of ours pretends otherwise."""
    here.repository.add_issue("Broken again", here.stranger)
    here.github.faults.add(LaggingList(newest=1), "GET", SEARCH)
    assert await found(here, "broken") == ["Broken"]
    assert await found(here, "broken") == ["Broken again", "Broken"]


async def test_only_the_chosen_fields_of_hits_are_returned(here: Tracking) -> None:
    """As in a list."""
    answer = await here.call("search_issues", query="broken", fields=["number"])
    assert answer["items"] == [{"number": 1}]
