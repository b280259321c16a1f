"""What a start says about credentials: a line for each that is not usable, and asks nobody."""

from pathlib import Path

import pytest

from trunkline_cli.builtin import MODULES
from trunkline_cli.credential_warnings import warnings_of
from trunkline_cli.environment import variables
from trunkline_shared.testing.basecamp.authorization import AuthorizationStandIn

pytestmark = pytest.mark.anyio

LONGEST = 120
"""Characters of a line: it says what to set, and is no manual."""


@pytest.fixture(autouse=True)
def nothing_configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody who has just installed it."""
    for name in variables():
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))


async def test_a_start_with_nothing_is_three_short_lines() -> None:
    """One for each vendor, with its servers and the variable to set."""
    github, basecamp, jira = await warnings_of(MODULES)
    assert "github_ci, github: no GITHUB_TOKEN: their tools answer CREDENTIALS_MISSING" in github
    assert basecamp == "basecamp: No Basecamp credential is configured: set BASECAMP_ACCESS_TOKEN."
    assert jira == "jira: No Jira is configured: set JIRA_HOST."
    assert max(map(len, (github, basecamp, jira))) <= LONGEST


async def test_servers_that_are_not_hosted_are_not_told_of() -> None:
    """Somebody who runs twig alone needs no vendor."""
    assert await warnings_of(["twig"]) == []
    assert len(await warnings_of(["twig", "jira"])) == 1


async def test_usable_credentials_are_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is asked for; the doctor looks whether they work."""
    monkeypatch.setenv("GITHUB_TOKEN", "one")
    monkeypatch.setenv("BASECAMP_ACCESS_TOKEN", "one")
    monkeypatch.setenv("JIRA_HOST", "acme.atlassian.net")
    monkeypatch.setenv("JIRA_USERNAME", "me@acme.example")
    monkeypatch.setenv("JIRA_API_TOKEN", "one")
    assert await warnings_of(MODULES) == []


async def test_a_login_in_netrc_counts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The Jira server reads it too."""
    monkeypatch.setenv("JIRA_HOST", "acme.atlassian.net")
    file = tmp_path / ".netrc"
    file.write_text("machine acme.atlassian.net login me password one\n", encoding="utf-8")
    file.chmod(0o600)
    assert await warnings_of(["jira"]) == []


@pytest.mark.parametrize(
    ("server", "given", "said"),
    [
        ("jira", {"JIRA_HOST": "acme.atlassian.net"}, "JIRA_API_TOKEN"),
        ("jira", {"JIRA_HOST": "acme.atlassian.net", "JIRA_API_TOKEN": "x"}, "JIRA_USERNAME"),
        ("jira", {"JIRA_HOST": "http://me:secret@acme"}, "JIRA_HOST="),
        ("basecamp", {"BASECAMP_REFRESH_TOKEN": "x"}, "BASECAMP_CLIENT_ID"),
        ("basecamp", {"BASECAMP_ACCESS_TOKEN": "Bearer x"}, "BASECAMP_ACCESS_TOKEN holds blanks"),
        ("basecamp", {"BASECAMP_ACCOUNT_ID": "acme"}, "BASECAMP_ACCOUNT_ID="),
    ],
)
async def test_half_of_a_credential_is_named(
    monkeypatch: pytest.MonkeyPatch, server: str, given: dict[str, str], said: str
) -> None:
    """The variable that is missing or wrong, in one line."""
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    (line,) = await warnings_of([server])
    assert line.startswith(f"{server}: ")
    assert said in line
    assert "\n" not in line


async def test_no_token_is_renewed_for_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    """A refresh token that is spent where nobody keeps its successor would be lost."""
    async with AuthorizationStandIn() as authorization:
        granted = authorization.grants.authorize()
        authorization.grants.expire(granted.access_token)
        monkeypatch.setenv("TRUNKLINE_BASECAMP_TOKEN_URL", authorization.token_url)
        monkeypatch.setenv("BASECAMP_ACCESS_TOKEN", granted.access_token)
        monkeypatch.setenv("BASECAMP_REFRESH_TOKEN", granted.refresh_token)
        monkeypatch.setenv("BASECAMP_CLIENT_ID", authorization.grants.client_id)
        assert await warnings_of(MODULES.keys() & {"basecamp"}) == []
        assert authorization.requests.matching() == []
