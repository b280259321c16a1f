"""Answers that look like something else: every tool sees through each of them."""

import math

import pytest

from tests.interaction.jira_reading import ISSUE, JiraAsking, either_flavour, reading
from trunkline_shared.testing.jira import FlavourName, JiraStandIn
from trunkline_shared.testing.stand_in.faults import AnswerWith

pytestmark = pytest.mark.anyio

MYSELF = "/rest/api/3/myself"

CALLS: dict[str, dict[str, object]] = {
    "get_jira_issue": {"issue_key": "ME-1", "comments": 1},
    "list_jira_comments": {"issue_key": "ME-1"},
    "list_jira_issues": {"project": "ME"},
    "search_jira": {"jql": "project = ME"},
    "list_jira_projects": {},
    "get_jira_transitions": {"issue_key": "ME-1"},
    "get_myself": {},
    "add_jira_comment": {"issue_key": "ME-1", "body": "Mine."},
    "transition_jira_issue": {"issue_key": "ME-1", "transition": "Start work"},
}
every_call = pytest.mark.parametrize("tool", CALLS)


def expire(asking: JiraAsking) -> None:
    """Let the token expire as some Jiras do: whoever has it is treated as nobody."""
    asking.project.public = True
    asking.jira.state.unknown_login = "anonymous"
    for token in asking.jira.state.tokens:
        token.revoked = True


@either_flavour
@every_call
@pytest.mark.requirement("jira.anonymous")
async def test_an_answer_to_nobody_is_refused(
    flavour: FlavourName, tool: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """200 with fewer results and a header that says why."""
    async with reading(flavour, monkeypatch, enable_writes="jira") as asking:
        await asking.call("get_myself")
        expire(asking)
        failure = await asking.refused(tool, **CALLS[tool])
        assert failure["error_code"] == "AUTH_ERROR"
        assert failure["details"]["reason"] == "login_failed"
        assert "JIRA_API_TOKEN" in failure["hint"]


@pytest.mark.requirement("jira.anonymous")
async def test_data_center_gives_itself_away_by_the_account_it_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Behind some proxies the login's own header is lost."""
    async with reading("data_center", monkeypatch) as asking:
        expire(asking)
        asking.jira.state.tells_failed_login = False
        failure = await asking.refused("get_jira_issue", issue_key="ME-1")
        assert failure["error_code"] == "AUTH_ERROR"
        assert failure["details"]["reason"] == "anonymous"


@either_flavour
@pytest.mark.requirement("jira.anonymous")
@pytest.mark.parametrize("public", [True, False])
async def test_nobody_is_found_out_where_no_header_tells(
    flavour: FlavourName, *, public: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cloud may say nothing at all (JRACLOUD-93811): the account itself is asked for."""
    async with reading(flavour, monkeypatch) as asking:
        await asking.call("get_jira_issue", issue_key="ME-1")
        expire(asking)
        asking.project.public = public
        asking.jira.state.tells_failed_login = False
        failure = await asking.refused("get_jira_issue", issue_key="ME-1")
        assert failure["error_code"] == "AUTH_ERROR"


@pytest.mark.requirement("jira.anonymous")
async def test_a_login_that_no_header_tells_is_confirmed_once_a_minute(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A proxy may drop the header; then the account is asked for, and need not be tellable."""
    async with reading("cloud", monkeypatch) as asking:
        issue = AnswerWith(status=200, body={"key": "ME-1", "fields": {}})
        asking.jira.faults.add(issue, path=ISSUE, times=math.inf)
        for _ in range(3):
            await asking.call("get_jira_issue", issue_key="ME-1")
        assert asking.sent("GET", MYSELF) == 1
        asking.clock.advance(61)
        out_of_scope = AnswerWith(status=403, body={"errorMessages": ["Scope."]})
        asking.jira.faults.add(out_of_scope, path=MYSELF)
        await asking.call("get_jira_issue", issue_key="ME-1")
        assert asking.sent("GET", MYSELF) == 2


@either_flavour
@pytest.mark.requirement("jira.anonymous")
async def test_a_404_to_nobody_is_no_missing_issue(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An expired token makes private issues vanish."""
    async with reading(flavour, monkeypatch) as asking:
        await asking.call("get_myself")
        expire(asking)
        asking.project.public = False
        failure = await asking.refused("get_jira_issue", issue_key="ME-1")
        assert failure["error_code"] == "AUTH_ERROR"
        assert failure["details"]["http_status"] == 404


@either_flavour
async def test_a_404_to_somebody_is_one_and_says_what_else_it_may_be(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Jira does not tell a missing issue from a hidden one."""
    async with reading(flavour, monkeypatch) as asking:
        failure = await asking.refused("get_jira_issue", issue_key="ME-404")
        assert failure["error_code"] == "NOT_FOUND"
        assert "permission" in failure["hint"]
        asking.project.members = []
        hidden = await asking.refused("get_jira_issue", issue_key="ME-1")
        assert hidden["error_code"] == "NOT_FOUND"


@either_flavour
@every_call
@pytest.mark.requirement("jira.captcha")
async def test_a_captcha_is_said_to_be_one(
    flavour: FlavourName, tool: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After failed logins: only a person in a browser ends it."""
    async with reading(flavour, monkeypatch, enable_writes="jira") as asking:
        await asking.call("get_myself")
        asking.me.captcha = True
        failure = await asking.refused(tool, **CALLS[tool])
        assert failure["error_code"] == "AUTH_ERROR"
        assert failure["details"]["reason"] == "captcha"
        assert f"{asking.jira.url}/login.jsp" in failure["hint"]
        assert failure["retryable"] is False


@either_flavour
@every_call
@pytest.mark.requirement("jira.login-page")
async def test_a_login_page_is_no_answer(
    flavour: FlavourName, tool: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Single sign-on answers 200 to everything, detection included."""
    async with reading(flavour, monkeypatch, enable_writes="jira") as asking:
        asking.jira.state.login_page = True
        failure = await asking.refused(tool, **CALLS[tool])
        assert failure["error_code"] == "AUTH_ERROR"
        assert failure["details"]["reason"] == "sso_page"
        assert "TRUNKLINE_JIRA_URL" in failure["hint"]
        asking.jira.state.login_page = False
        await asking.call(tool, **CALLS[tool])


@either_flavour
@pytest.mark.requirement("jira.login-page")
async def test_a_redirection_to_a_login_is_not_followed_with_the_credential(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What stands at its end is a page."""
    async with reading(flavour, monkeypatch) as asking:
        await asking.call("get_myself")
        where = {"location": f"{asking.jira.url}/login.jsp"}
        asking.jira.faults.add(AnswerWith(status=302, headers=where))
        page = AnswerWith(status=200, body="<html>", headers={"content-type": "text/html"})
        asking.jira.faults.add(page, path="/login.jsp")
        failure = await asking.refused("get_jira_issue", issue_key="ME-1")
        assert failure["details"]["reason"] == "sso_page"


@pytest.mark.requirement("jira.login-page")
@pytest.mark.parametrize(
    ("body", "content_type"),
    [("", "application/json"), ("[]", "application/json"), ("OK", "text/plain"), ("{}", "")],
)
async def test_a_success_that_is_none_is_said(
    body: str, content_type: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither an issue nor a page: a proxy, or a broken plug-in."""
    async with reading("cloud", monkeypatch) as asking:
        await asking.call("get_myself")
        headers = {"content-type": content_type} if content_type else {}
        asking.jira.faults.add(AnswerWith(status=200, body=body, headers=headers))
        failure = await asking.refused("get_jira_issue", issue_key="ME-1")
        assert failure["error_code"] == "UPSTREAM_UNAVAILABLE"
        assert failure["retryable"] is False


@either_flavour
@pytest.mark.requirement("jira.login-page", "jira.anonymous")
@pytest.mark.parametrize(
    ("there", "reason"),
    [
        (AnswerWith(status=200, body="<html>", headers={"content-type": "text/html"}), "sso_page"),
        (AnswerWith(status=403, body="<html>", headers={"content-type": "text/html"}), "sso_page"),
        (AnswerWith(status=200, body={"key": "ME-1", "fields": {}}), "redirected_elsewhere"),
        (AnswerWith(status=401, body="No."), "redirected_elsewhere"),
    ],
)
async def test_what_another_origin_says_is_no_answer(
    flavour: FlavourName, there: AnswerWith, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The credential stays here, so it speaks to nobody: from http to https, to a login."""
    async with reading(flavour, monkeypatch) as asking, JiraStandIn() as other:
        await asking.call("get_myself")
        away = AnswerWith(status=301, headers={"location": f"{other.url}/moved"})
        asking.jira.faults.add(away)
        other.faults.add(there)
        failure = await asking.refused("get_jira_issue", issue_key="ME-1")
        assert failure["error_code"] == "AUTH_ERROR"
        assert failure["details"]["reason"] == reason
        assert "authorization" not in other.requests[0].headers
