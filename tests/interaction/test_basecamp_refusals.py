"""What becomes of Basecamp's refusals and failures."""

import math
from collections.abc import AsyncIterator

import pytest

from tests.interaction.project_reading import Reading, reading
from trunkline_shared.testing.basecamp import BasecampStandIn, account_limit, rate_limited
from trunkline_shared.testing.stand_in.faults import (
    AnswerWith,
    CutAfterApplying,
    CutBeforeReading,
    Fault,
    MalformedJson,
    TruncatedBody,
)

pytestmark = pytest.mark.anyio


@pytest.fixture
async def here(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Reading]:
    """An account with one project."""
    async with reading(monkeypatch) as made:
        yield made


async def refused(here: Reading, fault: Fault, times: float = math.inf) -> dict[str, object]:
    """Let Basecamp answer with a fault, and return what an agent is told."""
    here.basecamp.faults.add(fault, times=times)
    return await here.refused("get_project_tools", project_id=here.project.id)


@pytest.mark.requirement("basecamp.retry-after")
@pytest.mark.parametrize(
    ("header", "seconds"),
    [(120, 120), ("Tue, 14 Nov 2023 22:20:00 GMT", 400), (10**9, 3600)],
)
async def test_a_rate_limit_tells_how_long_to_wait(
    here: Reading, header: str | int, seconds: int
) -> None:
    """Seconds or a date; until then nothing more is sent."""
    error = await refused(here, rate_limited(header), times=1)
    assert error["error_code"] == "RATE_LIMITED"
    assert error["retry_after"] == error["retry_after_seconds"] == seconds
    throttle = error["details"]["throttle"]  # type: ignore[index] # a JSON object
    assert throttle["resource"] == "requests"
    assert throttle["credential"]
    sent = len(here.basecamp.requests)
    again = await here.refused("list_projects")
    assert (again["error_code"], again["retry_after"]) == ("RATE_LIMITED", seconds)
    assert len(here.basecamp.requests) == sent
    here.clock.advance(seconds)
    await here.call("list_projects")


@pytest.mark.requirement("basecamp.retry-after")
@pytest.mark.parametrize("header", [0, 2, None])
async def test_a_short_rate_limit_is_waited_out(here: Reading, header: int | None) -> None:
    """The caller does not notice; at least a second passes, ten where nobody says how many."""
    here.basecamp.faults.add(rate_limited(header))
    await here.call("get_project_tools", project_id=here.project.id)
    assert len(here.asked("/projects/*")) == 2
    assert here.clock.slept == [10 if header is None else max(header, 1)]


@pytest.mark.requirement("basecamp.refusals")
async def test_a_limit_of_the_plan_is_told_and_not_retried(here: Reading) -> None:
    """507 is in the range of server errors, and none."""
    error = await refused(here, account_limit())
    assert error["error_code"] == "QUOTA_EXCEEDED"
    assert error["retryable"] is False
    assert len(here.basecamp.requests) == 1


@pytest.mark.requirement("basecamp.refusals")
async def test_an_inactive_account_is_told_as_one(here: Reading) -> None:
    """Everything in it answers 404; the header says why."""
    here.account.inactive = True
    error = await here.refused("list_projects")
    assert error["error_code"] == "NOT_FOUND"
    assert error["details"]["reason"] == "account_inactive"
    assert "account" in error["hint"]


@pytest.mark.requirement("basecamp.refusals")
@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"error": "No such thing"}, "No such thing"),
        ({"errors": {"name": ["can't be blank"]}}, "name can't be blank"),
        ({"payload_url": ["must be https"]}, "payload_url must be https"),
    ],
)
async def test_what_basecamp_says_is_told(
    here: Reading, body: dict[str, object], told: str
) -> None:
    """In each of its three forms."""
    error = await refused(here, AnswerWith(status=422, body=body))
    assert error["error_code"] == "INVALID_INPUT"
    assert told in str(error["message"])


@pytest.mark.requirement("basecamp.server-errors")
@pytest.mark.parametrize("status", [500, 502, 503, 504])
async def test_a_failure_of_basecamp_is_tried_again(here: Reading, status: int) -> None:
    """Twice; then it is told as one that may pass."""
    here.basecamp.faults.add(AnswerWith(status=status, body="<html>oops</html>"), times=2)
    await here.call("get_project_tools", project_id=here.project.id)
    error = await refused(here, AnswerWith(status=status))
    assert error["error_code"] == ("TIMEOUT" if status == 504 else "UPSTREAM_UNAVAILABLE")
    assert error["retryable"] is True


@pytest.mark.requirement("basecamp.server-errors")
@pytest.mark.parametrize("fault", [CutBeforeReading(), CutAfterApplying(), TruncatedBody()])
async def test_a_connection_that_breaks_is_tried_again(here: Reading, fault: Fault) -> None:
    """A read does no harm twice."""
    here.basecamp.faults.add(fault)
    await here.call("get_project_tools", project_id=here.project.id)


@pytest.mark.requirement("basecamp.server-errors")
@pytest.mark.parametrize(
    "fault",
    [
        AnswerWith(status=200, body="<html>Sign in</html>", headers={"content-type": "text/html"}),
        AnswerWith(status=200, body={"id": "?"}),
        AnswerWith(status=204),
        MalformedJson(),
    ],
    ids=["html", "shape", "nothing", "half"],
)
async def test_an_answer_that_is_none_is_told(here: Reading, fault: Fault) -> None:
    """A success whose body is not what it should be; asking again would not help."""
    error = await refused(here, fault)
    assert error["error_code"] == "UPSTREAM_UNAVAILABLE"
    assert error["retryable"] is False
    assert error["details"]["reason"] == "malformed_answer"  # type: ignore[index] # a JSON object
    assert "Sign in" not in str(error)


async def test_an_empty_answer_to_a_list_is_an_empty_list(here: Reading) -> None:
    """204 has no body."""
    here.basecamp.faults.add(AnswerWith(status=204))
    answer = await here.call("list_projects")
    assert (answer["items"], answer["has_more"]) == ([], False)


@pytest.mark.requirement("basecamp.foreign-link")
async def test_an_answer_from_another_host_counts_for_nothing(here: Reading) -> None:
    """The token does not go there, and what it says of projects is nobody's word."""
    async with BasecampStandIn() as other:
        other.faults.add(AnswerWith(status=200, body={"id": 1, "name": "Forged", "dock": []}))
        target = {"location": f"{other.url}/1/projects/1.json"}
        error = await refused(here, AnswerWith(status=302, headers=target))
        (received,) = other.requests
    assert "authorization" not in received.headers
    assert error["error_code"] == "UPSTREAM_UNAVAILABLE"
    assert error["details"]["reason"] == "redirected_elsewhere"  # type: ignore[index] # a JSON object
    assert "Forged" not in str(error)


@pytest.mark.requirement("basecamp.token-expired")
async def test_a_token_beyond_renewal_is_told_as_expired(here: Reading) -> None:
    """And what to do about it; the token itself is not shown."""
    (token,) = here.basecamp.state.tokens.values()
    token.expired = True
    error = await here.refused("list_projects")
    assert error["error_code"] == "TOKEN_EXPIRED"
    assert "BASECAMP_ACCESS_TOKEN" in error["hint"]
    assert token.secret not in str(error)


async def test_an_unreachable_basecamp_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a failure of the network that may pass."""
    async with reading(monkeypatch, basecamp_api_url="http://127.0.0.1:9") as here:
        error = await here.refused("list_projects")
    assert (error["error_code"], error["retryable"]) == ("NETWORK_ERROR", True)
