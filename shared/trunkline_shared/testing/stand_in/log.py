"""What the stand-in was asked, for tests to read afterwards."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

import orjson


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """One request as it arrived; `path` is decoded and without the mount point.

    `target` is path and query as they were sent, percent-encoding and mount point included. Header
    names are in lower case; `authorization` holds the token's name, `jwt`, or `unknown`, never the
    secret. `at` is in seconds since the epoch, by the stand-in's clock.
    """

    method: str
    path: str
    query: tuple[tuple[str, str], ...]
    headers: Mapping[str, str]
    body: bytes
    at: float
    target: str = ""

    @property
    def token(self) -> str:
        """Who asked: the token's name, or an empty string for nobody."""
        return self.headers.get("authorization", "")

    @property
    def json(self) -> object:
        return orjson.loads(self.body) if self.body else None


@dataclass(slots=True)
class RequestLog:
    """All requests in their order of arrival, and how many were there at the same time."""

    _all: list[Received] = field(default_factory=list)
    in_flight: int = 0
    most_in_flight: int = 0

    def enter(self) -> None:
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)

    def leave(self) -> None:
        self.in_flight -= 1

    def add(self, received: Received) -> None:
        self._all.append(received)

    def clear(self) -> None:
        self._all.clear()

    def matching(self, method: str = "*", path: str = "*") -> list[Received]:
        """Return the requests whose method and path match these globs."""
        return [
            one
            for one in self._all
            if fnmatchcase(one.method, method) and fnmatchcase(one.path, path)
        ]

    def __iter__(self) -> Iterator[Received]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def __getitem__(self, index: int) -> Received:
        return self._all[index]
