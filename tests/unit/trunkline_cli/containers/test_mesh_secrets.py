"""The secrets of a mesh: made once, kept, and brought up to date from the environment."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
import yaml

from trunkline_cli.containers.credentials import VARIABLES, missing
from trunkline_cli.containers.mesh_secrets import (
    REDIS_USERS,
    keep_secrets,
    names,
    needs_new_containers,
)
from trunkline_cli.containers.plan import ROOT
from trunkline_cli.containers.state_folder import StateFolder, held
from trunkline_cli.failure import CommandFailed


@pytest.fixture
def state(tmp_path: Path) -> Iterator[StateFolder]:
    """An empty folder."""
    with held(tmp_path / "state", lambda: None) as folder:
        yield folder


def all_of(state: StateFolder) -> Mapping[str, str]:
    return {name: state.secret(name) for name in names()}


def test_there_is_a_file_for_each_secret_that_compose_names(state: StateFolder) -> None:
    """Neither one more nor one less."""
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    declared = yaml.safe_load(text)["secrets"]
    keep_secrets(state, {})
    assert set(declared) == set(names())
    assert {file.name for file in (state.path / "secrets").iterdir()} == set(names())


@pytest.mark.requirement("shipping.up-twice")
def test_a_second_start_keeps_every_secret(state: StateFolder) -> None:
    """And finds nothing changed."""
    assert keep_secrets(state, {}) >= {"mesh_key", "secret", REDIS_USERS}
    before = all_of(state)
    assert keep_secrets(state, {}) == set()
    assert all_of(state) == before


@pytest.mark.requirement("shipping.up-credentials")
@pytest.mark.parametrize("secret", sorted(VARIABLES))
def test_a_variable_that_is_set_replaces_what_is_kept(state: StateFolder, secret: str) -> None:
    """One that is not leaves it, whichever it is."""
    variable = VARIABLES[secret][0]
    keep_secrets(state, {variable: "first-secret-value"})
    assert keep_secrets(state, {}) == set()
    assert state.secret(secret) == "first-secret-value"
    assert keep_secrets(state, {variable: "second-secret-value"}) == {secret}
    assert state.secret(secret) == "second-secret-value"
    assert sum(bool(state.secret(each)) for each in VARIABLES) == 1


@pytest.mark.requirement("shipping.up-credentials")
def test_a_variable_may_be_a_file(state: StateFolder, tmp_path: Path) -> None:
    """Of several lines, too, without the last line break."""
    pem = "-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----"
    (tmp_path / "app.pem").write_text(pem + "\n", encoding="utf-8")
    keep_secrets(state, {"TRUNKLINE_GITHUB_APP_PRIVATE_KEY_FILE": str(tmp_path / "app.pem")})
    assert state.secret("github_app_private_key") == pem
    with pytest.raises(CommandFailed, match=r"GITHUB_TOKEN_FILE=/nowhere/x: .*cannot be read"):
        keep_secrets(state, {"GITHUB_TOKEN_FILE": "/nowhere/x"})


def test_github_s_own_variable_goes_before_that_of_gh(state: StateFolder) -> None:
    """As everywhere else."""
    keep_secrets(state, {"GH_TOKEN": "of-gh", "GITHUB_TOKEN": "of-github"})
    assert state.secret("github_token") == "of-github"
    keep_secrets(state, {"GH_TOKEN": "of-gh"})
    assert state.secret("github_token") == "of-gh"


def test_a_secret_of_ours_may_be_given(state: StateFolder) -> None:
    """A team brings its own; what others have read at their start is read again."""
    keep_secrets(state, {})
    changed = keep_secrets(state, {"TRUNKLINE_SECRET": "s" * 32})
    assert state.secret("secret") == "s" * 32
    assert needs_new_containers(changed)


@pytest.mark.parametrize("secret", ["github_token", "basecamp_access_token", "jira_api_token"])
def test_a_new_token_needs_no_new_containers(state: StateFolder, secret: str) -> None:
    """They read it when they use it."""
    keep_secrets(state, {})
    assert not needs_new_containers(keep_secrets(state, {VARIABLES[secret][0]: "x"}))


def test_a_folder_that_was_deleted_needs_new_containers(state: StateFolder) -> None:
    """Those that run see files that are gone."""
    assert needs_new_containers(keep_secrets(state, {}))


def test_passwords_are_long_and_each_another(state: StateFolder) -> None:
    """None of them is in the file that Redis reads."""
    keep_secrets(state, {})
    urls = [state.secret(name) for name in names() if name.startswith("redis_url_")]
    passwords = [found[1] for url in urls if (found := re.match(r"redis://[^:]+:([^@]+)@", url))]
    assert len(set(passwords)) == len(urls) == 6
    assert all(len(each) >= 32 for each in passwords)
    users = state.secret(REDIS_USERS)
    assert not any(each in users for each in passwords)


def test_what_is_missing_is_told_with_the_variable_and_the_file() -> None:
    """A token without what it belongs to is missing, too."""
    every = {each.servers[0]: each for each in missing(lambda _: "", {})}
    assert set(every) == {"github", "basecamp", "jira"}
    assert every["github"].variables == "GITHUB_TOKEN"
    assert every["jira"].secrets == ("jira_api_token", "jira_personal_token")
    kept = {"github_token": "x", "basecamp_access_token": "x", "jira_api_token": "x"}
    (left,) = missing(lambda name: kept.get(name, ""), {"JIRA_HOST": "acme.atlassian.net"})
    assert left.servers == ("jira",)
    whole = {"JIRA_HOST": "acme.atlassian.net", "JIRA_USERNAME": "me@acme.test"}
    assert missing(lambda name: kept.get(name, ""), whole) == []
    app = {"github_app_private_key": "x"}
    lacking = missing(lambda name: app.get(name, ""), whole | {"TRUNKLINE_GITHUB_APP_ID": "7"})
    assert "github" not in {each.servers[0] for each in lacking}
