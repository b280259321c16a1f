"""One HTTP exchange as a value: what to ask, and how to read the answer.

An API core (`trunkline_shared.github`) builds `Endpoint`s and never touches a socket;
`trunkline_shared.http` performs them and knows no API.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T_co = TypeVar("T_co", covariant=True)

Json = object


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request relative to an API's base URL.

    `path` begins with a slash and is already percent-encoded; a full URL (a `Link` target)
    is accepted when it lies under the base. `template` is the path with its `{names}`, the
    name under which traces gather. `asks_only` marks a POST that changes nothing (a GraphQL query).
    """

    method: str
    path: str
    query: tuple[tuple[str, str], ...] = ()
    json: Json | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    template: str = ""
    asks_only: bool = False

    @property
    def writes(self) -> bool:
        """Whether it may change something at the vendor."""
        return self.method not in {"GET", "HEAD", "OPTIONS"} and not self.asks_only


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """An answer read to its end; header names in lower case.

    `received_at` is in seconds since the epoch, so that readers need no clock. `moved_to` is the
    URL that answered in the end when the vendor redirected the request. `confirmed` says that
    the body is a stored one, which the vendor has just called unchanged (a 304). `elsewhere` says
    that a redirection led to another origin, whose address may be signed and is not told.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes
    url: str
    received_at: float = 0.0
    moved_to: str | None = None
    confirmed: bool = False
    elsewhere: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint(Generic[T_co]):
    """A request and how to read its answer.

    `read` raises a TrunklineError for an answer that is a failure. `repeatable` says that sending
    it twice does no harm, so that it may be retried after it may have arrived. Times in seconds,
    sizes in bytes.
    """

    request: Request
    read: Callable[[Response], T_co]
    repeatable: bool
    timeout_s: float = 30.0
    body_cap: int = 50 * 1024 * 1024
