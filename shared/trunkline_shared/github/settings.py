"""What a GitHub server needs from its environment; tokens are read live, never kept here."""

from pathlib import Path
from typing import Annotated

from pydantic import Field, field_validator

from trunkline_shared.github.allowed import RepositoryGlobs
from trunkline_shared.github.base_url import normalised
from trunkline_shared.settings import Settings


class GitHubSettings(Settings):
    """Where GitHub is, which repositories may be touched, and how fast.

    `github_api_version` empty means the default: 2022-11-28 on github.com and ghe.com, no header
    on GitHub Enterprise Server. `allowed_repos` is a comma list of `owner/repo` globs; empty
    allows any. `github_write_interval_s` is the least time between two writes, in seconds; 0
    switches the pacing off, for stand-ins.
    """

    github_api_url: str = "https://api.github.com"
    github_api_version: Annotated[str, Field(pattern=r"^(\d{4}-\d{2}-\d{2})?$")] = ""
    github_repository: Annotated[str, Field(pattern=r"^([^/\s]+/[^/\s]+)?$")] = ""
    allowed_repos: RepositoryGlobs = ""
    github_app_id: str = ""
    github_app_installation_id: str = ""
    netrc: Path | None = Field(default=None, validation_alias="NETRC")
    github_write_interval_s: Annotated[float, Field(ge=0, le=60)] = 1.0
    github_concurrency: Annotated[int, Field(ge=1, le=100)] = 10

    @field_validator("github_api_url")
    @classmethod
    def _usable(cls, url: str) -> str:
        return normalised(url)
