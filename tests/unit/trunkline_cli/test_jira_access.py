"""What the doctor finds about Jira, on stand-ins of both flavours."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from trunkline_cli import listening
from trunkline_cli.checks.finding import Finding
from trunkline_cli.checks.jira_access import check_jira
from trunkline_cli.environment import variables
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.jira import FlavourName, JiraStandIn, seed_demo
from trunkline_shared.testing.stand_in.log import Received

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("doctor.checks")]

SECRET = "demo-token"
BASIC = {"JIRA_USERNAME": "demo@acme.test", "JIRA_API_TOKEN": SECRET}


class Doctor:
    """Runs the check with some variables set, and no other of Jira's."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
        self._environment = monkeypatch
        for name in variables():
            if name.startswith(("JIRA_", "TRUNKLINE_", "NETRC")):
                monkeypatch.delenv(name)
        monkeypatch.setenv("HOME", str(home))

    async def finds(self, given: Mapping[str, str]) -> dict[str, Finding]:
        """Return the findings by subject; none of them shows a secret."""
        for name, value in given.items():
            self._environment.setenv(name, value)
        found = [finding async for finding in check_jira(FakeClock())]
        assert SECRET not in str(found)
        assert all(finding.mend for finding in found if finding.level != "ok")
        return {finding.about: finding for finding in found}


@pytest.fixture
def doctor(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Doctor:
    return Doctor(monkeypatch, tmp_path)


def asked(jira: JiraStandIn) -> list[str]:
    """Return which requests there were."""

    def line(one: Received) -> str:
        return f"{one.method} {one.path}"

    return [line(one) for one in jira.requests.matching()]


async def test_a_cloud_site_is_told_with_its_account(doctor: Doctor) -> None:
    """Flavour, address, name and variable, for two small requests."""
    async with JiraStandIn() as jira:
        seed_demo(jira.state)
        found = await doctor.finds({"JIRA_HOST": jira.url, **BASIC})
        assert asked(jira) == ["GET /rest/api/2/serverInfo", "GET /rest/api/3/myself"]
    assert found["jira site"].text == f"Jira Cloud at {jira.url}"
    assert found["jira"].text == "signed in as Demo User (demo@acme.test), with JIRA_API_TOKEN"
    assert {finding.level for finding in found.values()} == {"ok"}


async def test_a_data_center_is_told_with_its_version(doctor: Doctor) -> None:
    """A personal token, and a context path."""
    async with JiraStandIn(flavour="data_center", mount="/jira") as jira:
        seed_demo(jira.state)
        given = {"TRUNKLINE_JIRA_URL": jira.url, "JIRA_PERSONAL_TOKEN": SECRET}
        found = await doctor.finds(given)
        assert asked(jira)[-1] == "GET /rest/api/2/myself"
    assert found["jira site"].text == f"Jira Data Center or Server 9.12.2 at {jira.url}"
    assert found["jira"].text.endswith("with JIRA_PERSONAL_TOKEN")


async def test_a_jira_that_is_not_configured_is_a_warning(doctor: Doctor) -> None:
    """Nobody has to have one."""
    found = await doctor.finds({})
    assert (found["jira"].level, list(found)) == ("warn", ["jira"])
    assert "JIRA_HOST" in found["jira"].mend


async def test_a_missing_half_of_the_login_is_named(doctor: Doctor) -> None:
    """A token without its account, and the other way round."""
    found = await doctor.finds({"JIRA_HOST": "acme.atlassian.net", "JIRA_API_TOKEN": SECRET})
    assert found["jira"].level == "warn"
    assert "JIRA_USERNAME" in found["jira"].mend


@pytest.mark.parametrize("flavour", ["cloud", "data_center"])
@pytest.mark.parametrize("treated", ["refused", "anonymous"])
async def test_a_refused_login_is_a_failure(
    doctor: Doctor, flavour: FlavourName, treated: str
) -> None:
    """Also by a Jira that answers it as it answers nobody."""
    async with JiraStandIn(flavour=flavour) as jira:
        demo = seed_demo(jira.state)
        demo.token.revoked = True
        jira.state.unknown_login = "refused" if treated == "refused" else "anonymous"
        found = await doctor.finds({"JIRA_HOST": jira.url, **BASIC})
    assert found["jira"].level == "fail"
    assert "JIRA_API_TOKEN" in found["jira"].mend


async def test_a_captcha_is_a_failure_that_a_person_mends(doctor: Doctor) -> None:
    """The API stays closed until somebody has logged in by hand."""
    async with JiraStandIn(flavour="data_center") as jira:
        demo = seed_demo(jira.state)
        demo.token.user.captcha = True
        found = await doctor.finds({"JIRA_HOST": jira.url, **BASIC})
    assert found["jira"].level == "fail"
    assert "CAPTCHA" in found["jira"].text + found["jira"].mend


async def test_a_host_that_nobody_answers_at_is_a_failure(doctor: Doctor) -> None:
    """The variable to look at is named."""
    with listening.on_any_port() as silent:
        port = listening.port_of(silent)
    found = await doctor.finds({"JIRA_HOST": f"http://127.0.0.1:{port}", **BASIC})
    assert found["jira"].level == "fail"
    assert "127.0.0.1" in found["jira"].text
    assert "JIRA_HOST" in found["jira"].mend


async def test_a_page_in_place_of_a_jira_is_a_failure(doctor: Doctor) -> None:
    """A proxy or a single sign-on stands before it."""
    async with JiraStandIn() as jira:
        seed_demo(jira.state)
        jira.state.login_page = True
        found = await doctor.finds({"JIRA_HOST": jira.url, **BASIC})
    assert found["jira"].level == "fail"
    assert "JIRA_HOST" in found["jira"].mend


async def test_a_context_path_that_was_left_out_is_a_failure(doctor: Doctor) -> None:
    """The server is there, and its Jira is elsewhere on it."""
    async with JiraStandIn(flavour="data_center", mount="/jira") as jira:
        seed_demo(jira.state)
        found = await doctor.finds({"JIRA_HOST": jira.url.removesuffix("/jira"), **BASIC})
    assert found["jira"].level == "fail"
    assert "JIRA_HOST" in found["jira"].mend


async def test_an_address_that_is_none_is_a_failure_and_no_more(doctor: Doctor) -> None:
    """The doctor goes on to the next check."""
    found = await doctor.finds({"JIRA_HOST": "ftp://acme"})
    assert found["jira"].level == "fail"
    assert "JIRA_HOST='ftp://acme'" in found["jira"].text
