"""What an answer of Basecamp that is no success becomes."""

from collections.abc import Mapping

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_project_reader.basecamp.failures import failure
from trunkline_shared.errors import RateLimited, TrunklineError
from trunkline_shared.exchange import Response

NOW = 1_700_000_000.0
URL = "https://3.basecampapi.com/1/messages/2.json"


def failed(status: int, body: object = b"", headers: Mapping[str, str] | None = None) -> Response:
    raw = body if isinstance(body, bytes) else orjson.dumps(body)
    return Response(status=status, headers=headers or {}, body=raw, url=URL, received_at=NOW)


@pytest.mark.requirement("basecamp.refusals")
@pytest.mark.parametrize(
    ("body", "told", "fields"),
    [
        ({"error": "No such thing"}, "No such thing", []),
        (
            {"errors": {"name": ["can't be blank", "is too short"]}},
            "name can't be blank, is too short",
            ["name"],
        ),
        ({"payload_url": ["must be https"]}, "payload_url must be https", ["payload_url"]),
        ({"errors": ["Page is out of range"]}, "Page is out of range", [""]),
        ({"status": 400, "error": "Bad Request"}, "Bad Request", []),
        ({"errors": {"name": "is odd"}}, "name is odd", ["name"]),
        (b"<html>", "Bad Request", []),
        (b"", "Bad Request", []),
        ([1, 2], "Bad Request", []),
        ({"errors": 5}, "Bad Request", []),
    ],
    ids=["error", "errors", "bare", "list", "rails", "text", "html", "nothing", "array", "number"],
)
def test_each_form_of_an_error_is_understood(body: object, told: str, fields: list[str]) -> None:
    """A sentence, a map of fields, a bare map of fields, and what is none of them."""
    error = failure(failed(400, body))
    assert error.code == "INVALID_INPUT"
    assert error.message == f"Basecamp answered 400 for /1/messages/2.json: {told}"
    errors = error.details["field_errors"]
    assert isinstance(errors, list)
    assert [one["field"] for one in errors] == fields


@pytest.mark.parametrize(
    ("status", "code", "retryable"),
    [
        (400, "INVALID_INPUT", False),
        (401, "AUTH_ERROR", False),
        (402, "QUOTA_EXCEEDED", False),
        (403, "PERMISSION_DENIED", False),
        (404, "NOT_FOUND", False),
        (406, "INVALID_INPUT", False),
        (408, "TIMEOUT", True),
        (409, "CONFLICT", False),
        (410, "NOT_FOUND", False),
        (413, "TOO_LARGE", False),
        (422, "INVALID_INPUT", False),
        (429, "RATE_LIMITED", True),
        (500, "UPSTREAM_UNAVAILABLE", True),
        (501, "UNSUPPORTED", False),
        (502, "UPSTREAM_UNAVAILABLE", True),
        (503, "UPSTREAM_UNAVAILABLE", True),
        (504, "TIMEOUT", True),
        (507, "QUOTA_EXCEEDED", False),
        (302, "UPSTREAM_UNAVAILABLE", False),
        (599, "UPSTREAM_UNAVAILABLE", True),
    ],
)
def test_each_status_has_its_code(status: int, code: str, *, retryable: bool) -> None:
    """By status alone, never by the words of a message."""
    error = failure(failed(status, {"error": "rate limit exceeded, not found"}))
    assert (error.code, error.retryable) == (code, retryable)
    assert error.details["http_status"] == status


@pytest.mark.requirement("basecamp.refusals")
@pytest.mark.parametrize("reason", ["Account Inactive", "account inactive "])
def test_an_inactive_account_is_not_a_missing_thing(reason: str) -> None:
    """404 with a header that says so."""
    error = failure(failed(404, headers={"reason": reason}))
    assert error.code == "NOT_FOUND"
    assert error.details["reason"] == "account_inactive"
    assert failure(failed(404)).details["reason"] == "not_found"


@pytest.mark.requirement("basecamp.retry-after")
@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", 7),
        ("0", 1),
        ("1.2", 2),
        ("-5", 1),
        ("999999", 3600),
        ("Tue, 14 Nov 2023 22:13:50 GMT", 30),
        ("Tue, 14 Nov 2023 22:00:00 GMT", 1),
        ("soon", 10),
        ("", 10),
        ("nan", 60),
    ],
)
def test_the_wait_of_a_rate_limit(header: str, seconds: int) -> None:
    """Seconds or a date, rounded up, between one second and an hour; ten when nobody says."""
    limited = failure(failed(429, "Too many", {"retry-after": header}))
    assert isinstance(limited, RateLimited)
    assert limited.retry_after == seconds
    throttle = limited.details["throttle"]
    assert isinstance(throttle, dict)
    assert throttle["resource"] == "requests"


@given(
    status=st.integers(300, 599),
    body=st.one_of(
        st.binary(max_size=200),
        st.recursive(
            st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(st.sampled_from(["error", "errors", "x"]), inner, max_size=3)
            ),
            max_leaves=8,
        ).map(orjson.dumps),
    ),
    headers=st.dictionaries(st.sampled_from(["retry-after", "reason", "x-request-id"]), st.text()),
)
def test_no_answer_is_beyond_understanding(
    status: int, body: bytes, headers: dict[str, str]
) -> None:
    """Whatever it holds: a failure of ours with a bounded message comes of it."""
    error = failure(failed(status, body, headers))
    assert isinstance(error, TrunklineError)
    assert len(error.message) < 500


def test_a_message_holds_no_secret() -> None:
    """What Basecamp repeats of a request is shown without it."""
    error = failure(failed(400, {"error": "Bearer ghp_" + "a1B2" * 9}))
    assert "a1B2a1B2" not in error.message
