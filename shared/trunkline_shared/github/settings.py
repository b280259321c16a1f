"""What a GitHub server needs from its environment; tokens are read live, never kept here."""

from pathlib import Path
from typing import Annotated

from pydantic import Field, field_validator

from trunkline_shared.github.allowed import RepositoryGlobs
from trunkline_shared.github.base_url import normalised
from trunkline_shared.settings import Settings


class GitHubSettings(Settings):
    """Where GitHub is, which repositories may be touched, and how fast."""

    github_api_url: str = "https://api.github.com"
    """GitHub's REST API; also that of GitHub Enterprise Server (`https://HOST/api/v3`) and of
    ghe.com.
    """
    github_api_version: Annotated[str, Field(pattern=r"^(\d{4}-\d{2}-\d{2})?$")] = ""
    """The version of the REST API that is asked for. Without it 2022-11-28, and none of GitHub
    Enterprise Server.
    """
    github_repository: Annotated[str, Field(pattern=r"^([^/\s]+/[^/\s]+)?$")] = ""
    """`owner/repo` that reads default to. Under `trunkline run` the checkout's remote is."""
    allowed_repos: RepositoryGlobs = ""
    """Comma list of globs `owner/repo`: the repositories that the mesh may touch at all, any
    without it. Set it for the router and the servers alike.
    """
    github_app_id: str = ""
    """The GitHub App in whose name GitHub is asked, in place of a token."""
    github_app_installation_id: str = ""
    """The number of the App's installation, which goes with it."""
    netrc: Path | None = Field(default=None, validation_alias="NETRC")
    """The file of logins that is looked at last; `~/.netrc` without it."""
    github_write_interval_s: Annotated[float, Field(ge=0, le=60)] = 1.0
    """The least time between two writes of one credential. 0 is for stand-ins: GitHub refuses
    clients that write faster than once a second.
    """
    github_concurrency: Annotated[int, Field(ge=1, le=100)] = 10
    """How many requests to GitHub a server may have underway."""

    @field_validator("github_api_url")
    @classmethod
    def _usable(cls, url: str) -> str:
        return normalised(url)
