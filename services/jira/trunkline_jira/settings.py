"""What the jira service needs from its environment; credentials are read live, never kept here."""

import re
from pathlib import Path
from typing import Annotated

from pydantic import Field, field_validator

from trunkline_jira.address import normalised
from trunkline_jira.keys import DEFAULT_PATTERN
from trunkline_shared.offer import OfferSettings
from trunkline_shared.signing import SigningSettings

_GLOB = re.compile(r"[A-Z0-9_*?]+")


class JiraSettings(OfferSettings, SigningSettings):
    """Where Jira is, which projects may be touched, and which tools to offer."""

    jira_host: str = Field("", validation_alias="JIRA_HOST")
    """The Jira, a host or a URL."""
    jira_url: str = ""
    """The same, and goes before it: with the context path of a Data Center, or
    `https://api.atlassian.com/ex/jira/CLOUD-ID`.
    """
    jira_projects: str = ""
    """Comma list of globs over project keys: what the mesh may touch at all; any without it."""
    jira_key_pattern: str = DEFAULT_PATTERN
    """A regular expression that a whole issue key in upper case must match."""
    jira_concurrency: Annotated[int, Field(ge=1, le=100)] = 10
    """How many requests to Jira the server may have underway."""
    netrc: Path | None = Field(default=None, validation_alias="NETRC")

    @field_validator("jira_host", "jira_url")
    @classmethod
    def _usable(cls, given: str) -> str:
        return normalised(given) if given.strip() else ""

    @field_validator("jira_projects")
    @classmethod
    def _project_keys(cls, given: str) -> str:
        globs = re.findall(r"[^,\s]+", given.upper())
        for glob in globs:
            if not _GLOB.fullmatch(glob):
                raise ValueError(
                    f"{glob!r} is no project key: write keys such as WID, or globs such as WEB_*, "
                    "with commas between them"
                )
        return ",".join(globs)

    @field_validator("jira_key_pattern")
    @classmethod
    def _expression(cls, given: str) -> str:
        try:
            re.compile(given, re.ASCII)
        except re.error as error:
            raise ValueError(
                f"is no regular expression ({error}); the default is {DEFAULT_PATTERN}"
            ) from None
        return given or DEFAULT_PATTERN

    @property
    def base_url(self) -> str:
        """The base URL of the configured Jira, empty when there is none."""
        return self.jira_url or self.jira_host
