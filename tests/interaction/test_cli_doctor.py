"""`trunkline doctor` as a real process: each check in each of its colours."""

import subprocess
from pathlib import Path

import orjson
import pytest

from tests.interaction.mesh import routing, sample_server
from tests.interaction.trunkline_process import Ended, ended, environment
from trunkline_cli import listening
from trunkline_shared.testing.basecamp import ACCOUNT_ID, BasecampStandIn
from trunkline_shared.testing.basecamp import seed_demo as seed_basecamp
from trunkline_shared.testing.basecamp.authorization import AuthorizationStandIn
from trunkline_shared.testing.basecamp.grants import Account
from trunkline_shared.testing.github import GitHubStandIn
from trunkline_shared.testing.github.demo import seed_demo
from trunkline_shared.testing.jira import JiraStandIn
from trunkline_shared.testing.jira import seed_demo as seed_jira
from trunkline_shared.testing.serving import serving

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]


def git(*words: str) -> None:
    """Run git as the user has it."""
    subprocess.run(["git", *words], check=True)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a git repository without remotes."""
    here = tmp_path / "checkout"
    git("init", "-q", "-b", "trunk", str(here))
    return here


async def findings(cwd: Path, **given: str) -> tuple[int, dict[str, dict[str, str]]]:
    """Run `trunkline doctor --json`; returns its exit code and the findings by subject."""
    env = environment(cwd.parent, given)
    result = await ended("doctor", "--json", env=env, cwd=cwd)
    assert result.out, result.err
    return result.code, {each["about"]: each for each in orjson.loads(result.out)}


@pytest.mark.requirement("doctor.checks")
async def test_a_checkout_without_credentials_is_warned_about_and_passes(checkout: Path) -> None:
    """A missing token and a missing remote are warnings with a way to mend them."""
    code, found = await findings(checkout)
    assert code == 0
    levels = {about: each["level"] for about, each in found.items()}
    assert levels == {
        "python": "ok",
        "git": "ok",
        "checkout": "ok",
        "remote": "warn",
        "repository": "warn",
        "github": "warn",
        "basecamp": "warn",
        "jira": "warn",
        "bridge": "warn",
        "router": "ok",
    }
    assert "GITHUB_TOKEN" in found["github"]["mend"]
    assert "BASECAMP_ACCESS_TOKEN" in found["basecamp"]["mend"]
    assert "JIRA_HOST" in found["jira"]["mend"]
    assert "TRUNKLINE_BRIDGE_RUNNER" in found["bridge"]["mend"]
    assert found["checkout"]["text"] == str(checkout)


async def test_a_working_token_is_named_with_its_owner_and_reach(checkout: Path) -> None:
    """The default repository comes from the remote; the token may write there."""
    async with GitHubStandIn() as github:
        seed_demo(github.state)
        git("-C", str(checkout), "remote", "add", "origin", "git@127.0.0.1:acme/widgets.git")
        code, found = await findings(
            checkout, TRUNKLINE_GITHUB_API_URL=github.url, GITHUB_TOKEN="demo-token"
        )
    assert code == 0
    assert found["repository"]["text"] == "acme/widgets by default, from the remote"
    assert found["github"]["text"].startswith("signed in as demo, with GITHUB_TOKEN")
    assert found["reach"]["level"] == "ok"
    assert "acme/widgets (public): may read and write" in found["reach"]["text"]


@pytest.mark.requirement("doctor.checks")
async def test_a_rejected_token_is_a_failure(checkout: Path) -> None:
    """GitHub's refusal fails the command, and the token is not shown."""
    async with GitHubStandIn() as github:
        seed_demo(github.state)
        code, found = await findings(
            checkout, TRUNKLINE_GITHUB_API_URL=github.url, GITHUB_TOKEN="expired-token"
        )
    assert code == 1
    assert found["github"]["level"] == "fail"
    assert "expired-token" not in str(found)


@pytest.mark.requirement("doctor.checks")
async def test_a_permission_that_a_server_needs_and_lacks_is_named(checkout: Path) -> None:
    """A fine-grained token without Actions: read is a warning that names the server."""
    async with GitHubStandIn() as github:
        demo = seed_demo(github.state)
        demo.repository.private = True
        permissions = {"issues": "read", "pull_requests": "read", "metadata": "read"}
        github.state.add_token(demo.token.user, "narrow", permissions=permissions)
        result = await ended(
            "doctor",
            env=environment(
                checkout.parent,
                {
                    "TRUNKLINE_GITHUB_API_URL": github.url,
                    "GITHUB_TOKEN": "narrow-token",
                    "TRUNKLINE_GITHUB_REPOSITORY": "acme/widgets",
                },
            ),
            cwd=checkout,
        )
    assert result.code == 0, result.out
    assert "ok    permission     Issues: read" in result.out
    assert "Actions: read is missing: github_ci will answer PERMISSION_DENIED" in result.out
    assert "mend: give the token Actions: read for acme/widgets" in result.out


async def test_a_repository_out_of_reach_is_a_warning(checkout: Path) -> None:
    """The token works, the default repository is not one of its own."""
    async with GitHubStandIn() as github:
        seed_demo(github.state)
        code, found = await findings(
            checkout,
            TRUNKLINE_GITHUB_API_URL=github.url,
            GITHUB_TOKEN="demo-token",
            TRUNKLINE_GITHUB_REPOSITORY="acme/secret",
        )
    assert code == 0
    assert found["reach"]["level"] == "warn"
    assert "acme/secret" in found["reach"]["mend"]


@pytest.mark.requirement("doctor.checks")
async def test_working_logins_of_basecamp_and_jira_are_named_with_their_reach(
    checkout: Path,
) -> None:
    """Whose they are, until when the token lasts, the account, the site and its flavour."""
    async with (
        BasecampStandIn() as basecamp,
        AuthorizationStandIn() as issuer,
        JiraStandIn() as jira,
    ):
        given = led_to(basecamp, issuer, jira)
        code, found = await findings(checkout, **given)
    assert code == 0, found
    assert found["basecamp"]["text"] == "signed in as Jason Fried, with BASECAMP_ACCESS_TOKEN"
    assert found["basecamp token"]["text"].startswith("lasts until 20")
    assert found["basecamp reach"]["text"].startswith(f"account {ACCOUNT_ID} (Acme) at 127.0.0.1")
    assert found["jira site"]["text"] == f"Jira Cloud at {jira.url}"
    assert found["jira"]["text"].startswith("signed in as Demo User")
    assert given["BASECAMP_ACCESS_TOKEN"] not in str(found)


@pytest.mark.requirement("doctor.checks")
async def test_refused_logins_of_basecamp_and_jira_are_failures(checkout: Path) -> None:
    """Each with the variable to set; neither is shown."""
    async with (
        BasecampStandIn() as basecamp,
        AuthorizationStandIn() as issuer,
        JiraStandIn() as jira,
    ):
        given = led_to(basecamp, issuer, jira)
        wrong = {"BASECAMP_ACCESS_TOKEN": "an-old-secret", "JIRA_API_TOKEN": "an-old-secret"}
        code, found = await findings(checkout, **{**given, **wrong})
    assert code == 1
    assert (found["basecamp"]["level"], found["jira"]["level"]) == ("fail", "fail")
    assert "BASECAMP_ACCESS_TOKEN" in found["basecamp"]["mend"]
    assert "JIRA_API_TOKEN" in found["jira"]["mend"]
    assert "an-old-secret" not in str(found)


def led_to(
    basecamp: BasecampStandIn, issuer: AuthorizationStandIn, jira: JiraStandIn
) -> dict[str, str]:
    """Seed the stand-ins; returns the variables of somebody who uses both vendors."""
    basecamp.state.grants = issuer.grants
    basecamp.state.grantee = seed_basecamp(basecamp.state).token.person
    account = Account(id=ACCOUNT_ID, name="Acme", href=f"{basecamp.url}/{ACCOUNT_ID}")
    issuer.grants.accounts.append(account)
    seed_jira(jira.state)
    return {
        "BASECAMP_ACCESS_TOKEN": issuer.grants.authorize().access_token,
        "BASECAMP_ACCOUNT_ID": str(ACCOUNT_ID),
        "TRUNKLINE_BASECAMP_API_URL": basecamp.url,
        "TRUNKLINE_BASECAMP_TOKEN_URL": issuer.token_url,
        "JIRA_HOST": jira.url,
        "JIRA_USERNAME": "demo@acme.test",
        "JIRA_API_TOKEN": "demo-token",
    }


async def test_outside_of_a_checkout_it_fails_and_says_where_to_go(tmp_path: Path) -> None:
    """branch-context has nothing to serve there."""
    code, found = await findings(tmp_path)
    assert code == 1
    assert found["checkout"]["level"] == "fail"
    assert found["checkout"]["mend"]


@pytest.mark.requirement("bridge.shipped-doctor")
@pytest.mark.parametrize(
    ("runner", "level", "said"),
    [
        ("git --version", "ok", "prompts go to /"),
        ("sampling", "ok", "the caller's own model"),
        ("no-such-agent --quiet", "fail", "no-such-agent, which is not on PATH"),
        ("'unclosed", "fail", "TRUNKLINE_BRIDGE_RUNNER"),
    ],
)
async def test_the_bridge_s_runner_is_looked_for(
    checkout: Path, runner: str, level: str, said: str
) -> None:
    """What is named and not there would fail every prompt."""
    code, found = await findings(checkout, TRUNKLINE_BRIDGE_RUNNER=runner)
    assert found["bridge"]["level"] == level
    assert said in found["bridge"]["text"]
    assert code == (level == "fail")


async def test_without_git_it_fails(checkout: Path, tmp_path: Path) -> None:
    """A PATH without git is named."""
    code, found = await findings(checkout, PATH=str(tmp_path))
    assert code == 1
    assert found["git"]["level"] == "fail"


async def test_a_running_router_and_its_servers_are_listed(checkout: Path) -> None:
    """One line for the router, one for each server."""
    async with serving(sample_server()) as url, routing({"sample": url}) as mesh:
        _, found = await findings(checkout, TRUNKLINE_PORT=str(mesh.port))
    assert "runs on" in found["router"]["text"]
    assert found["sample"]["level"] == "ok"


async def test_a_port_that_somebody_else_has_is_a_failure(checkout: Path) -> None:
    """The router could not start there."""
    with listening.on_any_port() as taken:
        port = str(listening.port_of(taken))
        code, found = await findings(checkout, TRUNKLINE_PORT=port)
    assert code == 1
    assert f"port {port}" in found["router"]["text"]
    assert "TRUNKLINE_PORT" in found["router"]["mend"]


async def test_people_read_a_line_per_finding(checkout: Path) -> None:
    """Plain text when piped: level, subject, finding, and how to mend it below."""
    result: Ended = await ended("doctor", env=environment(checkout.parent), cwd=checkout)
    assert "ok    git" in result.out
    assert "warn  github" in result.out
    assert "mend: Set GITHUB_TOKEN" in result.out
    assert "\x1b[" not in result.out
