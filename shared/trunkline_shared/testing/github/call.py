"""What a route is given and what it gives back, without any HTTP library."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from trunkline_shared.testing.github.people import Token
from trunkline_shared.testing.github.state import State
from trunkline_shared.testing.github.urls import Urls

DOCS = "https://docs.github.com/rest"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """An authenticated request; `lag` is how many of the newest entries a list must not show.

    `token` is None for nobody and for an App, whose signed token is in `credential`; `target` is
    the path with its query as it was sent, without the mount point.
    """

    state: State
    urls: Urls
    token: Token | None
    credential: str
    version: str
    method: str
    target: str
    path: Mapping[str, str]
    query: Mapping[str, str]
    body: Mapping[str, object]
    accept: str = ""
    lag: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer before it becomes bytes: `json`, or else `text`, or else an empty body."""

    status: int = 200
    json: object | None = None
    text: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    last_modified: datetime | None = None


class Refusal(Exception):
    """An answer of GitHub that is a failure."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        errors: Sequence[Mapping[str, str] | str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.errors = errors
        self.headers: Mapping[str, str] = dict(headers or {})

    def answer(self) -> Answer:
        body: dict[str, object] = {
            "message": self.message,
            "documentation_url": DOCS,
            "status": str(self.status),
        }
        if self.errors is not None:
            body["errors"] = list(self.errors)
        if "location" in self.headers:
            body["url"] = self.headers["location"]
        return Answer(status=self.status, json=body, headers=self.headers)


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """One operation of the API; `credential` says what authenticates it."""

    method: Literal["GET", "POST", "PATCH", "PUT", "DELETE"]
    path: str
    handle: Callable[[Call], Answer]
    credential: Literal["token", "app"] = "token"
