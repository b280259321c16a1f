"""What the authorization server answers to a renewal: the next pair of tokens, or a refusal.

RFC 6749, 5. Of a refusal nothing is repeated but its code: the rest may hold the token.
"""

import re

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from trunkline_project_reader.tokens.configured import (
    ACCESS,
    CLIENT_ID,
    CLIENT_SECRET,
    REFRESH,
)
from trunkline_shared.errors import (
    RateLimited,
    TokenExpired,
    TrunklineError,
    UpstreamUnavailable,
)
from trunkline_shared.exchange import Response
from trunkline_shared.vendor.reading import MALFORMED
from trunkline_shared.vendor.retry_after import announced_wait

REFUSED = "refresh_refused"
RESOURCE = "token"
_CODE = re.compile(r"[a-z_]{1,40}")
_OF_THE_CLIENT = frozenset({"invalid_client", "unauthorized_client"})
_BUSY = frozenset({"temporarily_unavailable", "server_error", "slow_down"})
_REFUSALS = frozenset({400, 401})
_TOO_MANY, _TIMED_OUT, _FIRST_SERVER_ERROR = 429, 408, 500
_UNTOLD_WAIT_S = 60


class Renewed(BaseModel):
    """The next tokens; without a refresh token the one that was sent stays. Times in seconds."""

    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)

    access_token: str = Field(repr=False)
    refresh_token: str | None = Field(default=None, repr=False)
    expires_in: float | None = Field(default=None, ge=0, allow_inf_nan=False)


def read_renewed(response: Response) -> Renewed:
    """Return the next tokens.

    Raises TokenExpired for a refusal, RateLimited, or UpstreamUnavailable.
    """
    if not 200 <= response.status < 300 or _code(response):  # noqa: PLR2004 - the HTTP class of successes
        raise _failure(response)
    try:
        answer = Renewed.model_validate_json(response.body)
    except ValidationError:
        raise _malformed(response) from None
    if not re.fullmatch(r"[\x21-\x7e]+", answer.access_token):
        raise _malformed(response)
    return answer


def _failure(response: Response) -> TrunklineError:
    status, code = response.status, _code(response)
    if status == _TOO_MANY:
        return _limited(response)
    if status >= _FIRST_SERVER_ERROR or status == _TIMED_OUT or code in _BUSY:
        return UpstreamUnavailable(
            f"Basecamp's authorization server answered {status}; the token was not renewed.",
            retry_after=announced_wait(response),
            details=_facts(response),
        )
    if code or status in _REFUSALS:
        return _refusal(response, code)
    return UpstreamUnavailable(
        f"Basecamp's authorization server answered {status}, as no token endpoint does.",
        hint="Correct TRUNKLINE_BASECAMP_TOKEN_URL.",
        retryable=False,
        details={**_facts(response), "reason": "token_url"},
    )


def _refusal(response: Response, code: str) -> TokenExpired:
    if code in _OF_THE_CLIENT:
        hint = f"Set {CLIENT_ID} and {CLIENT_SECRET} to those of the client that got the token."
    elif code == "invalid_target":
        hint = "Set TRUNKLINE_BASECAMP_TOKEN_RESOURCE to the resource that the token is for."
    else:
        hint = (
            f"Authorize the client again, and set {REFRESH} (and {ACCESS}) to the tokens that it "
            "then gets."
        )
    return TokenExpired(
        f"Basecamp refuses to renew the token ({code or response.status}).",
        hint=hint,
        details={**_facts(response), "reason": REFUSED, "oauth_error": code or None},
    )


def _limited(response: Response) -> RateLimited:
    told = announced_wait(response)
    wait = told or _UNTOLD_WAIT_S
    return RateLimited(
        "Basecamp's authorization server has been asked too often.",
        hint=f"Wait {wait} s.",
        retry_after=wait,
        details={
            **_facts(response),
            "throttle": {"resource": RESOURCE, "announced": told is not None},
        },
    )


def _malformed(response: Response) -> UpstreamUnavailable:
    return UpstreamUnavailable(
        f"Basecamp's authorization server answered {response.status} without usable tokens.",
        hint="Check TRUNKLINE_BASECAMP_TOKEN_URL.",
        retryable=False,
        details={**_facts(response), "reason": MALFORMED},
    )


def _facts(response: Response) -> dict[str, object]:
    return {"upstream": "basecamp", "http_status": response.status}


def _code(response: Response) -> str:
    """Return the code of a refusal, or an empty string when the answer is none."""
    try:
        body = orjson.loads(response.body)
    except orjson.JSONDecodeError:
        return ""
    code = body.get("error") if isinstance(body, dict) else None
    return code if isinstance(code, str) and _CODE.fullmatch(code) else ""
