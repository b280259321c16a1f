"""Every refusal of GitHub has one code, decided in a fixed order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.trunkline_shared.github.answers import NOW, answer
from trunkline_shared import wire
from trunkline_shared.errors import BY_CODE, RateLimited, TrunklineError
from trunkline_shared.github.failures import failure
from trunkline_shared.github.refusal import MESSAGE_CAP

SSO = "required; url=https://github.com/orgs/acme/sso?authorization_request=A"
VALIDATION = "Validation Failed"


def refused(
    status: int, message: str = "no", errors: object = None, **headers: object
) -> TrunklineError:
    body = {"message": message} | ({} if errors is None else {"errors": errors})
    return failure(answer(status, body, **headers))


@pytest.mark.parametrize(
    ("status", "message", "code", "reason"),
    [
        (400, "Problems parsing JSON", "INVALID_INPUT", "bad_request"),
        (401, "Bad credentials", "AUTH_ERROR", "bad_credentials"),
        (402, "Payment required", "QUOTA_EXCEEDED", "plan_limit"),
        (403, "Resource not accessible by integration", "PERMISSION_DENIED", "missing_permission"),
        (
            403,
            "Resource not accessible by personal access token",
            "PERMISSION_DENIED",
            "missing_permission",
        ),
        (403, "Must have admin rights", "PERMISSION_DENIED", "forbidden"),
        (
            403,
            "Unable to create comment because issue is locked.",
            "PERMISSION_DENIED",
            "locked",
        ),
        (403, "Repository was archived so is read-only.", "PERMISSION_DENIED", "archived"),
        (404, "Not Found", "NOT_FOUND", "not_found"),
        (405, "Pull Request is not mergeable", "CONFLICT", "conflict"),
        (406, "Unsupported media", "UNSUPPORTED", "not_acceptable"),
        (408, "Timeout", "TIMEOUT", "upstream_timeout"),
        (409, "Git Repository is empty.", "CONFLICT", "conflict"),
        (410, "This issue was deleted", "NOT_FOUND", "gone"),
        (410, "Issues are disabled for this repo", "NOT_FOUND", "issues_disabled"),
        (413, "Too big", "TOO_LARGE", "too_large"),
        (415, "Unsupported media type", "INVALID_INPUT", "bad_request"),
        (418, "I'm a teapot", "INVALID_INPUT", "bad_request"),
        (422, VALIDATION, "INVALID_INPUT", "validation_failed"),
        (423, "Locked", "CONFLICT", "conflict"),
        (429, "Slow down", "RATE_LIMITED", "secondary_rate_limit"),
        (451, "DMCA", "PERMISSION_DENIED", "unavailable_for_legal_reasons"),
        (500, "Oops", "UPSTREAM_UNAVAILABLE", "upstream_failed"),
        (501, "Not here", "UNSUPPORTED", "not_implemented"),
        (502, "Bad gateway", "UPSTREAM_UNAVAILABLE", "upstream_failed"),
        (503, "Maintenance", "UPSTREAM_UNAVAILABLE", "upstream_failed"),
        (504, "Gateway timeout", "TIMEOUT", "upstream_timeout"),
        (507, "Full", "QUOTA_EXCEEDED", "plan_limit"),
        (307, "Moved", "NOT_FOUND", "moved"),
        (599, "What", "UPSTREAM_UNAVAILABLE", "upstream_failed"),
    ],
)
def test_a_status_has_its_code(status: int, message: str, code: str, reason: str) -> None:
    """The closed set, with GitHub's id of the request and the status."""
    error = refused(status, message)
    assert (error.code, error.details["reason"]) == (code, reason)
    assert error.details["http_status"] == status
    assert error.details["request_id"] == "ABCD:1"
    assert message in error.message
    assert f"{status} for /repos/o/r/issues/7/comments" in error.message
    assert error.retryable == (code in {"RATE_LIMITED", "UPSTREAM_UNAVAILABLE", "TIMEOUT"})


def test_a_rate_limit_comes_before_single_sign_on_and_permission() -> None:
    """A limited token is answered 403 whatever else is wrong with it."""
    error = refused(
        403,
        "Resource not accessible by integration",
        x_ratelimit_remaining=0,
        x_ratelimit_reset=int(NOW) + 40,
        x_github_sso=SSO,
    )
    assert (error.code, error.retry_after) == ("RATE_LIMITED", 40)


def test_single_sign_on_comes_before_permission_and_shows_its_url() -> None:
    """A person opens the URL."""
    error = refused(403, "Resource not accessible by integration", x_github_sso=SSO)
    assert (error.code, error.details["reason"]) == ("PERMISSION_DENIED", "sso_required")
    assert "https://github.com/orgs/acme/sso?authorization_request=A" in str(error.hint)


def test_single_sign_on_without_a_url_is_still_named() -> None:
    """The header's second part is optional."""
    assert "single sign-on" in str(refused(403, x_github_sso="required").hint)


def test_partial_single_sign_on_results_are_no_refusal_of_it() -> None:
    """That header comes with successes as well."""
    error = refused(403, x_github_sso="partial-results; organizations=1")
    assert error.details["reason"] == "forbidden"


def test_the_missing_permission_stands_in_the_hint() -> None:
    """GitHub tells which one it wants."""
    error = refused(403, x_accepted_github_permissions="issues=write; pull_requests=write")
    assert "issues=write; pull_requests=write" in str(error.hint)


def test_a_read_only_workflow_token_is_explained() -> None:
    """The usual case: a pull request from a fork."""
    assert "forks" in str(refused(403, "Resource not accessible by integration").hint)


def test_not_found_says_that_it_may_be_a_lack_of_access() -> None:
    """GitHub hides what a credential may not see."""
    assert "may not see" in str(refused(404).hint)


def test_a_removed_api_is_unsupported() -> None:
    """Told by its header, not by its words."""
    assert refused(410, sunset="Sat, 01 Jan 2028 00:00:00 GMT").code == "UNSUPPORTED"


def test_a_diff_that_is_too_large_is_told_from_other_406() -> None:
    """By the error's code."""
    error = refused(
        406, "Sorry", [{"resource": "PullRequest", "field": "diff", "code": "too_large"}]
    )
    assert error.code == "TOO_LARGE"


def test_an_unknown_api_version_names_its_variable() -> None:
    """GitHub answers 400 to a version that it does not know."""
    error = refused(400, "Unknown API version '2031-01-01'")
    assert "TRUNKLINE_GITHUB_API_VERSION" in str(error.hint)


def test_a_failing_vendors_wait_is_kept() -> None:
    """A 503 may say when to come back."""
    assert refused(503, retry_after="17").retry_after == 17


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'"x"', b"\xff\xfe", b'{"message": 7}'])
def test_a_body_that_is_no_error_object_still_has_its_status(body: bytes) -> None:
    """Proxies answer in HTML."""
    error = failure(answer(502, body))
    assert error.code == "UPSTREAM_UNAVAILABLE"
    assert error.message.endswith("Bad Gateway")


def test_an_unnamed_status_has_a_sentence_too() -> None:
    """Nothing fails while failing."""
    assert failure(answer(599, b"")).message.endswith("no reason given")


def test_what_github_quotes_is_cut_and_cleaned() -> None:
    """No secret, nothing invisible, no page of text."""
    error = refused(422, "token ghp_" + "a1B2" * 9 + "\u202e" + "x" * 1000)
    assert "ghp_" not in error.message
    assert "\u202e" not in error.message
    assert len(error.message) < MESSAGE_CAP + 100


entries = st.text(max_size=20) | st.none() | st.integers(-9, 9) | st.booleans()
bodies = st.fixed_dictionaries(
    {},
    optional={
        "message": entries,
        "errors": entries
        | st.lists(
            entries
            | st.dictionaries(st.sampled_from(["resource", "field", "code", "message"]), entries)
        ),
    },
)


@given(st.integers(300, 599), bodies)
def test_whatever_github_refuses_with_is_an_error_of_the_set(status: int, body: object) -> None:
    """Every status, every body; and it can be sent on."""
    error = failure(answer(status, body))
    assert BY_CODE[error.code] is type(error)
    assert wire.from_text(wire.to_text(error)) is not None
    assert isinstance(error, RateLimited) or error.details["http_status"] == status
