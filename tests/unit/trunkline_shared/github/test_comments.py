"""Comments of both families: what is asked, and what is read."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

import pytest

from tests.unit.trunkline_shared.github.answers import COMMENT, REVIEW_COMMENT, answer
from trunkline_shared.errors import NotFound, UpstreamUnavailable
from trunkline_shared.exchange import Endpoint
from trunkline_shared.github import comments
from trunkline_shared.github.repository import Repository

HERE = Repository("o", "r")


@pytest.mark.parametrize(
    ("endpoint", "method", "path", "body"),
    [
        (comments.get_issue_comment(HERE, 5), "GET", "/repos/o/r/issues/comments/5", None),
        (
            comments.update_issue_comment(HERE, 5, "x"),
            "PATCH",
            "/repos/o/r/issues/comments/5",
            {"body": "x"},
        ),
        (comments.delete_issue_comment(HERE, 5), "DELETE", "/repos/o/r/issues/comments/5", None),
        (
            comments.create_issue_comment(HERE, 7, "x"),
            "POST",
            "/repos/o/r/issues/7/comments",
            {"body": "x"},
        ),
        (comments.get_review_comment(HERE, 5), "GET", "/repos/o/r/pulls/comments/5", None),
        (
            comments.update_review_comment(HERE, 5, "x"),
            "PATCH",
            "/repos/o/r/pulls/comments/5",
            {"body": "x"},
        ),
        (comments.delete_review_comment(HERE, 5), "DELETE", "/repos/o/r/pulls/comments/5", None),
    ],
)
def test_an_endpoint_asks_its_own_address(
    endpoint: Endpoint[object], method: str, path: str, body: object
) -> None:
    """Method, path and body; only creating must not be repeated."""
    request = endpoint.request
    assert (request.method, request.path, request.json) == (method, path, body)
    assert endpoint.repeatable == (method != "POST")
    assert request.template.format(owner="o", repo="r", number=7, comment_id=5) == path


def test_a_list_asks_for_its_page_and_the_time_in_utc() -> None:
    """`since` in the one form that GitHub documents."""
    since = datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=timezone(timedelta(hours=2)))
    endpoint = comments.list_issue_comments(HERE, 7, since=since, page_number=3, per_page=30)
    assert endpoint.request.path == "/repos/o/r/issues/7/comments"
    assert dict(endpoint.request.query) == {
        "per_page": "30",
        "page": "3",
        "since": "2026-01-02T01:04:05Z",
    }


def test_a_comment_is_read() -> None:
    """Author, times, reactions, and the issue it belongs to."""
    read = comments.get_issue_comment(HERE, 5).read(answer(200, COMMENT))
    assert (read.id, read.body, read.number) == (5, "hello", 7)
    assert read.user is not None
    assert (read.user.login, read.user.type) == ("octocat", "User")
    assert read.updated_at == datetime(2026, 1, 2, tzinfo=UTC)
    assert read.reactions == {"+1": 2, "eyes": 1}


def test_a_comment_of_a_deleted_account_is_read() -> None:
    """`user` is null, and so may be the body."""
    bare = {**COMMENT, "user": None, "body": None, "author_association": None, "reactions": None}
    read = comments.get_issue_comment(HERE, 5).read(answer(200, bare))
    assert (read.user, read.body, read.author_association) == (None, "", "NONE")
    assert read.reactions == {}


def test_a_review_comment_is_read_although_outdated() -> None:
    """`line` is null then; the pull request is known."""
    read = comments.get_review_comment(HERE, 5).read(answer(200, REVIEW_COMMENT))
    assert (read.number, read.path, read.line) == (12, "a.py", None)


def test_whether_a_comment_is_hidden_is_read_where_it_is_told() -> None:
    """Null says no, an object says yes, absence says nothing."""
    told = [{**COMMENT, "minimized": None}, {**COMMENT, "minimized": {"reason": "spam"}}, COMMENT]
    read = [comments.get_issue_comment(HERE, 5).read(answer(200, body)) for body in told]
    assert [comment.is_minimized for comment in read] == [False, True, None]


@pytest.mark.parametrize("url", ["", "https://x/issues/", "https://x/issues/٣", "x"])
def test_an_odd_issue_address_is_number_zero(url: str) -> None:
    """No number is invented."""
    odd = {**COMMENT, "issue_url": url}
    assert comments.get_issue_comment(HERE, 5).read(answer(200, odd)).number == 0


def test_fields_that_a_newer_version_removes_are_not_read() -> None:
    """`rate`, `merge_commit_sha`, `assignee` may be there or not, and be anything."""
    newer = {**COMMENT, "assignee": 3, "rate": "x", "merge_commit_sha": []}
    read = comments.get_issue_comment(HERE, 5).read(answer(200, newer))
    assert not {"assignee", "rate", "merge_commit_sha"} & read.model_dump().keys()


def test_a_page_of_comments_knows_the_next() -> None:
    """From the Link header."""
    page = comments.list_issue_comments(HERE, 7).read(
        answer(200, [COMMENT], link='<https://api.github.com/x?page=2>; rel="next"')
    )
    assert [c.id for c in page.items] == [5]
    assert (page.next_page, page.last_page) == (2, None)


@pytest.mark.parametrize("delete", [comments.delete_issue_comment, comments.delete_review_comment])
@pytest.mark.parametrize(("status", "existed"), [(204, True), (404, False), (410, False)])
def test_deleting_what_is_gone_is_no_failure(
    delete: Callable[[Repository, int], Endpoint[bool]], status: int, *, existed: bool
) -> None:
    """It says whether there was something to delete."""
    assert delete(HERE, 5).read(answer(status, b"")) is existed


def test_the_other_familys_comment_is_not_found() -> None:
    """The caller then asks the other family."""
    with pytest.raises(NotFound):
        comments.get_review_comment(HERE, 5).read(answer(404, {"message": "Not Found"}))


@pytest.mark.parametrize(
    "body", [b"", b"<html>", b"[]", b"null", {**COMMENT, "id": "x"}, {"id": 5}, b'{"id": 5']
)
def test_a_malformed_success_is_a_failure_that_does_not_pass(body: object) -> None:
    """UPSTREAM_UNAVAILABLE, not retryable, without the body's text."""
    with pytest.raises(UpstreamUnavailable) as caught:
        comments.get_issue_comment(HERE, 5).read(answer(200, body))
    assert not caught.value.retryable
    assert caught.value.details["reason"] == "malformed_answer"
    assert "html" not in caught.value.message
