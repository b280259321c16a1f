"""The values that travel down the pipeline; each has one place that builds it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Protocol

import orjson

from trunkline_router.configuration.entries import RateEntry
from trunkline_router.context import NOTHING, Context, Value
from trunkline_router.rights import EVERYTHING, Rights
from trunkline_router.value import value
from trunkline_router.view import WHOLE, View
from trunkline_shared.contracts import DEFAULT_TIMEOUT_S, Policy
from trunkline_shared.trimming import TrimNote

Json = dict[str, object]
MESH = "mesh"
"""The audience of what the mesh's own credentials show."""
RequestId = int | str


class Era(Enum):
    """Which of the protocol's two wires a client speaks."""

    MODERN = "2026-07-28"
    LEGACY = "legacy"


class Channel(Protocol):
    """The way back to the client while its request is still running."""

    async def send(self, frame: bytes) -> None:
        """Pass one server-sent event on, as soon as the client can take it."""


class Unheard:
    """The channel of what the router asks for itself: it listens to results only."""

    async def send(self, frame: bytes) -> None:
        """Drop it."""


@value
class Request:
    """What a client asked, decoded and not yet believed; the edge builds it.

    `params` is never changed and goes on as it is. `view` is what the URL says, and the caller's
    token once that is known. `received` is monotonic seconds. `client` is what a session says of
    its client, in the keys of `_meta`; `session` names one whose client can be asked something.
    `caller` is who showed `bearer`, where nothing can have happened to it since it was verified.
    """

    id: RequestId
    method: str
    params: Json
    era: Era
    channel: Channel
    received: float
    view: View = WHOLE
    bearer: str | None = field(default=None, repr=False)
    version: str | None = None
    traceparent: str | None = None
    param_headers: tuple[tuple[str, str], ...] = ()
    client: Json | None = None
    session: str = ""
    caller: "Caller | None" = field(default=None, repr=False)

    @property
    def scope(self) -> str | None:
        """The one server of `/servers/{id}/mcp`."""
        return self.view.scope

    @property
    def context(self) -> Context:
        """What every call is bound to."""
        return self.view.context

    @property
    def meta(self) -> Json:
        given = self.params.get("_meta")
        return given if isinstance(given, dict) else {}

    @property
    def target(self) -> str | None:
        """The tool, prompt or resource that the request names, if it does."""
        named = self.params.get("uri" if self.method == "resources/read" else "name")
        return named if isinstance(named, str) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who asks; only a TokenVerifier builds it.

    `key` is the id of the API key that was shown, or that the token shown was minted from.
    `servers` are those whose endpoints alone the token is for, None means no such bound.
    `context` is what the caller's token binds all of its requests to. `depth` counts the servers
    that ask in somebody's name, one for another. `until` is when the token ends, in monotonic
    seconds. `searches` says that it finds tools through a search. `seen` is what views show it.
    """

    subject: str
    scopes: frozenset[str]
    servers: frozenset[str] | None = None
    key: str | None = None
    context: Context = NOTHING
    rights: Rights = EVERYTHING
    rate: RateEntry | None = None
    searches: bool = False
    depth: int = 0
    until: float = math.inf
    seen: dict[View, View] = field(default_factory=dict, init=False, repr=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """What the router knows of a tool, from its server's `tools/list`.

    `exposed` is what agents see, `name` what the server calls it. `digest` identifies its schemas
    and its policy. `mirrors` says that headers repeat some of its arguments. `bound` holds the
    arguments that a context sets, under the tool's own names.
    """

    exposed: str
    name: str
    server: str
    definition: Json
    policy: Policy
    read_only: bool
    digest: str
    mirrors: bool = False
    bound: Mapping[str, Value] = field(default_factory=dict)

    @property
    def writes(self) -> bool:
        return self.policy.writes is not None or not self.read_only


@value
class Call:
    """A request that may be sent: the caller is known, the server found, the rules obeyed.

    `name` is the server's own name of the target. `deadline` is monotonic seconds. `arguments`
    are a tool's where the router has changed what the request holds; `defaulted` names those that
    it has found itself. `credentials` are its caller's own, by vendor, for this server alone;
    `audience` names whose credential the answer comes from, the mesh's or that one. `touches` are
    the tags that a write spoils.
    """

    request: Request
    caller: Caller
    server: str
    name: str
    timeout_s: float = DEFAULT_TIMEOUT_S
    deadline: float
    tool: ToolSpec | None = None
    arguments: Json | None = None
    defaulted: tuple[str, ...] = ()
    audience: str = MESH
    credentials: Mapping[str, str] | None = field(default=None, repr=False)


class Provenance(StrEnum):
    """Where an outcome came from."""

    UPSTREAM = "upstream"
    CACHE = "cache"
    COALESCED = "coalesced"
    STALE = "stale"


@value
class JsonRpcError:
    """A server's own JSON-RPC error, and the HTTP status it came with."""

    code: int
    message: str
    data: object = None
    status: int = 200


@dataclass(frozen=True, slots=True)
class Packed:
    """A result as it goes on the wire: members of objects in JSON, without the braces.

    `fields` are what clients of both eras are told, `modern` what those of 2026-07-28 are told
    besides, `meta` are the members of `_meta`. What the router adds to each answer is not in it.
    `text_bytes` is how much of it is text for the model.
    """

    fields: bytes = field(repr=False)
    modern: bytes = field(default=b"", repr=False)
    meta: bytes = field(default=b"", repr=False)
    text_bytes: int = 0

    @property
    def size(self) -> int:
        return len(self.fields) + len(self.modern) + len(self.meta)

    def unpacked(self) -> Json:
        """Return the result as a value."""
        whole = b",".join(part for part in (self.fields, self.modern) if part)
        result: Json = orjson.loads(b"{%b}" % whole)
        return result | {"_meta": orjson.loads(b"{%b}" % self.meta)} if self.meta else result


@value
class Outcome:
    """What a call came to: a result, or the error its server answered.

    `packed` is a result that was kept as it goes on the wire; `result` is empty then, unless it
    has just been fetched. `age_ms` is milliseconds. `size` is the bytes of the answer as it came,
    0 where that is unknown. `spent` is what it has cost of its vendor's quota, in requests;
    `left_out` is what was left out of it on its way.
    """

    server: str
    result: Json = field(default_factory=dict)
    packed: Packed | None = None
    error: JsonRpcError | None = None
    provenance: Provenance = Provenance.UPSTREAM
    age_ms: int = 0
    size: int = 0
    spent: int = 0
    left_out: TrimNote | None = None

    @property
    def is_error(self) -> bool:
        return self.error is not None or self.result.get("isError") is True

    @property
    def whole(self) -> Json:
        """Return the result as a value, wherever it came from."""
        return self.result or self.packed.unpacked() if self.packed is not None else self.result


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds on what a client or a server may do; bytes and seconds."""

    body_bytes: int = 4 * 1024 * 1024
    body_s: float = 10.0
    answer_bytes: int = 64 * 1024 * 1024
    connect_s: float = 3.0
    margin_s: float = 2.0
    close_s: float = 0.7
    stall_s: float = 30.0
    asking_s: float = 600.0
