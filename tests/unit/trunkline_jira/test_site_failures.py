"""What each refusal of Jira becomes, in every shape that its body has."""

from email.utils import formatdate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_jira.site.failures import failure
from trunkline_jira.site.reading import checked
from trunkline_jira.site.traps import trap
from trunkline_shared.errors import (
    AuthError,
    Conflict,
    InvalidInput,
    NotFound,
    PermissionDenied,
    QuotaExceeded,
    RateLimited,
    TooLarge,
    TrunklineError,
    Unsupported,
    UpstreamTimeout,
    UpstreamUnavailable,
)
from trunkline_shared.exchange import Response

NOW = 1_700_000_000.0
JSON = "application/json;charset=UTF-8"


def answer(status: int, body: bytes = b"", *, content_type: str = JSON, **headers: str) -> Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(
        status=status,
        headers={"content-type": content_type, **named},
        body=body,
        url="https://acme.atlassian.net/rest/api/3/issue/ME-1",
        received_at=NOW,
    )


@pytest.mark.requirement("jira.errors")
@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (301, UpstreamUnavailable),
        (400, InvalidInput),
        (401, AuthError),
        (402, QuotaExceeded),
        (403, PermissionDenied),
        (404, NotFound),
        (405, Unsupported),
        (408, UpstreamTimeout),
        (409, Conflict),
        (410, Unsupported),
        (413, TooLarge),
        (414, InvalidInput),
        (415, InvalidInput),
        (422, InvalidInput),
        (429, RateLimited),
        (500, UpstreamUnavailable),
        (501, Unsupported),
        (502, UpstreamUnavailable),
        (503, UpstreamUnavailable),
        (504, UpstreamTimeout),
    ],
)
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b'{"errorMessages":[],"errors":{}}',
        b'{"errorMessages":["No."],"errors":{"summary":"Too long."}}',
        b'{"message":"No.","statusCode":400}',
        b'{"errorMessages":null,"errors":["a"]}',
        b"[1]",
        b"Nothing but text",
        b"\xff\xfe",
        b'{"errorMessages":["half',
    ],
)
def test_each_status_has_its_failure_whatever_the_body(
    status: int, kind: type[TrunklineError], body: bytes
) -> None:
    """Both parts of the body may be empty, and some refusals have no object at all."""
    failed = failure(answer(status, body))
    assert type(failed) is kind
    assert failed.details["http_status"] == status
    assert failed.details["reason"]
    assert str(status) in failed.message


@pytest.mark.requirement("jira.errors")
def test_field_errors_are_told_by_field() -> None:
    """The caller corrects the field, not the sentence."""
    body = b'{"errorMessages":["Bad."],"errors":{"customfield_1":"Wants a number."}}'
    failed = failure(answer(400, body))
    assert failed.details["field_errors"] == [
        {"field": "customfield_1", "problem": "Wants a number.", "kind": "jira"}
    ]
    assert "Bad.; customfield_1: Wants a number." in failed.message


@pytest.mark.requirement("jira.errors")
def test_plain_text_is_told_and_a_page_is_not() -> None:
    """A page of markup helps no model."""
    said = failure(answer(403, b"Client must  be\nauthenticated.", content_type="text/plain"))
    assert "Client must be authenticated." in said.message
    page = failure(answer(502, b"<html><body>secret pages</body>", content_type="text/html"))
    assert "pages" not in page.message
    assert "Bad Gateway" in page.message


@pytest.mark.requirement("jira.errors")
def test_what_jira_says_is_short_visible_and_free_of_secrets() -> None:
    """It may repeat what it was sent."""
    token = "ghp_" + "a" * 36
    body = f'{{"errorMessages":["\u202eAuthorization {token} {"x" * 2000}"]}}'.encode()
    failed = failure(answer(400, body))
    assert token not in failed.message
    assert "\u202e" not in failed.message
    assert len(failed.message) < 500


@pytest.mark.requirement("jira.errors")
def test_an_address_that_is_none_is_told_from_a_missing_issue() -> None:
    """A wrong context path answers 404 to everything."""
    words = b'{"errorMessages":["Issue Does Not Exist"],"errors":{}}'
    assert failure(answer(404, words)).details["reason"] == "not_found"
    wrong = failure(answer(404, b"<html>", content_type="text/html"))
    assert wrong.details["reason"] == "wrong_address"
    assert "TRUNKLINE_JIRA_URL" in (wrong.hint or "")


@pytest.mark.requirement("jira.search-removed", "jira.errors")
def test_a_removed_api_is_not_supported_any_more() -> None:
    """An empty list in its place would be a lie."""
    gone = failure(answer(410, b'{"errorMessages":["The requested API has been removed."]}'))
    assert isinstance(gone, Unsupported)
    assert gone.details["reason"] == "api_removed"


@pytest.mark.requirement("jira.errors")
def test_maintenance_says_when_it_ends() -> None:
    """503 with Retry-After: it comes back by itself."""
    failed = failure(answer(503, b"", content_type="text/html", retry_after="30"))
    assert (failed.retryable, failed.retry_after) == (True, 30)
    assert failed.details["reason"] == "maintenance"


@pytest.mark.requirement("jira.rate-limit")
@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"retry_after": "17"}, 17),
        ({"retry_after": "0"}, 1),
        ({"retry_after": "-5"}, 1),
        ({"retry_after": "0.2"}, 1),
        ({"retry_after": "9" * 40}, 3600),
        ({"retry_after": "inf"}, 60),
        ({"retry_after": "nan"}, 60),
        ({"retry_after": formatdate(NOW + 90, usegmt=True)}, 90),
        ({"retry_after": formatdate(NOW - 90, usegmt=True)}, 1),
        ({"retry_after": "soon"}, 5),
        ({}, 5),
        ({"x_ratelimit_reset": "2023-11-14T22:14:20Z"}, 60),
        ({"x_ratelimit_reset": "2023-11-14T22:14Z"}, 40),
        ({"x_ratelimit_reset": "never"}, 5),
        ({"x_ratelimit_interval_seconds": "60"}, 60),
        ({"retry_after": "3", "x_ratelimit_reset": "2023-11-14T22:14:20Z"}, 3),
    ],
)
def test_a_wait_is_clamped_whatever_jira_says(headers: dict[str, str], wait: int) -> None:
    """Zero would be a loop, ages would be for ever; a date counts, too."""
    assert failure(answer(429, b"", **headers)).retry_after == wait


@pytest.mark.requirement("jira.rate-limit")
def test_the_limits_are_told() -> None:
    """Which quota it was, and how much of it there is."""
    failed = failure(
        answer(
            429,
            retry_after="2",
            x_ratelimit_limit="350",
            x_ratelimit_remaining="0",
            ratelimit_reason="jira-quota-tenant-based",
        )
    )
    told = {"limit": "350", "remaining": "0", "reason": "jira-quota-tenant-based"}
    assert failed.details["rate_limit"] == told
    assert failed.details["throttle"] == {"resource": "requests", "announced": True}


@pytest.mark.requirement("jira.rate-limit")
def test_the_limit_of_one_issue_closes_nothing_else() -> None:
    """Too many writes to one issue say nothing about reads."""
    failed = failure(answer(429, ratelimit_reason="jira-per-issue-on-write", retry_after="2"))
    assert failed.details["throttle"] == {"resource": "issue_writes", "announced": True}


@pytest.mark.requirement("jira.rate-limit")
def test_a_limit_with_a_failed_login_is_a_limit() -> None:
    """Jira says so of valid tokens while it limits: a person must not renew one for that."""
    limited = failure(answer(429, x_seraph_loginreason="AUTHENTICATED_FAILED", retry_after="1"))
    assert isinstance(limited, RateLimited)


FAILED_LOGINS = [
    "AUTHENTICATED_FAILED",
    "authenticated_failed",
    "OK, AUTHENTICATED_FAILED",
    "AUTHENTICATION_DENIED",
    "AUTHORISATION_FAILED",
]


@pytest.mark.requirement("jira.anonymous")
@pytest.mark.parametrize("status", [200, 204, 400, 401, 403, 404])
@pytest.mark.parametrize("reason", FAILED_LOGINS)
def test_a_failed_login_is_one_at_any_status(status: int, reason: str) -> None:
    """200 with fewer results, 404 for what is there: both are an expired token."""
    trapped = trap(answer(status, b"{}", x_seraph_loginreason=reason))
    assert trapped is not None
    assert trapped.details["reason"] == "login_failed"
    assert "JIRA_API_TOKEN" in (trapped.hint or "")


@pytest.mark.requirement("jira.anonymous")
def test_an_answer_to_anonymous_is_refused() -> None:
    """Data Center names the account that it took the request for."""
    trapped = trap(answer(200, b"{}", x_ausername="anonymous"))
    assert trapped is not None
    assert trapped.details["reason"] == "anonymous"
    assert trap(answer(200, b"{}", x_ausername="helper", x_seraph_loginreason="OK")) is None


@pytest.mark.requirement("jira.captcha")
@pytest.mark.parametrize("status", [401, 403])
def test_a_captcha_is_said_with_what_to_do(status: int) -> None:
    """No other token helps: a person has to log in once."""
    denied = "CAPTCHA_CHALLENGE; login-url=https://acme.atlassian.net/login.jsp"
    failed = failure(
        answer(
            status,
            x_authentication_denied_reason=denied,
            x_seraph_loginreason="AUTHENTICATION_DENIED",
        )
    )
    assert isinstance(failed, AuthError)
    assert failed.details["reason"] == "captcha"
    assert "https://acme.atlassian.net/login.jsp" in (failed.hint or "")


@pytest.mark.requirement("jira.captcha")
def test_a_login_elsewhere_is_not_advertised() -> None:
    """The address stands in an answer that anybody in between may have written."""
    denied = "CAPTCHA_CHALLENGE; login-url=https://evil.test/login"
    failed = failure(answer(403, x_authentication_denied_reason=denied))
    assert "evil" not in (failed.hint or "")


@pytest.mark.requirement("jira.login-page")
@pytest.mark.parametrize("content_type", ["text/html", "text/html;charset=UTF-8", "Text/HTML"])
def test_a_page_in_place_of_an_answer_is_a_login(content_type: str) -> None:
    """Single sign-on answers 200."""
    with pytest.raises(AuthError) as refused:
        checked(answer(200, b"<html>", content_type=content_type))
    assert refused.value.details["reason"] == "sso_page"


@pytest.mark.requirement("jira.login-page")
@pytest.mark.parametrize(
    ("location", "kind"),
    [
        ("/login.jsp?os_destination=x", AuthError),
        ("https://sso.corp.test/adfs/saml2/", AuthError),
        ("https://new.corp.test/rest/api/2/search", UpstreamUnavailable),
    ],
)
def test_a_redirection_is_told_by_where_it_leads(location: str, kind: type[TrunklineError]) -> None:
    """A search is a POST and never follows one."""
    assert type(failure(answer(302, location=location))) is kind


@pytest.mark.requirement("jira.errors")
@given(
    status=st.integers(300, 599),
    body=st.binary(max_size=300),
    reason=st.text(max_size=30),
    after=st.text(max_size=12),
)
def test_no_answer_is_beyond_understanding(
    status: int, body: bytes, reason: str, after: str
) -> None:
    """Whatever is sent, one of our failures comes of it."""
    headers = {"x_seraph_loginreason": reason, "retry_after": after, "x_ratelimit_reset": after}
    failed = failure(answer(status, body, **headers))
    assert isinstance(failed, TrunklineError)
    assert failed.retry_after is None or 1 <= failed.retry_after <= 3600
