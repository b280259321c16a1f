"""What GitHub says when it refuses: message, field errors, and the facts worth keeping."""

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from trunkline_shared.exchange import Response
from trunkline_shared.secrets import redact
from trunkline_shared.untrusted import sanitize

MESSAGE_CAP = 300


def _text(value: object) -> object:
    return value if isinstance(value, str) else ""


def _listed(value: object) -> object:
    errors = value if isinstance(value, list) else [value] if value else []
    return [
        {"message": e} if isinstance(e, str) else e for e in errors if isinstance(e, str | dict)
    ]


Text = Annotated[str, BeforeValidator(_text)]


class FieldError(BaseModel):
    """One entry of `errors`; a plain string there is a message without a field."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    resource: Text = ""
    field: Text = ""
    code: Text = ""
    message: Text = ""


class _Body(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    message: Text = ""
    errors: Annotated[tuple[FieldError, ...], BeforeValidator(_listed)] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """An answer that is a failure, with its body understood as far as it can be."""

    response: Response
    message: str
    errors: tuple[FieldError, ...]

    @property
    def sentence(self) -> str:
        """What to tell the caller: GitHub's words, the status and the path, nothing secret."""
        path = urlsplit(self.response.url).path
        said = self.message or _phrase(self.response.status)
        return f"GitHub answered {self.response.status} for {path}: {said}"

    def header(self, name: str) -> str:
        return self.response.headers.get(name, "")


def understood(response: Response) -> Refusal:
    """Read a failure's body; one that is no JSON object has no message and no errors."""
    try:
        body = _Body.model_validate_json(response.body)
    except ValidationError:
        body = _Body()
    details = [e.message for e in body.errors if e.message and e.message not in body.message]
    message = "; ".join([*([body.message] if body.message else []), *details])
    return Refusal(response=response, message=_clean(message), errors=body.errors)


def facts(response: Response) -> dict[str, object]:
    """Return what every failure's details hold: the status and GitHub's id of the request."""
    found: dict[str, object] = {"http_status": response.status, "upstream": "github"}
    if request_id := response.headers.get("x-github-request-id"):
        found["request_id"] = request_id[:100]
    return found


def field_errors(errors: tuple[FieldError, ...]) -> list[Mapping[str, str]]:
    """Return the errors as an agent reads them."""
    return [
        {"field": e.field, "problem": _clean(e.message) or e.code, "kind": e.code or "custom"}
        for e in errors
    ]


def _clean(text: str) -> str:
    return redact(sanitize(text))[:MESSAGE_CAP]


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "no reason given"
