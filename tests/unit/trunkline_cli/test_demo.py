"""The demo's servers know the stand-ins, and nothing of their starter's vendors."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_cli import demo
from trunkline_cli.environment import variables
from trunkline_jira.settings import JiraSettings
from trunkline_jira.site.opening import configured_credentials
from trunkline_project_reader.settings import ProjectReaderSettings
from trunkline_project_reader.tokens.configured import AccessOnly, ConfiguredTokens
from trunkline_shared.github.opening import open_github
from trunkline_shared.github.settings import GitHubSettings
from trunkline_shared.settings import load
from trunkline_shared.store.settings import StoreSettings
from trunkline_shared.store.store import in_process_store
from trunkline_shared.testing import basecamp, github, jira
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio

ORIGINS = {
    "github": "http://127.0.0.1:1001",
    "basecamp": "http://127.0.0.1:1002",
    "jira": "http://127.0.0.1:1003",
}
REAL = "a-real-secret"
VALUES: Mapping[str, str] = {
    "JIRA_HOST": "corp.atlassian.net",
    "JIRA_USERNAME": "me@corp.example",
    "JIRA_API_TOKEN": REAL,
    "JIRA_PERSONAL_TOKEN": REAL,
    "TRUNKLINE_JIRA_URL": "https://jira.corp.example",
    "TRUNKLINE_JIRA_PROJECTS": "CORP",
    "TRUNKLINE_JIRA_KEY_PATTERN": "CORP-1",
    "BASECAMP_ACCOUNT_ID": "99",
    "BASECAMP_ACCESS_TOKEN": REAL,
    "BASECAMP_REFRESH_TOKEN": REAL,
    "BASECAMP_CLIENT_ID": "client",
    "BASECAMP_CLIENT_SECRET": REAL,
    "TRUNKLINE_BASECAMP_API_URL": "https://basecamp.corp.example",
    "TRUNKLINE_BASECAMP_TOKEN_URL": "https://login.corp.example/token",
    "GITHUB_TOKEN": REAL,
    "GH_TOKEN": REAL,
    "TRUNKLINE_GITHUB_APP_ID": "1",
    "TRUNKLINE_GITHUB_API_URL": "https://github.corp.example/api/v3",
    "TRUNKLINE_GITHUB_REPOSITORY": "corp/secret",
    "TRUNKLINE_ALLOWED_REPOS": "corp/*",
    "TRUNKLINE_REDIS_URL": "redis://redis.corp.example",
}


def of_a_developer(folder: Path, *, as_files: bool, lower: bool) -> dict[str, str]:
    """Return what a developer has configured: as values or in files, in either case."""
    given = {"TRUNKLINE_TOOLSETS": "all", "PATH": os.defpath, "HOME": str(folder)}
    netrc = folder / ".netrc"
    netrc.write_text(f"machine 127.0.0.1 login me password {REAL}\n", encoding="utf-8")
    netrc.chmod(0o600)
    given["NETRC"] = str(netrc)
    for name, value in VALUES.items():
        written = folder / name
        written.write_text(value, encoding="utf-8")
        given |= {f"{name}_FILE": str(written)} if as_files else {name: value}
    return {name.lower() if lower else name: value for name, value in given.items()}


@pytest.mark.parametrize("as_files", [False, True])
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.requirement("run.demo")
async def test_every_server_of_the_demo_is_led_to_its_stand_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, as_files: bool, lower: bool
) -> None:
    """Whatever real credential, address, file or netrc there is, in whatever spelling."""
    made = demo.demo_environment(of_a_developer(tmp_path, as_files=as_files, lower=lower), ORIGINS)
    for name in variables():
        monkeypatch.delenv(name)
    for name, value in made.items():
        monkeypatch.setenv(name, value)
    assert REAL not in str(made)

    told = load(JiraSettings)
    assert (told.base_url, told.jira_projects) == (ORIGINS["jira"], "")
    login = await configured_credentials(told).get()
    assert login.source == "JIRA_API_TOKEN"
    assert login.authorization in seeded_jira().token.basic

    reader = load(ProjectReaderSettings)
    assert reader.basecamp_api_url == ORIGINS["basecamp"]
    assert reader.basecamp_token_url.startswith(ORIGINS["basecamp"])
    tokens = ConfiguredTokens(token_url=reader.basecamp_token_url).now()
    assert tokens == AccessOnly(access_token=seeded_basecamp().token.secret)

    forge = load(GitHubSettings)
    assert (forge.github_api_url, forge.github_app_id) == (ORIGINS["github"], "")
    async with open_github(forge, in_process_store()) as opened:
        assert (await opened.tokens.get()).value == seeded_github().token.secret
    assert load(StoreSettings).redis_url.get_secret_value() == ""


def seeded_github() -> github.Demo:
    return github.seed_demo(github.GitHubStandIn(clock=FakeClock()).state)


def seeded_jira() -> jira.Demo:
    return jira.seed_demo(jira.JiraStandIn(clock=FakeClock()).state)


def seeded_basecamp() -> basecamp.Demo:
    return basecamp.seed_demo(basecamp.BasecampStandIn(clock=FakeClock()).state)


def test_the_demo_names_what_its_stand_ins_hold() -> None:
    """Owner, repository, account and issue are those of the seeds."""
    assert seeded_github().repository.full_name == f"{demo.OWNER}/{demo.REPOSITORY}"
    assert str(seeded_basecamp().account.id) == demo.ACCOUNT
    assert seeded_jira().wobbling.key in demo.EXAMPLES["jira"]
    assert set(demo.VENDORS) == set(ORIGINS)


@given(
    name=st.sampled_from(["JIRA_", "basecamp_", "Trunkline_Jira_", "TRUNKLINE_BASECAMP_", "NETRC"]),
    rest=st.from_regex(r"[A-Za-z_]{0,12}", fullmatch=True),
)
def test_no_variable_of_a_vendor_survives(name: str, rest: str) -> None:
    """Also one that does not exist yet."""
    made = demo.demo_environment({name + rest: REAL}, ORIGINS)
    assert REAL not in made.values()


def test_what_is_not_a_vendor_s_stays() -> None:
    """The switches of the mesh, and whatever else the servers inherit."""
    given = {"TRUNKLINE_TOOLSETS": "all", "PATH": "/bin", "HTTPS_PROXY": "http://proxy.example"}
    assert given.items() <= demo.demo_environment(given, ORIGINS).items()
