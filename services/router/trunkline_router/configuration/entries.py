"""`trunkline.yaml` as values: servers, the router's own terms, keys, and OAuth."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    Field,
    SecretStr,
    StringConstraints,
    field_validator,
    model_validator,
)

from trunkline_router.configuration.cache_entry import CacheEntry
from trunkline_router.configuration.section import Globs, Section
from trunkline_router.configuration.tool_globs import check_globs
from trunkline_router.configuration.toolsets import check_toolsets
from trunkline_router.configuration.traces_entry import TracesEntry
from trunkline_router.configuration.web_address import must_be_http, must_be_private
from trunkline_router.context import Context, InvalidContext, Value
from trunkline_shared.contracts import Policy


def _one_underscore(id_: str) -> str:
    """Return an id that no glob can take for another server's: `mcp__a__*` is all of `a`."""
    if "__" in id_:
        raise ValueError("an id has no two underscores in a row")
    return id_


ServerId = Annotated[
    str,
    StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,31}$"),
    AfterValidator(_one_underscore),
]
KeyId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9-]{1,64}$")]
Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Scope = Literal["tools", "contexts", "observe", "admin"]
ExposedName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,48}$")]


class FromEnvironment(Section):
    """A secret that stands in the environment variable `from_env`, or in the file `NAME_FILE`."""

    from_env: str


Secret = SecretStr | FromEnvironment


class BreakerTerms(Section):
    """When a server's breaker opens, and for how many seconds."""

    failures: int = Field(3, ge=1)
    cooldown_s: float = Field(300, gt=0)


class ServerEntry(Section):
    """One server: where it is, what of it is shown, and how it is guarded.

    Exactly one of `url`, `urls` (replicas) and `command` (a child that speaks on its standard
    streams) is given. `policy` stands in for what its tools would declare themselves. What a
    `private` server answers one caller is never shown to another.
    """

    url: str | None = None
    urls: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    env: Mapping[str, str | FromEnvironment] = Field(default_factory=dict)
    cwd: str | None = None
    transport: Literal["streamable-http", "sse", "stdio"] | None = None
    headers: Mapping[str, Secret] = Field(default_factory=dict)
    include: Globs = ("*",)
    exclude: Globs = ()
    rename: Mapping[str, ExposedName] = Field(default_factory=dict)
    describe: Mapping[str, str] = Field(default_factory=dict)
    policy: Mapping[str, Policy] = Field(default_factory=dict)
    private: bool = False
    timeout_s: float | None = Field(None, gt=0)
    concurrency: int = Field(16, ge=1)
    queue: int = Field(64, ge=0)
    pin: Literal["off", "warn", "strict"] = "warn"
    breaker: BreakerTerms | None = None

    @field_validator("url")
    @classmethod
    def _reachable(cls, value: str | None) -> str | None:
        return None if value is None else must_be_http(value)

    @field_validator("rename")
    @classmethod
    def _each_name_once(cls, value: Mapping[str, str]) -> Mapping[str, str]:
        names = list(value.values())
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"{', '.join(twice)} stands for two tools; give each its own name")
        return value

    @field_validator("urls")
    @classmethod
    def _all_reachable(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(must_be_http(url) for url in value)

    @model_validator(mode="after")
    def _one_place(self) -> "ServerEntry":
        places = [bool(self.url), bool(self.urls), bool(self.command)].count(True)
        if places > 1 or (places == 0 and self.transport is not None):
            raise ValueError("needs exactly one of url, urls and command")
        if bool(self.command) != (self.transport == "stdio") and self.transport is not None:
            raise ValueError("transport stdio goes with command, the others with url or urls")
        return self

    @property
    def addresses(self) -> tuple[str, ...]:
        """Return the URLs of its replicas; none for a command."""
        return self.urls or ((self.url,) if self.url else ())


class OwnEntry(ServerEntry):
    """The entry of a server that the mesh ships, at the place that the variables name.

    An entry that names another place is a foreign server's, whatever its id: nothing that it says
    of itself is believed, and it gets no key.
    """


class RouterEntry(Section):
    """How lists are made of several servers, and what guards every server.

    `page` is the length of a list's page; without it lists have one page.
    """

    prefix: Literal["collision", "always", "never"] = "collision"
    page: int | None = Field(None, ge=1)
    breaker: BreakerTerms = BreakerTerms()
    result_bytes: int = Field(1024 * 1024, ge=1024)
    cache: CacheEntry = CacheEntry()
    traces: TracesEntry = TracesEntry()


class RateEntry(Section):
    """How much a caller may do; None bounds nothing."""

    per_minute: int | None = Field(None, ge=1)
    writes_per_minute: int | None = Field(None, ge=1)
    concurrent: int | None = Field(None, ge=1)


class KeyEntry(Section):
    """An API key: `hash` is the SHA-256 of its secret part, hexadecimal.

    `allow` and `deny` are globs over `mcp__{server}__{tool}`; `toolsets` are those whose tools are
    there for the key, None means all that the servers offer. `credentials` names, by vendor
    (github, basecamp, jira), what is used in place of the mesh's own.
    """

    id: KeyId
    hash: Digest
    allow: Globs = ("*",)
    deny: Globs = ()
    toolsets: tuple[str, ...] | None = None
    scopes: tuple[Scope, ...] = ("tools",)
    bind: Mapping[str, Value] = Field(default_factory=dict)
    rate: RateEntry = RateEntry()
    credentials: Mapping[Literal["github", "basecamp", "jira"], Secret] = Field(
        default_factory=dict
    )
    tools: Literal["all", "search"] = "all"

    @field_validator("allow", "deny")
    @classmethod
    def _match_tools(cls, value: Globs) -> Globs:
        check_globs(value)
        return value

    @field_validator("bind")
    @classmethod
    def _is_context(cls, value: Mapping[str, Value]) -> Mapping[str, Value]:
        try:
            return dict(Context.of(value.items()).bindings)
        except InvalidContext as fault:
            raise ValueError(str(fault)) from None


class OAuthEntry(Section):
    """The authorization server whose tokens are accepted, RFC 9728.

    `jwks_url` is found through the issuer's metadata when it is left out. `audience` is this
    mesh's public URL of `/mcp` when it is left out. `required_scopes` are those that let a token's
    bearer use tools, all of them; without any, every token of the issuer does.
    """

    issuer: str
    audience: str | None = None
    jwks_url: str | None = None
    required_scopes: tuple[str, ...] = ("tools",)

    @field_validator("issuer", "jwks_url")
    @classmethod
    def _is_private(cls, value: str | None) -> str | None:
        return None if value is None else must_be_private(value)


class Configuration(Section):
    """The whole file; every key is optional."""

    servers: Mapping[ServerId, ServerEntry] = Field(default_factory=dict)
    router: RouterEntry = RouterEntry()
    keys: tuple[KeyEntry, ...] = ()
    oauth: OAuthEntry | None = None

    @field_validator("keys")
    @classmethod
    def _each_once(cls, value: tuple[KeyEntry, ...]) -> tuple[KeyEntry, ...]:
        ids = [key.id for key in value]
        twice = sorted({one for one in ids if ids.count(one) > 1})
        if twice:
            raise ValueError(f"the key ids {', '.join(twice)} come twice")
        return value

    @model_validator(mode="after")
    def _toolsets_are_known(self) -> "Configuration":
        further = {
            policy.toolset for entry in self.servers.values() for policy in entry.policy.values()
        }
        for key in self.keys:
            check_toolsets(key.toolsets or (), further)
        return self

    @property
    def authenticates(self) -> bool:
        """Whether callers have to say who they are."""
        return bool(self.keys) or self.oauth is not None
