"""The repository that the servers take for granted: the configured one, else the checkout's."""

from pathlib import Path

from trunkline_branch_context.default_repository import default_repository
from trunkline_cli.environment import assign, variable
from trunkline_shared.github.settings import GitHubSettings
from trunkline_shared.settings import load

VARIABLE = "TRUNKLINE_GITHUB_REPOSITORY"


async def name_default_repository() -> None:
    """Set TRUNKLINE_GITHUB_REPOSITORY from the checkout's remote unless it is configured.

    Raises ConfigurationError.
    """
    if variable(VARIABLE):
        return
    path = Path(variable("TRUNKLINE_REPO_PATH", "."))
    found = await default_repository(path, load(GitHubSettings).github_api_url)
    if found is not None:
        assign(VARIABLE, found)
