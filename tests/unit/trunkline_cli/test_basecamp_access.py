"""What the doctor finds about Basecamp, on stand-ins of its API and of who issues its tokens."""

from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest

from trunkline_cli import listening
from trunkline_cli.checks.basecamp_access import check_basecamp
from trunkline_cli.checks.finding import Finding
from trunkline_cli.environment import variables
from trunkline_shared.clock import Clock
from trunkline_shared.testing.basecamp import ACCOUNT_ID, BasecampStandIn, seed_demo
from trunkline_shared.testing.basecamp.authorization import AuthorizationStandIn
from trunkline_shared.testing.basecamp.grants import Account, Granted
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.stand_in.faults import AnswerWith

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("doctor.checks")]

TOKEN = "basecamp token"
REACH = "basecamp reach"
DAY_S = 86_400


class Doctor:
    """Runs the check on a Basecamp with one account, and an authorization server that knows it."""

    def __init__(
        self,
        monkeypatch: pytest.MonkeyPatch,
        home: Path,
        basecamp: BasecampStandIn,
        authorization: AuthorizationStandIn,
    ) -> None:
        self.environment = monkeypatch
        self.basecamp = basecamp
        self.authorization = authorization
        self.demo = seed_demo(basecamp.state)
        basecamp.state.grants = authorization.grants
        basecamp.state.grantee = self.demo.token.person
        href = f"{basecamp.url}/{ACCOUNT_ID}"
        authorization.grants.accounts.append(Account(id=ACCOUNT_ID, name="Acme", href=href))
        for name in variables():
            if name.startswith(("BASECAMP_", "TRUNKLINE_", "XDG_STATE_HOME")):
                monkeypatch.delenv(name)
        monkeypatch.setenv("HOME", str(home))
        monkeypatch.setenv("TRUNKLINE_BASECAMP_API_URL", basecamp.url)
        monkeypatch.setenv("TRUNKLINE_BASECAMP_TOKEN_URL", authorization.token_url)

    def authorize(self, *, renewable: bool = False, account: str = "") -> Granted:
        """Let a client in and configure its access token, with what renews it if that is asked."""
        granted = self.authorization.grants.authorize()
        self.environment.setenv("BASECAMP_ACCESS_TOKEN", granted.access_token)
        self.environment.setenv("BASECAMP_ACCOUNT_ID", account)
        if renewable:
            grants = self.authorization.grants
            self.environment.setenv("BASECAMP_REFRESH_TOKEN", granted.refresh_token)
            self.environment.setenv("BASECAMP_CLIENT_ID", grants.client_id)
            self.environment.setenv("BASECAMP_CLIENT_SECRET", grants.client_secret)
        return granted

    async def finds(
        self, given: Mapping[str, str] | None = None, clock: Clock | None = None
    ) -> dict[str, Finding]:
        """Return the findings by subject; none of them shows a secret."""
        for name, value in (given or {}).items():
            self.environment.setenv(name, value)
        found = [finding async for finding in check_basecamp(clock)]
        shown = str(found)
        secrets = [value for name, value in variables().items() if name.startswith("BASECAMP_")]
        assert not [one for one in secrets if len(one) > len(str(ACCOUNT_ID)) and one in shown]
        assert "access-" not in shown
        assert all(finding.mend for finding in found if finding.level != "ok")
        return {finding.about: finding for finding in found}


@pytest.fixture
async def doctor(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> AsyncIterator[Doctor]:
    async with BasecampStandIn() as basecamp, AuthorizationStandIn() as authorization:
        yield Doctor(monkeypatch, tmp_path, basecamp, authorization)


@pytest.mark.parametrize("account", ["", str(ACCOUNT_ID)])
async def test_a_working_token_is_told_with_owner_end_and_reach(
    doctor: Doctor, account: str
) -> None:
    """Whose it is, until when it lasts, and the account, named or found."""
    doctor.authorize(account=account)
    found = await doctor.finds()
    assert found["basecamp"].text == "signed in as Jason Fried, with BASECAMP_ACCESS_TOKEN"
    assert found[TOKEN].text.endswith("UTC; nothing renews it")
    expected = f"account {ACCOUNT_ID} (Acme) at 127.0.0.1: 2 active projects"
    assert found[REACH].text == expected
    assert {finding.level for finding in found.values()} == {"ok"}
    assert {one.method for one in doctor.basecamp.requests.matching()} == {"GET"}


async def test_a_token_that_ends_soon_is_a_warning(doctor: Doctor) -> None:
    """Two days before, unless something renews it."""
    doctor.authorization.grants.lifetime_s = 2 * DAY_S
    doctor.authorize()
    found = await doctor.finds()
    assert found[TOKEN].level == "warn"
    assert "BASECAMP_REFRESH_TOKEN" in found[TOKEN].mend
    doctor.authorize(renewable=True)
    found = await doctor.finds()
    assert (found[TOKEN].level, found["basecamp"].text[-22:]) == ("ok", "BASECAMP_REFRESH_TOKEN")
    assert found[TOKEN].text.endswith("and is renewed by itself")


async def test_no_token_at_all_is_a_warning(doctor: Doctor) -> None:
    """Nobody has to have a Basecamp, and nobody is asked."""
    found = await doctor.finds()
    assert (found["basecamp"].level, list(found)) == ("warn", ["basecamp"])
    assert "BASECAMP_ACCESS_TOKEN" in found["basecamp"].mend
    assert doctor.authorization.requests.matching() == []


async def test_a_token_that_has_ended_is_a_failure(doctor: Doctor) -> None:
    """It says what to set."""
    doctor.authorization.grants.expire(doctor.authorize().access_token)
    found = await doctor.finds()
    assert (found["basecamp"].level, list(found)) == ("fail", ["basecamp"])
    assert "expired or was revoked" in found["basecamp"].text
    assert "BASECAMP_ACCESS_TOKEN" in found["basecamp"].mend


async def test_a_token_that_has_ended_is_renewed_where_the_servers_find_it(doctor: Doctor) -> None:
    """Two doctors, one renewal: the successor is kept, so that it is never lost."""
    doctor.authorization.grants.expire(doctor.authorize(renewable=True).access_token)
    for _ in range(2):
        found = await doctor.finds()
        assert {finding.level for finding in found.values()} == {"ok"}
    assert doctor.authorization.grants.renewed == 1
    assert doctor.authorization.grants.reused == 0


async def test_a_refresh_token_that_is_refused_is_a_failure(doctor: Doctor) -> None:
    """Somebody has to authorize the client again."""
    doctor.authorization.grants.revoke(doctor.authorize(renewable=True).refresh_token)
    found = await doctor.finds()
    assert found["basecamp"].level == "fail"
    assert "Authorize the client again" in found["basecamp"].mend


async def test_a_token_that_cannot_be_one_is_a_failure(doctor: Doctor) -> None:
    """With `Bearer` before it, as it is often copied."""
    found = await doctor.finds({"BASECAMP_ACCESS_TOKEN": "Bearer something"})
    assert found["basecamp"].level == "fail"
    assert "without `Bearer`" in found["basecamp"].mend


async def test_an_account_of_somebody_else_is_a_failure(doctor: Doctor) -> None:
    """The accounts that the token does reach are named."""
    doctor.authorize(account="77")
    found = await doctor.finds()
    assert found["basecamp"].level == "ok"
    assert found[REACH].level == "fail"
    assert "account 77" in found[REACH].text
    assert f"BASECAMP_ACCOUNT_ID to an account of the token: {ACCOUNT_ID} (Acme)" in (
        found[REACH].mend
    )


async def test_an_inactive_account_is_told_as_such(doctor: Doctor) -> None:
    """No other number helps."""
    doctor.demo.account.inactive = True
    doctor.authorize(account=str(ACCOUNT_ID))
    found = await doctor.finds()
    assert found[REACH].level == "fail"
    assert "inactive" in found[REACH].mend


async def test_several_accounts_have_to_be_chosen_from(doctor: Doctor) -> None:
    """Each is named with its number."""
    other = Account(id=88, name="Other", href=f"{doctor.basecamp.url}/88")
    doctor.authorization.grants.accounts.append(other)
    doctor.authorize()
    found = await doctor.finds()
    assert found[REACH].level == "warn"
    assert f"Acme ({ACCOUNT_ID}), Other (88)" in found[REACH].text
    assert "BASECAMP_ACCOUNT_ID" in found[REACH].mend


async def test_an_issuer_that_tells_nothing_is_a_warning(doctor: Doctor) -> None:
    """The API still says what the token reaches."""
    missing = AnswerWith(status=404)
    doctor.authorization.faults.add(missing, "GET", "/authorization.json", times=9)
    doctor.authorize(account=str(ACCOUNT_ID))
    found = await doctor.finds()
    assert found["basecamp"].level == "warn"
    assert "TRUNKLINE_BASECAMP_TOKEN_URL" in found["basecamp"].mend
    assert found[REACH].text.startswith(f"account {ACCOUNT_ID} at")


async def test_an_api_that_nobody_answers_at_is_a_failure(doctor: Doctor) -> None:
    """The variable to look at is named."""
    doctor.authorize(account=str(ACCOUNT_ID))
    with listening.on_any_port() as silent:
        port = listening.port_of(silent)
    found = await doctor.finds(
        {"TRUNKLINE_BASECAMP_API_URL": f"http://127.0.0.1:{port}"}, FakeClock()
    )
    assert found[REACH].level == "fail"
    assert "TRUNKLINE_BASECAMP_API_URL" in found[REACH].mend


async def test_a_setting_that_cannot_be_used_is_a_failure_and_no_more(doctor: Doctor) -> None:
    """The doctor goes on to the next check."""
    found = await doctor.finds({"BASECAMP_ACCOUNT_ID": "acme"})
    assert found["basecamp"].level == "fail"
    assert "BASECAMP_ACCOUNT_ID='acme'" in found["basecamp"].text
