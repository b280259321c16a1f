"""What a route of a stand-in is given and what it gives back, without any HTTP library."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import orjson

from trunkline_shared.exchange import Response
from trunkline_shared.testing.stand_in.log import Received


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A request as it arrived, with the raw value of its `Authorization` header.

    `path` holds the names of the route's pattern, `url` the full URL without its query.
    """

    received: Received
    credential: str = field(repr=False)
    path: Mapping[str, str]
    url: str

    @property
    def query(self) -> dict[str, str]:
        return dict(self.received.query)

    def number(self, name: str) -> int:
        """Return a number of the path. Raises Refusal when it is none."""
        text = self.path[name]
        if not text.isascii() or not text.isdigit():
            raise Refusal(Answer(status=404))
        return int(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer before it becomes bytes: `json`, or else `text`, or else an empty body."""

    status: int = 200
    json: object | None = None
    text: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    def rendered(self, url: str) -> Response:
        """Return the answer as it goes out; a JSON body says so unless `headers` do."""
        said = {name.lower(): value for name, value in self.headers.items()}
        if self.json is not None:
            body = orjson.dumps(self.json)
            said = {"content-type": "application/json; charset=utf-8", **said}
        else:
            body = (self.text or "").encode()
        return Response(status=self.status, headers=said, body=body, url=url)


class Refusal(Exception):
    """An answer that is a failure."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.status)
        self.answer = answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """One operation: a method, a path with `{names}`, and what answers it."""

    method: str
    path: str
    handle: Callable[[Call], Answer]
