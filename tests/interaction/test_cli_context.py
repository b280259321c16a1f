"""`trunkline context` as a real process: a token for one job, or what is wrong."""

from collections.abc import AsyncIterator
from pathlib import Path

import orjson
import pytest

from tests.interaction import keys
from tests.interaction.ruled import Ruled, ruled
from tests.interaction.trunkline_process import Ended, ended, environment

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]

PLAIN = keys.entry("plain", scopes=["tools"])


@pytest.fixture
async def here() -> AsyncIterator[Ruled]:
    """A router with keys."""
    async with ruled(PLAIN) as made:
        yield made


async def context(here: Ruled, home: Path, *words: str, key: str = "admin") -> Ended:
    given = {"TRUNKLINE_PORT": str(here.mesh.port), "TRUNKLINE_API_KEY": keys.key_of(key)}
    return await ended("context", *words, env=environment(home, given), cwd=home)


@pytest.mark.requirement("gateway.job-tokens")
async def test_a_token_is_printed_with_what_a_client_needs(here: Ruled, tmp_path: Path) -> None:
    """Token, URL and end; then the entry of a client's configuration, which works."""
    done = await context(
        here, tmp_path, "--bind", "owner=acme", "--bind", "repo=widgets", "--bind", "pr_number=12",
        "--tool", "mcp__github_ci__*", "--ttl", "1h30m",
    )  # fmt: skip
    assert (done.code, done.err) == (0, "")
    first, second, third, _, _, last = done.out.splitlines()
    token = first.removeprefix("token").strip()
    assert second.split() == ["url", here.mesh.mcp]
    assert third.startswith("expires_at")
    entry = orjson.loads(last)["mcpServers"]["trunkline"]
    assert entry == {
        "type": "http",
        "url": here.mesh.mcp,
        "headers": {"Authorization": f"Bearer {token}"},
    }
    assert await here.names(token) == {"get_ci", "rerun", "get_runs"}


@pytest.mark.requirement("gateway.job-tokens")
async def test_json_is_what_the_router_answered(here: Ruled, tmp_path: Path) -> None:
    """For scripts: one object."""
    done = await context(here, tmp_path, "--json", "--observe", "--ttl", "60")
    assert set(orjson.loads(done.out)) == {"token", "url", "expires_at"}


@pytest.mark.requirement("gateway.job-tokens")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--bind", "pr=12"], "Did you mean 'pr_number'"),
        (["--bind", "pr_number"], "write it as KEY=VALUE"),
        (["--bind", "owner=a", "--bind", "owner=b"], "given twice"),
        (["--ttl", "soon"], "90s, 30m or 1h30m"),
        (["--ttl", "25h"], "Send seconds, 1 to 86400"),
        (["--tool", "github_ci.*"], "Write mcp__SERVER__TOOL"),
    ],
)
async def test_what_is_wrong_is_said_with_its_fix(
    here: Ruled, tmp_path: Path, words: list[str], said: str
) -> None:
    """On standard error, with the exit code of a wrong command line."""
    done = await context(here, tmp_path, *words)
    assert done.code == 2
    assert said in done.err
    assert done.out == ""


@pytest.mark.requirement("gateway.job-tokens")
async def test_a_key_that_may_not_mint_is_told_so(here: Ruled, tmp_path: Path) -> None:
    """The scope that is lacking is named."""
    done = await context(here, tmp_path, key="plain")
    assert done.code == 1
    assert "contexts" in done.err
