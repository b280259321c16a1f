"""What keeping a checkout needs from the environment; tokens are read live, never kept here."""

from pathlib import Path
from typing import Annotated
from urllib.parse import SplitResult, urlsplit

from pydantic import Field, field_validator

from trunkline_branch_context.settings import GITHUB_API_URL
from trunkline_shared.loopback import is_loopback
from trunkline_shared.settings import Settings


class SyncSettings(Settings):
    """Which repository is kept in `repo_path`, and how often it is fetched."""

    repo_path: Path = Path("/checkout/repository")
    sync_url: str = ""
    """The repository that is kept in `TRUNKLINE_REPO_PATH`, by https; none without it."""
    sync_branch: Annotated[str, Field(pattern=r"^([^-\s~^:?*\[\\][^\s~^:?*\[\\]*)?$")] = ""
    """Which branch is checked out; the remote's own choice without it."""
    sync_username: Annotated[str, Field(pattern=r"^[^:\s]+$")] = "x-access-token"
    """The user's name that goes with the token; GitHub ignores it."""
    sync_every_s: Annotated[float, Field(ge=1, le=600)] = 60
    """The time between two fetches."""
    github_api_url: str = GITHUB_API_URL
    search_path: str = Field("/usr/local/bin:/usr/bin:/bin", validation_alias="PATH")

    @field_validator("sync_url")
    @classmethod
    def _fetched_by_https(cls, url: str) -> str:
        given = url.strip()
        parts = urlsplit(given)
        if not given:
            return given
        if not (parts.hostname and _is_private(parts)):
            raise ValueError("must be a URL such as https://github.com/octocat/hello-world.git")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise ValueError("must hold no user, password or query: TRUNKLINE_SYNC_TOKEN is for it")
        return given

    @property
    def origin(self) -> str:
        """The scheme and host of the remote, where the token may be shown."""
        parts = urlsplit(self.sync_url)
        return f"{parts.scheme}://{parts.netloc}/"


def _is_private(parts: SplitResult) -> bool:
    return parts.scheme == "https" or (parts.scheme == "http" and is_loopback(parts.hostname or ""))
