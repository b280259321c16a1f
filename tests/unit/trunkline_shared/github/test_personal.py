"""A person's token: where it is looked for, and when again."""

from pathlib import Path

import pytest

from tests.unit.trunkline_shared.github.test_gh_cli import command
from trunkline_shared.errors import AuthError, CredentialsMissing
from trunkline_shared.github.tokens.gh_cli import GhCli
from trunkline_shared.github.tokens.personal import KEPT_S, PersonalTokens
from trunkline_shared.live_secret import LiveSecret
from trunkline_shared.testing.fake_clock import FakeClock

pytestmark = pytest.mark.anyio


def provider(
    folder: Path, env: dict[str, str], clock: FakeClock | None = None, gh: str = "absent-gh"
) -> PersonalTokens:
    return PersonalTokens(
        secret=LiveSecret("GITHUB_TOKEN", "GH_TOKEN", env=env),
        gh=GhCli(host="github.com", command=gh),
        netrc_file=folder / "netrc",
        netrc_hosts=("api.github.com", "github.com"),
        clock=clock or FakeClock(),
    )


async def test_the_variable_is_first(tmp_path: Path) -> None:
    """GITHUB_TOKEN, then GH_TOKEN, then what needs looking for."""
    (tmp_path / "netrc").write_text("default password netrc\n", encoding="utf-8")
    gh = command(tmp_path, "echo gh")
    env = {"GITHUB_TOKEN": "one", "GH_TOKEN": "two"}
    assert (await provider(tmp_path, env, gh=gh).get()).value == "one"
    del env["GITHUB_TOKEN"]
    assert (await provider(tmp_path, env, gh=gh).get()).value == "two"
    del env["GH_TOKEN"]
    assert (await provider(tmp_path, env, gh=gh).get()).value == "gh"
    assert (await provider(tmp_path, env).get()).value == "netrc"


@pytest.mark.requirement("github.tokens")
async def test_a_changed_variable_counts_from_the_next_request(tmp_path: Path) -> None:
    """A token is never captured."""
    env = {"GITHUB_TOKEN": "one"}
    tokens = provider(tmp_path, env)
    assert (await tokens.get()).value == "one"
    env["GITHUB_TOKEN"] = "two"
    assert (await tokens.get()).value == "two"


async def test_a_replaced_secret_file_counts_from_the_next_request(tmp_path: Path) -> None:
    """Docker and Kubernetes replace secrets under a running process."""
    secret = tmp_path / "token"
    secret.write_text("one\n", encoding="utf-8")
    tokens = provider(tmp_path, {"GITHUB_TOKEN_FILE": str(secret)})
    assert (await tokens.get()).value == "one"
    secret.write_text("another\n", encoding="utf-8")
    assert (await tokens.get()).value == "another"


async def test_gh_is_asked_only_now_and_then(tmp_path: Path) -> None:
    """Its answer counts for half a minute."""
    clock, log = FakeClock(), tmp_path / "log"
    tokens = provider(tmp_path, {}, clock, command(tmp_path, f'echo x >> "{log}"; echo gh'))
    for _ in range(3):
        await tokens.get()
    assert log.read_text(encoding="utf-8") == "x\n"
    clock.advance(KEPT_S)
    await tokens.get()
    assert log.read_text(encoding="utf-8") == "x\nx\n"


async def test_without_any_the_variable_and_the_alternatives_are_named(tmp_path: Path) -> None:
    """CREDENTIALS_MISSING says what to do."""
    with pytest.raises(CredentialsMissing, match="GITHUB_TOKEN") as caught:
        await provider(tmp_path, {}).get()
    hint = str(caught.value.hint)
    assert all(word in hint for word in ("GH_TOKEN", "gh auth login", "netrc", "APP_ID"))


@pytest.mark.parametrize("value", ["two words", "line\nbreak", "ümlaut", "a\x00b"])
async def test_a_token_that_cannot_be_sent_is_refused_without_being_shown(
    tmp_path: Path, value: str
) -> None:
    """A pasted line break would otherwise end the header."""
    with pytest.raises(AuthError, match="GITHUB_TOKEN") as caught:
        await provider(tmp_path, {"GITHUB_TOKEN": value}).get()
    assert value not in caught.value.message + str(caught.value.hint)


async def test_a_refused_token_is_replaced_by_a_newer_one(tmp_path: Path) -> None:
    """Somebody has just rotated it."""
    netrc = tmp_path / "netrc"
    netrc.write_text("default password old\n", encoding="utf-8")
    tokens = provider(tmp_path, {})
    refused = await tokens.get()
    netrc.write_text("default password new\n", encoding="utf-8")
    better = await tokens.renewed(refused, status=401, refusals=1)
    assert better is not None
    assert better.value == "new"
    assert await tokens.renewed(better, status=401, refusals=2) is None


async def test_a_refused_token_without_successor_stays_refused(tmp_path: Path) -> None:
    """It is not tried again."""
    tokens = provider(tmp_path, {"GITHUB_TOKEN": "one"})
    refused = await tokens.get()
    assert await tokens.renewed(refused, status=401, refusals=1) is None
    assert await tokens.renewed(refused, status=403, refusals=1) is None


async def test_a_token_is_not_shown_and_its_fingerprint_tells_nothing(tmp_path: Path) -> None:
    """Neither in a representation nor in a key."""
    first = await provider(tmp_path, {"GITHUB_TOKEN": "s3cret"}).get()
    second = await provider(tmp_path, {"GITHUB_TOKEN": "other"}).get()
    assert "s3cret" not in repr(first)
    assert "s3cret" not in first.fingerprint
    assert first.fingerprint != second.fingerprint
