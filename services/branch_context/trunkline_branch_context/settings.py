"""What branch-context needs from its environment."""

from pathlib import Path
from typing import Annotated

from pydantic import Field

from trunkline_shared.loopback import is_loopback
from trunkline_shared.offer import OfferSettings

GITHUB_API_URL = "https://api.github.com"


class BranchContextSettings(OfferSettings):
    """The checkout to serve, whether its paths may be told, and what git and twig look at.

    Its pull requests are in `github_repository`, else in the remote on GitHub's host.
    """

    repo_path: Path = Path()
    """The checkout that is served; `make run` and `trunkline run` set it to where they are called.
    """
    show_paths: bool | None = None
    """Whether answers hold paths of the machine. Only on loopback without it."""
    service_host: str = "127.0.0.1"
    github_api_url: str = GITHUB_API_URL
    github_repository: Annotated[str, Field(pattern=r"^([^/\s]+/[^/\s]+)?$")] = ""
    search_path: str = Field("/usr/local/bin:/usr/bin:/bin", validation_alias="PATH")
    """Where git is looked for."""
    home: Path = Field(Path("/nonexistent"), validation_alias="HOME")
    """Where git's own configuration is, and twig's list of repositories."""
    config_home: str | None = Field(None, validation_alias="XDG_CONFIG_HOME")
    """Another place for git's configuration."""
    data_home: str | None = Field(None, validation_alias="XDG_DATA_HOME")
    """Another place for twig's list of repositories; `~/.local/share` without it."""
    git_config: str | None = Field(None, validation_alias="GIT_CONFIG_GLOBAL")
    """The file that git reads in place of its user's."""

    @property
    def paths_shown(self) -> bool:
        """Whether answers may hold paths: where only this machine listens, or as configured."""
        return is_loopback(self.service_host) if self.show_paths is None else self.show_paths

    @property
    def registry_path(self) -> Path:
        """Where twig keeps its list of repositories."""
        data = Path(self.data_home) if self.data_home else self.home / ".local" / "share"
        return data / "twig" / "registry.json"

    @property
    def git_environment(self) -> dict[str, str]:
        """The variables that git may see; nothing else of ours reaches it."""
        known = {
            "PATH": self.search_path,
            "HOME": str(self.home),
            "XDG_CONFIG_HOME": self.config_home,
            "GIT_CONFIG_GLOBAL": self.git_config,
        }
        return {name: value for name, value in known.items() if value}
