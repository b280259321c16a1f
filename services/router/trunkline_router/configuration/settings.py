"""What the router needs from its environment."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import NoDecode

from trunkline_router.configuration.web_address import must_be_http
from trunkline_router.configuration.webhook_secrets import UrlSecret, WebhookSecret
from trunkline_router.configuration.worker_count import WorkerCount
from trunkline_shared.github.allowed import RepositoryGlobs
from trunkline_shared.loopback import is_loopback
from trunkline_shared.signing import SigningSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltIn:
    """A server that the mesh ships; one that `delegates` calls back in its caller's name.

    `vendor` is whose API it asks, for the credentials that keys bring.
    """

    container: str
    vendor: str = ""
    delegates: bool = False


BUILT_IN: Mapping[str, BuiltIn] = {
    "github_comment": BuiltIn(container="comment", vendor="github"),
    "github_inline_comment": BuiltIn(container="inline-review", vendor="github"),
    "github_ci": BuiltIn(container="ci-status", vendor="github"),
    "github": BuiltIn(container="issues", vendor="github"),
    "basecamp": BuiltIn(container="project-reader", vendor="basecamp"),
    "jira": BuiltIn(container="jira", vendor="jira"),
    "twig": BuiltIn(container="branch-context", delegates=True),
    "bridge": BuiltIn(container="bridge", delegates=True),
}
"""Every server that the mesh ships, by its id."""
DELEGATING = frozenset(server for server, known in BUILT_IN.items() if known.delegates)

_CONVENTION: Mapping[str, str] = {
    server: f"http://{known.container}:8480/mcp" for server, known in BUILT_IN.items()
}
_REPOSITORY = re.compile(r"[^/\s]+/[^/\s]+")


class RouterSettings(SigningSettings):
    """Where the router listens, whom it lets in, and the servers behind it."""

    host: str = "127.0.0.1"
    """The address that the router listens on, and where the command line looks for it; beyond
    loopback the router needs keys or OAuth.
    """
    port: int = Field(8470, ge=0, le=65535)
    """The router's port; 0 takes any that is free."""
    config: str = ""
    """The file with [the rest of it](configuration.md); `trunkline.yaml` in the folder of its start
    without it, if it is there.
    """
    public_url: str | None = None
    """The URL that clients use, without `/mcp`; from host and port without it."""
    internal_url: str | None = None
    """Where the servers reach the router's `/mcp`; the address that it listens on without it."""
    allowed_origins: Annotated[tuple[str, ...], NoDecode] = ()
    """Origins of web pages that may call the router, beside its own."""
    servers: Annotated[tuple[str, ...], NoDecode] = ()
    """The servers that the mesh has; all that are known without it."""
    server_urls: Annotated[Mapping[str, str], NoDecode] = Field(default_factory=dict)
    """Where the mesh's own servers are; `http://CONTAINER:8480/mcp` for each without it."""
    mesh_key: SecretStr | None = None
    local_defaults: bool = False
    """Whether reads are completed from this machine's checkout: repository, branch, pull request,
    Jira issue. `trunkline run` switches it on; wrong for a team's router.
    """
    github_repository: str = ""
    allowed_repos: RepositoryGlobs = ""
    audit_log: str = ""
    """A file, or `stdout`: one line of JSON for each write. No record without it."""
    github_webhook_secret: WebhookSecret = SecretStr("")
    """Lets GitHub's webhooks in: a comma list, newest first, each of 16 characters or more."""
    basecamp_webhook_secret: UrlSecret = SecretStr("")
    """The same for Basecamp; it stands in the webhook's URL."""
    jira_webhook_secret: WebhookSecret = SecretStr("")
    """The same for Jira."""
    workers: WorkerCount = 1
    """How many processes the router is, [on one port](operate.md#more-than-one-process): a number,
    or `auto` for as many as it has cores, 16 at most. More than one need Redis.
    """
    drain_s: float | None = Field(None, ge=0)
    finish_s: float = Field(30, ge=0)

    @property
    def grace_s(self) -> float:
        """How long connections are still served once the router is to end; seconds."""
        return (0 if self.on_loopback else 5) if self.drain_s is None else self.drain_s

    @property
    def urls(self) -> Mapping[str, str]:
        """Server id to the URL of its MCP endpoint."""
        return self.server_urls or _CONVENTION

    @field_validator("allowed_origins", "servers", mode="before")
    @classmethod
    def _comma_list(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        return tuple(part.strip() for part in value.split(",") if part.strip())

    @field_validator("server_urls", mode="before")
    @classmethod
    def _pairs(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        pairs = [part.strip().partition("=") for part in value.split(",") if part.strip()]
        return {server.strip(): url.strip() for server, _, url in pairs}

    @field_validator("server_urls")
    @classmethod
    def _reachable(cls, value: Mapping[str, str]) -> Mapping[str, str]:
        for server, url in value.items():
            try:
                must_be_http(url)
            except ValueError:
                raise ValueError(
                    f"{server}={url} is no HTTP URL: write {server}=http://HOST:PORT/mcp"
                ) from None
        return value

    @field_validator("github_repository")
    @classmethod
    def _named_in_full(cls, value: str) -> str:
        if value and not _REPOSITORY.fullmatch(value):
            raise ValueError("must be OWNER/REPO, such as octocat/hello-world")
        return value

    @field_validator("public_url")
    @classmethod
    def _absolute(cls, value: str | None) -> str | None:
        if value and not urlsplit(value).hostname:
            raise ValueError("must be the whole URL, such as https://trunkline.example")
        return value or None

    @field_validator("internal_url")
    @classmethod
    def _whole(cls, value: str | None) -> str | None:
        parts = urlsplit(value or "")
        if value and (parts.scheme not in {"http", "https"} or not parts.hostname):
            raise ValueError("must be the URL of the endpoint, such as http://router:8470/mcp")
        return value or None

    @property
    def mesh_headers(self) -> dict[str, str]:
        """The headers that open the mesh's own servers."""
        key = self.mesh_key
        return {"Authorization": f"Bearer {key.get_secret_value()}"} if key is not None else {}

    @property
    def on_loopback(self) -> bool:
        return is_loopback(self.host)
