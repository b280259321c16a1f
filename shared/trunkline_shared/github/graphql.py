"""GitHub's GraphQL: one POST, whose failures come inside a 200.

https://docs.github.com/graphql/guides/rate-limits-and-query-limits-for-the-graphql-api
"""

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict

from trunkline_shared.errors import (
    InvalidInput,
    NotFound,
    PermissionDenied,
    TrunklineError,
    UpstreamUnavailable,
)
from trunkline_shared.exchange import Endpoint, Request, Response
from trunkline_shared.github.limits import limit
from trunkline_shared.github.reading import one
from trunkline_shared.github.refusal import MESSAGE_CAP, Refusal, facts
from trunkline_shared.secrets import redact
from trunkline_shared.untrusted import sanitize

T = TypeVar("T", bound=BaseModel)
PATH = "/graphql"


class _Error(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    type: str = ""
    message: str = ""


class _Errors(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    errors: tuple[_Error, ...] = ()


class _Answer(_Errors, Generic[T]):
    data: T | None = None


def query(text: str, variables: Mapping[str, Any], kind: type[T]) -> Endpoint[T]:
    """Ask a query, which changes nothing. `kind` models `data`.

    Parts that failed are null in it; the endpoint raises only when there is no data at all.
    """
    read: Callable[[Response], _Answer[T]] = one(_Answer[kind])  # type: ignore[valid-type] # built at run time

    def answer(response: Response) -> T:
        found = read(response)
        if found.data is None:
            raise _failure(response, found.errors)
        return found.data

    return Endpoint(request=_request(text, variables, asks_only=True), read=answer, repeatable=True)


def mutation(
    text: str, variables: Mapping[str, Any], kind: type[T], *, repeatable: bool
) -> Endpoint[T]:
    """Change something. `kind` models `data`; any error in the answer is raised.

    `repeatable` says that doing it twice does no harm.
    """
    read: Callable[[Response], _Errors] = one(_Errors)
    read_data: Callable[[Response], _Answer[T]] = one(_Answer[kind])  # type: ignore[valid-type] # built at run time

    def answer(response: Response) -> T:
        errors = read(response).errors
        data = None if errors else read_data(response).data
        if data is None:
            raise _failure(response, errors)
        return data

    return Endpoint(
        request=_request(text, variables, asks_only=False), read=answer, repeatable=repeatable
    )


def _request(text: str, variables: Mapping[str, Any], *, asks_only: bool) -> Request:
    return Request(
        method="POST",
        path=PATH,
        json={"query": text, "variables": dict(variables)},
        template=PATH,
        asks_only=asks_only,
    )


def _failure(response: Response, errors: tuple[_Error, ...]) -> TrunklineError:
    first = errors[0] if errors else _Error(message="there is neither data nor an error")
    message = redact(sanitize(first.message))[:MESSAGE_CAP]
    if first.type in {"RATE_LIMITED", "RATE_LIMIT"}:
        return limit(Refusal(response=response, message=message, errors=()))
    kind = _KINDS.get(first.type, UpstreamUnavailable if not first.type else InvalidInput)
    return kind(
        f"GitHub's GraphQL answered: {message}",
        retryable=False,
        details=facts(response) | {"reason": first.type.lower() or "graphql_error"},
    )


_KINDS: Mapping[str, type[TrunklineError]] = {
    "NOT_FOUND": NotFound,
    "FORBIDDEN": PermissionDenied,
    "INSUFFICIENT_SCOPES": PermissionDenied,
}
