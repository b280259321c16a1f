"""What a 422 means: branch, line, exists, too long, other."""

import pytest

from tests.unit.trunkline_shared.github.answers import answer
from trunkline_shared.errors import TrunklineError
from trunkline_shared.github.failures import failure

BRANCH = {"resource": "PullRequest", "field": "head", "code": "invalid"}
LINE = {
    "resource": "PullRequestReviewComment",
    "code": "custom",
    "field": "pull_request_review_thread.line",
    "message": "pull_request_review_thread.line must be part of the diff",
}
EXISTS = {
    "resource": "PullRequest",
    "code": "custom",
    "message": "A pull request already exists for o:b.",
}
TOO_LONG = {
    "resource": "IssueComment",
    "code": "unprocessable",
    "field": "data",
    "message": "Body is too long (maximum is 65536 characters)",
}
OTHER = {"resource": "Issue", "field": "title", "code": "missing_field"}


def refused(*errors: object) -> TrunklineError:
    return failure(answer(422, {"message": "Validation Failed", "errors": list(errors)}))


@pytest.mark.parametrize(
    ("error", "code", "reason"),
    [
        (BRANCH, "BRANCH_NOT_FOUND", "branch"),
        ({**BRANCH, "field": "base"}, "BRANCH_NOT_FOUND", "branch"),
        (LINE, "LINE_NOT_IN_DIFF", "line_not_in_diff"),
        (
            {"resource": "PullRequestReviewComment", "field": "path", "code": "invalid"},
            "LINE_NOT_IN_DIFF",
            "line_not_in_diff",
        ),
        ("Line could not be resolved", "LINE_NOT_IN_DIFF", "line_not_in_diff"),
        ("Path could not be resolved", "LINE_NOT_IN_DIFF", "line_not_in_diff"),
        (EXISTS, "CONFLICT", "already_exists"),
        (
            {"resource": "Label", "code": "already_exists", "field": "name"},
            "CONFLICT",
            "already_exists",
        ),
        ("User can only have one pending review per pull request", "CONFLICT", "pending_review"),
        (TOO_LONG, "TOO_LARGE", "too_long"),
        ({"resource": "Issue", "field": "body", "code": "too_long"}, "TOO_LARGE", "too_long"),
        (OTHER, "INVALID_INPUT", "validation_failed"),
        (
            {"resource": "Issue", "field": "line", "code": "invalid"},
            "INVALID_INPUT",
            "validation_failed",
        ),
        (
            {"resource": "PullRequest", "field": "head", "code": "missing_field"},
            "INVALID_INPUT",
            "validation_failed",
        ),
        ("anything else", "INVALID_INPUT", "validation_failed"),
    ],
)
def test_an_entry_has_its_code(error: object, code: str, reason: str) -> None:
    """By field and code where there are some, by words only for plain entries."""
    found = refused(error)
    assert (found.code, found.details["reason"]) == (code, reason)
    assert found.hint
    assert not found.retryable


def test_the_order_is_branch_line_exists_too_long_other() -> None:
    """Of several, the first of that order counts, wherever it stands."""
    entries = [OTHER, TOO_LONG, EXISTS, LINE, BRANCH]
    codes = []
    while entries:
        codes.append(refused(*entries).code)
        entries.pop()
    assert codes == [
        "BRANCH_NOT_FOUND",
        "LINE_NOT_IN_DIFF",
        "CONFLICT",
        "TOO_LARGE",
        "INVALID_INPUT",
    ]


def test_every_entry_is_told() -> None:
    """Field, problem and kind of each."""
    assert refused(OTHER, "odd").details["field_errors"] == [
        {"field": "title", "problem": "missing_field", "kind": "missing_field"},
        {"field": "", "problem": "odd", "kind": "custom"},
    ]


def test_words_do_not_overrule_a_code() -> None:
    """A coded entry is never classified by its sentence."""
    error = {**OTHER, "message": "the line must be part of the diff and already exists"}
    assert refused(error).code == "INVALID_INPUT"
