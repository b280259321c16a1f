"""What a start without usable credentials means, said at the start."""

from collections.abc import Awaitable, Callable, Iterable, Mapping

from trunkline_jira.settings import JiraSettings
from trunkline_jira.site.opening import configured_credentials
from trunkline_project_reader.settings import ProjectReaderSettings
from trunkline_project_reader.tokens.configured import ConfiguredTokens
from trunkline_shared.errors import CredentialsMissing, TrunklineError
from trunkline_shared.github.opening import open_github
from trunkline_shared.github.settings import GitHubSettings
from trunkline_shared.settings import ConfigurationError, load
from trunkline_shared.store.store import in_process_store


async def warnings_of(servers: Iterable[str]) -> list[str]:
    """Return one line per credential that is not usable, with the servers that lack it.

    No vendor is asked, and no token is renewed.
    """
    lines = []
    hosted = tuple(servers)
    for needing, check in _CHECKS.items():
        lacking = [server for server in hosted if server in needing]
        problem = await _problem(check) if lacking else None
        if problem is not None:
            lines.append(f"{', '.join(lacking)}: {problem}")
    return lines


async def _problem(check: Callable[[], Awaitable[None]]) -> str | None:
    try:
        await check()
    except (TrunklineError, ConfigurationError) as error:
        return str(error)
    return None


async def _check_github() -> None:
    async with open_github(load(GitHubSettings), in_process_store()) as github:
        try:
            await github.check_credentials()
        except CredentialsMissing as error:
            raise CredentialsMissing(f"no GITHUB_TOKEN: their tools answer {error.code}") from None


async def _check_basecamp() -> None:
    settings = load(ProjectReaderSettings)
    ConfiguredTokens(
        token_url=settings.basecamp_token_url, resource=settings.basecamp_token_resource
    ).now()


async def _check_jira() -> None:
    await configured_credentials(load(JiraSettings)).get()


_CHECKS: Mapping[frozenset[str], Callable[[], Awaitable[None]]] = {
    frozenset({"github", "github_ci", "github_comment", "github_inline_comment"}): _check_github,
    frozenset({"basecamp"}): _check_basecamp,
    frozenset({"jira"}): _check_jira,
}
