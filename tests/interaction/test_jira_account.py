"""Credentials and flavours from outside: which Jira is asked, and in whose name."""

from pathlib import Path

import pytest

from tests.interaction.asking import failure_of
from tests.interaction.jira_reading import (
    SERVER_INFO,
    JiraAsking,
    client_of,
    either_flavour,
    reading,
    without_credentials,
)
from trunkline_shared.testing.jira import FlavourName, JiraStandIn
from trunkline_shared.testing.stand_in.faults import AnswerWith

pytestmark = pytest.mark.anyio

READS = ("get_jira_issue", "list_jira_comments", "get_myself")


@pytest.mark.requirement("jira.credentials")
@pytest.mark.parametrize("tool", READS)
async def test_without_any_jira_the_tools_are_listed_and_say_so(
    tool: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before any word about their arguments."""
    without_credentials(monkeypatch)
    async with client_of(toolsets="all") as client:
        assert tool in {one.name for one in (await client.list_tools()).tools}
        failure = failure_of(await client.call_tool(tool, {}))
        assert failure["error_code"] == "CREDENTIALS_MISSING"
        assert "JIRA_HOST" in failure["message"]


@pytest.mark.requirement("jira.credentials")
async def test_without_a_credential_nothing_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Jira that is known is not asked by nobody."""
    async with reading("cloud", monkeypatch) as asking:
        without_credentials(monkeypatch)
        failure = await asking.refused("get_jira_issue", issue_key="no key at all")
        assert failure["error_code"] == "CREDENTIALS_MISSING"
        assert "JIRA_API_TOKEN" in failure["message"]
        assert asking.sent() == 0


@pytest.mark.requirement("jira.netrc")
async def test_netrc_lets_in_and_a_broken_one_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file that twig has already, read again for each request."""
    netrc = tmp_path / "netrc"
    netrc.write_text("machine atlassian.net login helper@acme.test password helper-token\n")
    async with reading("cloud", monkeypatch, netrc=str(netrc)) as asking:
        without_credentials(monkeypatch)
        assert (await asking.call("get_myself"))["name"] == "Helper Bot"
        netrc.write_text("machinery {")
        failure = await asking.refused("get_myself")
        assert failure["error_code"] == "CREDENTIALS_MISSING"
        assert "netrc" in failure["message"]


@pytest.mark.requirement("jira.credentials")
async def test_a_replaced_token_file_counts_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a restart."""
    file = tmp_path / "token"
    file.write_text("helper-token\n")
    async with reading("data_center", monkeypatch) as asking:
        without_credentials(monkeypatch)
        monkeypatch.setenv("JIRA_PERSONAL_TOKEN_FILE", str(file))
        assert (await asking.call("get_myself"))["account"] == "helper"
        asking.jira.state.add_token(asking.stranger, "other")
        file.write_text("other-token\n")
        assert (await asking.call("get_myself"))["account"] == "mallory"


@pytest.mark.requirement("jira.credentials")
async def test_data_center_takes_basic_and_cloud_a_bearer_at_its_gateway(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A password where there are no tokens; an OAuth token under /ex/jira/ID."""
    async with reading("data_center", monkeypatch, mount="/jira") as asking:
        without_credentials(monkeypatch)
        monkeypatch.setenv("JIRA_USERNAME", "helper")
        monkeypatch.setenv("JIRA_API_TOKEN", "helper-token")
        assert (await asking.call("get_myself"))["flavour"] == "data_center"
        issue = await asking.call("get_jira_issue", issue_key="ME-1")
        assert issue["url"] == f"{asking.jira.url}/browse/ME-1"
        assert asking.jira.url.endswith("/jira")
    async with reading("cloud", monkeypatch, mount="/ex/jira/11-aa") as asking:
        without_credentials(monkeypatch)
        monkeypatch.setenv("JIRA_PERSONAL_TOKEN", "helper-token")
        assert (await asking.call("get_myself"))["account"] == "acc-helper"


@either_flavour
@pytest.mark.requirement("jira.one-flavour")
async def test_the_flavour_is_asked_for_once(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every later request goes to its API; the other one is never tried."""
    async with reading(flavour, monkeypatch) as asking:
        for _ in range(3):
            await asking.call("get_jira_issue", issue_key="ME-1", comments=1)
        assert asking.sent("GET", SERVER_INFO) == 1
        api = "/rest/api/3/*" if flavour == "cloud" else "/rest/api/2/*"
        assert asking.sent("*", api) == len(asking.jira.requests) - (flavour == "cloud")


@pytest.mark.requirement("jira.one-flavour")
async def test_a_failed_detection_is_not_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Jira in maintenance is no Data Center."""
    async with reading("cloud", monkeypatch) as asking:
        down = AnswerWith(status=503, headers={"retry-after": "120"})
        asking.jira.faults.add(down, path=SERVER_INFO)
        failure = await asking.refused("get_myself")
        assert failure["error_code"] == "UPSTREAM_UNAVAILABLE"
        assert (await asking.call("get_myself"))["flavour"] == "cloud"


@pytest.mark.requirement("jira.one-flavour")
async def test_a_server_that_does_not_say_what_it_is_is_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Those before version 7 know no deployment type."""
    async with reading("data_center", monkeypatch) as asking:
        asking.jira.state.deployment_type = ""
        assert (await asking.call("get_myself"))["flavour"] == "data_center"


async def test_a_wrong_context_path_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is 404 there, so the hint names the variable."""
    async with JiraStandIn(flavour="data_center", mount="/jira") as jira:
        jira.state.add_token(jira.state.add_user("helper"), "helper")
        address = jira.url.removesuffix("/jira")
        async with reading("data_center", monkeypatch, jira_url=address) as asking:
            failure = await asking.refused("get_jira_issue", issue_key="ME-1")
            assert failure["error_code"] == "NOT_FOUND"
            assert "TRUNKLINE_JIRA_URL" in failure["hint"]


@either_flavour
async def test_the_account_tells_what_queries_take(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cloud knows people by account id only, Data Center by name."""
    async with reading(flavour, monkeypatch) as asking:
        me = await asking.call("get_myself")
        assert me == {
            "account": "acc-helper" if flavour == "cloud" else "helper",
            "name": "Helper Bot",
            "email": "helper@acme.test",
            "active": True,
            "time_zone": "Europe/Berlin",
            "flavour": flavour,
            "url": asking.jira.url,
        }


@either_flavour
@pytest.mark.requirement("jira.credentials")
async def test_a_refused_credential_is_looked_up_once_more(
    flavour: FlavourName, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is the same, so it is not sent again: repeated failures lock an account."""
    async with reading(flavour, monkeypatch) as asking:
        await asking.call("get_myself")
        _revoke(asking)
        asking.jira.requests.clear()
        failure = await asking.refused("get_jira_issue", issue_key="ME-1")
        assert failure["error_code"] == "AUTH_ERROR"
        assert asking.sent() == 1


def _revoke(asking: JiraAsking) -> None:
    for token in asking.jira.state.tokens:
        token.revoked = True
