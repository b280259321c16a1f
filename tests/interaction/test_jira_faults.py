"""A Jira that is slow, down or tired of us: what is waited, tried again and told."""

import math
from email.utils import formatdate
from typing import Any

import pytest

from tests.interaction.jira_reading import ISSUE, JiraAsking, either_flavour, reading
from trunkline_shared import meta
from trunkline_shared.testing.jira import FlavourName
from trunkline_shared.testing.stand_in.faults import (
    AnswerWith,
    CutAfterApplying,
    CutBeforeReading,
    MalformedJson,
    TruncatedBody,
)

pytestmark = pytest.mark.anyio

IN_10_S: Any = {meta.DEADLINE_MS: 10_000}


def limited(**headers: str) -> AnswerWith:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return AnswerWith(status=429, body="Rate limit exceeded.", headers=named)


async def known(asking: JiraAsking) -> None:
    """Let the flavour be found, so that what follows is about one request."""
    await asking.call("get_myself")
    asking.jira.requests.clear()
    asking.clock.slept.clear()


@either_flavour
@pytest.mark.requirement("jira.rate-limit")
@pytest.mark.parametrize("after", ["0", "-3", "0.1", "1"])
async def test_a_wait_of_nothing_is_a_second_and_three_tries_are_all(
    flavour: FlavourName, after: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Data Center often says 0: a loop without end would come of it."""
    async with reading(flavour, monkeypatch) as asking:
        await known(asking)
        asking.jira.faults.add(limited(retry_after=after), times=math.inf)
        failure = await asking.refused("get_jira_issue", issue_key="ME-1")
        assert failure["error_code"] == "RATE_LIMITED"
        assert failure["retry_after"] == 1
        assert asking.sent("GET", ISSUE) == 3
        assert all(1 <= waited <= 2 for waited in asking.clock.slept)


@either_flavour
@pytest.mark.requirement("jira.rate-limit")
async def test_the_announced_wait_is_the_least_and_not_all_come_back_at_once(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Up to a second comes on top, so that those who were refused together part."""
    async with reading(flavour, monkeypatch) as asking:
        await known(asking)
        asking.jira.faults.add(limited(retry_after="4"))
        await asking.call("get_jira_issue", issue_key="ME-1")
        (waited,) = asking.clock.slept
        assert 4 <= waited <= 5
        assert waited != 4


@either_flavour
@pytest.mark.requirement("jira.rate-limit")
@pytest.mark.parametrize(
    ("after", "told"),
    [
        ("86400", 3600),
        ("9" * 400, 60),
        ("99999999999", 3600),
        (formatdate(1_700_000_000 + 500, usegmt=True), 500),
    ],
)
async def test_a_huge_wait_is_told_and_not_waited(
    flavour: FlavourName, after: str, told: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The call's deadline comes first; nothing more is sent until the wait is over."""
    async with reading(flavour, monkeypatch) as asking:
        await known(asking)
        asking.jira.faults.add(limited(retry_after=after))
        failure = await asking.refused("get_jira_issue", issue_key="ME-1", meta=IN_10_S)
        assert (failure["error_code"], failure["retry_after"]) == ("RATE_LIMITED", told)
        assert asking.clock.slept == []
        again = await asking.refused("get_myself")
        assert again["details"]["reason"] == "throttled"
        assert asking.sent() == 1
        asking.clock.advance(told + 1)
        await asking.call("get_jira_issue", issue_key="ME-1")


@either_flavour
@pytest.mark.requirement("jira.rate-limit")
async def test_the_limits_of_jira_are_told(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An operator sees which quota it was."""
    async with reading(flavour, monkeypatch) as asking:
        await known(asking)
        told = {"ratelimit_reason": "jira-quota-global-based", "x_ratelimit_limit": "10"}
        asking.jira.faults.add(limited(retry_after="600", **told))
        failure = await asking.refused("get_jira_issue", issue_key="ME-1")
        assert failure["details"]["rate_limit"] == {
            "limit": "10",
            "reason": "jira-quota-global-based",
        }
        assert failure["details"]["throttle"]["resource"] == "requests"


@either_flavour
@pytest.mark.requirement("jira.errors")
@pytest.mark.parametrize(
    "fault",
    [
        AnswerWith(status=500, body={"errorMessages": ["Internal server error"], "errors": {}}),
        AnswerWith(status=502, body="<html>Bad Gateway", headers={"content-type": "text/html"}),
        AnswerWith(status=503, body="Jira is being upgraded", headers={"retry-after": "2"}),
        AnswerWith(status=504),
        CutBeforeReading(),
        CutAfterApplying(),
        TruncatedBody(),
    ],
    ids=lambda fault: f"{type(fault).__name__}{getattr(fault, 'status', '')}",
)
async def test_what_passes_is_tried_again(
    flavour: FlavourName, fault: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twice it fails, the third time it answers; a read does no harm twice."""
    async with reading(flavour, monkeypatch) as asking:
        await known(asking)
        asking.jira.faults.add(fault, path=ISSUE, times=2)
        assert (await asking.call("get_jira_issue", issue_key="ME-1"))["key"] == "ME-1"
        assert asking.sent("GET", ISSUE) == 3


@either_flavour
@pytest.mark.requirement("jira.errors")
@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (AnswerWith(status=500), "UPSTREAM_UNAVAILABLE"),
        (AnswerWith(status=504), "TIMEOUT"),
        (CutBeforeReading(), "NETWORK_ERROR"),
        (MalformedJson(), "UPSTREAM_UNAVAILABLE"),
        (AnswerWith(status=400, body={"errorMessages": [], "errors": {}}), "INVALID_INPUT"),
        (AnswerWith(status=403, body={"errorMessages": ["No."]}), "PERMISSION_DENIED"),
        (AnswerWith(status=409, body="Conflict"), "CONFLICT"),
        (AnswerWith(status=410, body={"errorMessages": ["Gone."]}), "UNSUPPORTED"),
        (AnswerWith(status=413), "TOO_LARGE"),
    ],
    ids=lambda fault: f"{type(fault).__name__}{getattr(fault, 'status', '')}",
)
async def test_what_stays_is_told_by_its_code(
    flavour: FlavourName, fault: Any, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One failure of ours for each of Jira's."""
    async with reading(flavour, monkeypatch) as asking:
        await known(asking)
        asking.jira.faults.add(fault, path=ISSUE, times=math.inf)
        failure = await asking.refused("get_jira_issue", issue_key="ME-1")
        assert failure["error_code"] == code
        assert "helper-token" not in str(failure)


async def test_no_jira_at_all_is_a_network_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The host is named, the address is not blamed on the caller."""
    async with reading("cloud", monkeypatch, jira_url="http://127.0.0.1:9") as asking:
        failure = await asking.refused("get_jira_issue", issue_key="ME-1")
        assert failure["error_code"] == "NETWORK_ERROR"
        assert "127.0.0.1" in failure["message"]
