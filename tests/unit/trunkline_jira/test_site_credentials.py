"""Which credential is sent: variables, files, netrc, and what lacks."""

import base64
from pathlib import Path

import pytest

from trunkline_jira.site.credentials import JiraCredentials
from trunkline_shared.errors import AuthError, CredentialsMissing, TrunklineError
from trunkline_shared.live_secret import LiveSecret

pytestmark = pytest.mark.anyio

CLOUD, SERVER = "acme.atlassian.net", "jira.corp.test"


def credentials(
    env: dict[str, str], host: str = CLOUD, netrc: Path = Path("/nonexistent")
) -> JiraCredentials:
    return JiraCredentials(
        host=host,
        username=LiveSecret("JIRA_USERNAME", env=env),
        api_token=LiveSecret("JIRA_API_TOKEN", env=env),
        personal=LiveSecret("JIRA_PERSONAL_TOKEN", env=env),
        netrc_file=netrc,
    )


def basic(user: str, secret: str) -> str:
    return "Basic " + base64.b64encode(f"{user}:{secret}".encode()).decode()


BOTH = {"JIRA_USERNAME": "me@acme.test", "JIRA_API_TOKEN": "t0", "JIRA_PERSONAL_TOKEN": "pat"}


@pytest.mark.requirement("jira.credentials")
@pytest.mark.parametrize(
    ("env", "host", "sent"),
    [
        (BOTH, CLOUD, basic("me@acme.test", "t0")),
        (BOTH, "api.atlassian.com", basic("me@acme.test", "t0")),
        (BOTH, SERVER, "Bearer pat"),
        ({"JIRA_PERSONAL_TOKEN": "pat"}, "api.atlassian.com", "Bearer pat"),
        ({"JIRA_PERSONAL_TOKEN": "pat", "JIRA_USERNAME": "x"}, CLOUD, "Bearer pat"),
        ({"JIRA_USERNAME": "zoë", "JIRA_API_TOKEN": "p w"}, SERVER, basic("zoë", "p w")),
    ],
)
async def test_cloud_has_basic_and_data_center_bearer(
    env: dict[str, str], host: str, sent: str
) -> None:
    """With both configured, each host gets what it understands."""
    assert (await credentials(env, host).get()).authorization == sent


@pytest.mark.requirement("jira.credentials")
@pytest.mark.parametrize(
    ("env", "host", "names"),
    [
        ({}, "", "JIRA_HOST"),
        (BOTH, "", "JIRA_HOST"),
        ({}, CLOUD, "JIRA_API_TOKEN"),
        ({"JIRA_USERNAME": "me"}, CLOUD, "JIRA_API_TOKEN"),
        ({"JIRA_API_TOKEN": "t0"}, CLOUD, "JIRA_USERNAME"),
        ({"JIRA_USERNAME": " ", "JIRA_API_TOKEN": "\n"}, CLOUD, "JIRA_PERSONAL_TOKEN"),
    ],
)
async def test_what_lacks_is_named(env: dict[str, str], host: str, names: str) -> None:
    """The variable to set stands in the message."""
    with pytest.raises(CredentialsMissing, match=names):
        await credentials(env, host).get()


@pytest.mark.requirement("jira.credentials")
@pytest.mark.parametrize(
    "env",
    [
        {"JIRA_PERSONAL_TOKEN": "a b"},
        {"JIRA_PERSONAL_TOKEN": "a\r\nX-Injected: 1"},
        {"JIRA_USERNAME": "a:b", "JIRA_API_TOKEN": "t0"},
        {"JIRA_USERNAME": "a", "JIRA_API_TOKEN": "t\n0"},
    ],
)
async def test_a_malformed_credential_is_not_sent(env: dict[str, str]) -> None:
    """It would break the header, or end the name too early; it is never shown."""
    with pytest.raises(AuthError) as refused:
        await credentials(env, SERVER).get()
    assert refused.value.details["reason"] == "malformed_token"
    assert "t0" not in str(refused.value)


@pytest.mark.requirement("jira.credentials")
async def test_a_file_is_read_again_when_it_changes(tmp_path: Path) -> None:
    """Docker and Kubernetes replace secrets while the server runs."""
    file = tmp_path / "pat"
    file.write_text("first\n", encoding="utf-8")
    found = credentials({"JIRA_PERSONAL_TOKEN_FILE": str(file)}, SERVER)
    refused = await found.get()
    assert refused.authorization == "Bearer first"
    assert await found.renewed(refused, status=401, refusals=1) is None
    file.write_text("second-one\n", encoding="utf-8")
    better = await found.renewed(refused, status=401, refusals=1)
    assert better is not None
    assert better.authorization == "Bearer second-one"
    assert await found.renewed(refused, status=401, refusals=2) is None


@pytest.mark.requirement("jira.netrc")
@pytest.mark.parametrize(
    ("text", "sent"),
    [
        (f"machine {CLOUD} login me@acme.test password t1", basic("me@acme.test", "t1")),
        ("machine atlassian.net login me@acme.test password t2", basic("me@acme.test", "t2")),
        (
            f"machine atlassian.net login a password b machine {CLOUD} login c password d",
            basic("c", "d"),
        ),
        ("default login me password t3", basic("me", "t3")),
        (f'machine {CLOUD} login "" password pat', "Bearer pat"),
    ],
)
async def test_netrc_has_the_host_then_every_site(text: str, sent: str, tmp_path: Path) -> None:
    """The machine is the site's host, else atlassian.net as twig has it, else the default."""
    file = tmp_path / "netrc"
    file.write_text(text, encoding="utf-8")
    assert (await credentials({}, netrc=file).get()).authorization == sent


@pytest.mark.requirement("jira.netrc")
async def test_variables_go_before_netrc(tmp_path: Path) -> None:
    """What is set for this process counts more than what the machine knows."""
    file = tmp_path / "netrc"
    file.write_text(f"machine {CLOUD} login c password d", encoding="utf-8")
    env = {"JIRA_USERNAME": "me", "JIRA_API_TOKEN": "t0"}
    assert (await credentials(env, netrc=file).get()).authorization == basic("me", "t0")


@pytest.mark.requirement("jira.netrc")
@pytest.mark.parametrize("content", [b"}{ \xff\xfe", b"machine a bogus b"])
async def test_an_unusable_netrc_is_missing_credentials_with_the_reason(
    content: bytes, tmp_path: Path
) -> None:
    """Stray syntax is said, never crashed on."""
    file = tmp_path / "netrc"
    file.write_bytes(content)
    with pytest.raises(CredentialsMissing, match="netrc") as missing:
        await credentials({}, netrc=file).get()
    assert missing.value.details["reason"] == "netrc_unusable"
    assert missing.value.details["variables"]


@pytest.mark.requirement("jira.netrc")
async def test_a_directory_in_netrcs_place_is_no_crash(tmp_path: Path) -> None:
    """Neither is a file that may not be read."""
    with pytest.raises(CredentialsMissing, match="netrc"):
        await credentials({}, netrc=tmp_path).get()


@pytest.mark.requirement("jira.credentials")
async def test_no_failure_shows_a_secret() -> None:
    """Not in its text, not in its repr."""
    shown = repr(await credentials(BOTH).get())
    assert "t0" not in shown
    assert base64.b64encode(b"me@acme.test:t0").decode() not in shown
    with pytest.raises(TrunklineError) as failure:
        await credentials({"JIRA_API_TOKEN": "t0"}).get()
    assert "t0" not in repr(failure.value)
