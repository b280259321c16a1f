"""What Basecamp says when it refuses: a sentence, field errors, and the facts worth keeping."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import urlsplit

import orjson

from trunkline_shared.exchange import Response
from trunkline_shared.secrets import redact
from trunkline_shared.untrusted import sanitize

MESSAGE_CAP = 300
MOST_FIELDS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldError:
    """One complaint about one parameter."""

    field: str
    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """An answer that is a failure, with its body understood as far as it can be."""

    response: Response
    message: str
    errors: tuple[FieldError, ...]

    @property
    def sentence(self) -> str:
        """What to tell the caller: Basecamp's words, the status and the path."""
        path = urlsplit(self.response.url).path
        problems = "; ".join(f"{one.field} {one.problem}".strip() for one in self.errors)
        said = self.message or _clean(problems) or _phrase(self.response.status)
        return f"Basecamp answered {self.response.status} for {path}: {said}"

    @property
    def field_errors(self) -> list[Mapping[str, str]]:
        """The complaints as an agent reads them."""
        return [
            {"field": one.field, "problem": one.problem, "kind": "refused"} for one in self.errors
        ]

    def header(self, name: str) -> str:
        return self.response.headers.get(name, "")


def understood(response: Response) -> Refusal:
    """Read a failure's body.

    It is `{"error": …}`, `{"errors": {field: [..]}}` or a bare map of fields; anything else (the
    HTML page of a proxy) has no message and no errors.
    """
    body = _json_object(response.body)
    told = body.get("error")
    return Refusal(
        response=response,
        message=_clean(told) if isinstance(told, str) else "",
        errors=tuple(_complaints(body))[:MOST_FIELDS],
    )


def facts(response: Response) -> dict[str, object]:
    """Return what every failure's details hold: the status and Basecamp's id of the request."""
    found: dict[str, object] = {"http_status": response.status, "upstream": "basecamp"}
    if request_id := response.headers.get("x-request-id"):
        found["request_id"] = request_id[:100]
    return found


def _json_object(body: bytes) -> Mapping[str, object]:
    try:
        value: object = orjson.loads(body)
    except orjson.JSONDecodeError:
        return {}
    return value if isinstance(value, dict) else {}


def _complaints(body: Mapping[str, object]) -> Iterator[FieldError]:
    errors = body.get("errors", body)
    if isinstance(errors, list | str):
        errors = {"": errors}
    if not isinstance(errors, dict):
        return
    for field, told in errors.items():
        listed = [told] if isinstance(told, str) and errors is not body else told
        problems = [one for one in listed if isinstance(one, str)] if _is_list(listed) else []
        if problems:
            yield FieldError(field=_clean(str(field)), problem=_clean(", ".join(problems)))


def _is_list(value: object) -> bool:
    return isinstance(value, list)


def _clean(text: str) -> str:
    return redact(sanitize(text))[:MESSAGE_CAP]


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "no reason given"
