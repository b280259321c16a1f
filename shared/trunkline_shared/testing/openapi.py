"""GitHub's OpenAPI description as a guard of the stand-in: each request, each answer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from openapi_core import Config, OpenAPI
from openapi_core.datatypes import RequestParameters
from openapi_core.templating.paths.exceptions import PathError
from openapi_core.templating.paths.finders import APICallPathFinder
from werkzeug.datastructures import Headers, ImmutableMultiDict

from trunkline_shared.exchange import Response
from trunkline_shared.testing.openapi_description import (
    DESCRIBED_VERSION,
    REMOVED_IN,
    UNDESCRIBED,
    described,
)
from trunkline_shared.testing.stand_in.log import Received

LONGEST_MESSAGE = 2000
HOST = "https://api.github.com"


@dataclass(slots=True, kw_only=True)
class Asked:
    """A request as openapi-core reads it; it writes the path's variables into `parameters`."""

    host_url: str
    path: str
    method: str
    parameters: RequestParameters
    body: bytes | None
    content_type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """An answer as openapi-core reads it."""

    status_code: int
    headers: Headers
    content_type: str
    data: bytes | None


@dataclass(frozen=True, slots=True)
class OpenApiGuard:
    """Validates against the description in the gzipped JSON file `extract`.

    With `requests` false it judges answers only, for tests that ask wrongly on purpose.
    """

    extract: Path
    requests: bool = field(default=True, kw_only=True)

    def of_request(self, request: Received) -> Sequence[str]:
        """Return what is wrong with a request: path, query, body."""
        if not self.requests or request.path in UNDESCRIBED:
            return ()
        api = self._api(request)
        errors = [_said(error) for error in api.iter_request_errors(_asked(request))]
        return [f"{_name(request)}: {one}" for one in (*errors, *_unknown_query(api, request))]

    def of_answer(self, request: Received, answer: Response) -> Sequence[str]:
        """Return what is wrong with an answer: status, headers, body."""
        if request.path in UNDESCRIBED:
            return ()
        given = Answered(
            status_code=answer.status,
            headers=Headers(list(answer.headers.items())),
            content_type=answer.headers.get("content-type", ""),
            data=answer.body or None,
        )
        errors = list(self._api(request).iter_response_errors(_asked(request), given))
        if not self.requests and any(isinstance(error, PathError) for error in errors):
            return ()
        return [f"{_name(request)} -> {answer.status}: {_said(error)}" for error in errors]

    def _api(self, request: Received) -> OpenAPI:
        version = request.headers.get("x-github-api-version", "")
        return load(self.extract, version if version in REMOVED_IN else DESCRIBED_VERSION)


@cache
def load(extract: Path, version: str = DESCRIBED_VERSION) -> OpenAPI:
    """Return the description of an API version, loaded once per process."""
    # What the file itself looks like is settled by the package that it was cut from.
    unchecked = Config(spec_validator_cls=None)  # type: ignore[arg-type]  # its type leaves out what its code asks for
    return OpenAPI.from_dict(described(extract, version), config=unchecked)


def _unknown_query(api: OpenAPI, request: Received) -> Iterator[str]:
    """Yield parameters that the operation lacks: GitHub ignores them, and a slip goes unseen."""
    asked = _asked(request)
    try:
        found = APICallPathFinder(api.spec).find(asked.method, HOST + asked.path)
    except PathError:
        return
    listed = found.operation.get("parameters", [])
    known = {(one / "name").read_value() for one in listed if (one / "in").read_value() == "query"}
    for name, _ in request.query:
        if name not in known:
            yield f"unknown query parameter {name!r}"


def _asked(request: Received) -> Asked:
    return Asked(
        host_url=HOST,
        path=request.path,
        method="get" if request.method == "HEAD" else request.method.lower(),
        parameters=RequestParameters(
            query=ImmutableMultiDict(list(request.query)),
            header=Headers(list(request.headers.items())),
        ),
        body=request.body or None,
        content_type=request.headers.get("content-type", ""),
    )


def _name(request: Received) -> str:
    return f"{request.method} {request.path}"


def _said(error: Exception) -> str:
    """Return an error by what the schema has against each part of the value."""
    place: str = getattr(error, "name", ".")
    parts = list(getattr(error.__cause__ or error, "schema_errors", ()))
    said = [
        f"at {'/'.join((place, *map(str, one.absolute_path)))}: {one.message}"
        for part in parts
        for one in (part, *part.context)
    ]
    return ("; ".join(said) or str(error))[:LONGEST_MESSAGE]
