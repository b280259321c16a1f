"""What a start without usable credentials means, said at the start."""

from collections.abc import Iterable

from trunkline_shared.errors import CredentialsMissing, TrunklineError
from trunkline_shared.github.opening import open_github
from trunkline_shared.github.settings import GitHubSettings
from trunkline_shared.settings import ConfigurationError, load

GITHUB_SERVERS = frozenset({"github_comment"})


async def warnings_of(servers: Iterable[str]) -> list[str]:
    """Return one line per server that lacks a usable credential."""
    problem = await _github_problem()
    if problem is None:
        return []
    return [f"{server}: {problem}" for server in servers if server in GITHUB_SERVERS]


async def _github_problem() -> str | None:
    try:
        async with open_github(load(GitHubSettings)) as github:
            await github.check_credentials()
    except CredentialsMissing as error:
        return f"no GITHUB_TOKEN: its tools answer {error.code}"
    except (TrunklineError, ConfigurationError) as error:
        return str(error)
    return None
