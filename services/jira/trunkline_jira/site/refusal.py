"""What Jira says when it refuses: messages, field errors, and the facts worth keeping."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from trunkline_shared.exchange import Response
from trunkline_shared.secrets import redact
from trunkline_shared.untrusted import sanitize

MESSAGE_CAP = 300
MOST_FIELDS = 50
_REQUEST_IDS = ("atl-traceid", "x-arequestid")


def _texts(value: object) -> object:
    listed = value if isinstance(value, list) else [value]
    return [one for one in listed if isinstance(one, str) and one]


def _by_field(value: object) -> object:
    if not isinstance(value, dict):
        return {}
    return {str(name): str(problem) for name, problem in value.items() if problem}


class _Body(BaseModel):
    """The gateway and Jira's older parts say `message`, everything else the other two."""

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)

    errorMessages: Annotated[tuple[str, ...], BeforeValidator(_texts)] = ()  # noqa: N815 - Jira's spelling
    errors: Annotated[dict[str, str], BeforeValidator(_by_field)] = {}
    message: Annotated[tuple[str, ...], BeforeValidator(_texts)] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """An answer that is a failure, with its body understood as far as it can be.

    `errors` are the problems by field.
    """

    response: Response
    message: str = ""
    errors: Mapping[str, str] = field(default_factory=dict)

    @property
    def sentence(self) -> str:
        """What to tell the caller: Jira's words, the status and the path, nothing secret."""
        path = urlsplit(self.response.url).path
        said = self.message or _phrase(self.response.status)
        return f"Jira answered {self.response.status} for {path}: {said}"

    def header(self, name: str) -> str:
        return self.response.headers.get(name, "")

    def details(self, reason: str) -> dict[str, object]:
        """Return the facts of a failure and why it is one."""
        return facts(self.response) | {"reason": reason}


def understood(response: Response) -> Refusal:
    """Read a failure's body: Jira's object, plain text, or a page that says nothing to an agent."""
    try:
        body = _Body.model_validate_json(response.body)
    except ValidationError:
        return Refusal(response=response, message=_plain(response))
    said = [*body.errorMessages, *body.message]
    said += [f"{name}: {problem}" for name, problem in body.errors.items() if problem not in said]
    return Refusal(response=response, message=clean("; ".join(said)), errors=body.errors)


def facts(response: Response) -> dict[str, object]:
    """Return what every failure's details hold: the status and Jira's id of the request."""
    found: dict[str, object] = {"http_status": response.status, "upstream": "jira"}
    ids = (response.headers.get(name) for name in _REQUEST_IDS)
    if request_id := next((one for one in ids if one), None):
        found["request_id"] = clean(request_id)[:100]
    return found


def field_errors(refusal: Refusal) -> list[dict[str, str]]:
    """Return the problems by field as an agent reads them."""
    return [
        {"field": clean(name), "problem": clean(problem), "kind": "jira"}
        for name, problem in list(refusal.errors.items())[:MOST_FIELDS]
    ]


def is_page(response: Response) -> bool:
    """Whether the answer is a page for people."""
    return "html" in response.headers.get("content-type", "").lower()


def clean(text: str) -> str:
    """Return a text of Jira's as a message holds it: one line, short, free of secrets."""
    return redact(sanitize(" ".join(text.split())))[:MESSAGE_CAP]


def _plain(response: Response) -> str:
    text = response.body[: 4 * MESSAGE_CAP].decode(errors="replace").strip()
    return "" if is_page(response) or text.startswith(("<", "{", "[")) else clean(text)


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "no reason given"
