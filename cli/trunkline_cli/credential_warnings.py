"""What a start without usable credentials means, said at the start."""

from collections.abc import Iterable

from trunkline_shared.errors import CredentialsMissing, TrunklineError
from trunkline_shared.github.opening import open_github
from trunkline_shared.github.settings import GitHubSettings
from trunkline_shared.settings import ConfigurationError, load
from trunkline_shared.store.store import in_process_store

GITHUB_SERVERS = frozenset({"github", "github_ci", "github_comment", "github_inline_comment"})


async def warnings_of(servers: Iterable[str]) -> list[str]:
    """Return one line per credential that is not usable, with the servers that lack it."""
    lacking = [server for server in servers if server in GITHUB_SERVERS]
    problem = await _github_problem() if lacking else None
    return [f"{', '.join(lacking)}: {problem}"] if problem is not None else []


async def _github_problem() -> str | None:
    try:
        async with open_github(load(GitHubSettings), in_process_store()) as github:
            await github.check_credentials()
    except CredentialsMissing as error:
        return f"no GITHUB_TOKEN: their tools answer {error.code}"
    except (TrunklineError, ConfigurationError) as error:
        return str(error)
    return None
