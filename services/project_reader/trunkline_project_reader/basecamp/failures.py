"""The one mapping from an answer of Basecamp that is no success to a failure of ours.

https://github.com/basecamp/bc3-api#handling-errors
"""

from collections.abc import Callable, Mapping

from trunkline_project_reader.basecamp.refusal import Refusal, facts, understood
from trunkline_shared.errors import (
    AuthError,
    Conflict,
    InvalidInput,
    NotFound,
    PermissionDenied,
    QuotaExceeded,
    RateLimited,
    TooLarge,
    TrunklineError,
    Unsupported,
    UpstreamTimeout,
    UpstreamUnavailable,
)
from trunkline_shared.exchange import Response
from trunkline_shared.vendor.retry_after import announced_wait

WINDOW_S = 10
"""The length of Basecamp's first limit: about 50 requests in it from one address."""

RESOURCE = "requests"
_INACTIVE = "account inactive"


def failure(response: Response) -> TrunklineError:
    """Return what an answer failed with; it is never a success."""
    refusal = understood(response)
    status = response.status
    if known := _BY_STATUS.get(status):
        return known(refusal)
    if 300 <= status < 400:  # noqa: PLR2004 - the HTTP class of redirections
        return _unavailable(refusal, retryable=False)
    if 400 <= status < 500:  # noqa: PLR2004 - the HTTP class of the caller's mistakes
        return _invalid(refusal)
    return _unavailable(refusal)


def _unauthorized(refusal: Refusal) -> TrunklineError:
    return AuthError(
        refusal.sentence,
        hint="Basecamp refused the access token: it is wrong, revoked, or older than two weeks.",
        details=_details(refusal, "bad_credentials"),
    )


def _forbidden(refusal: Refusal) -> TrunklineError:
    return PermissionDenied(
        refusal.sentence,
        hint="The person behind the token may not see this; clients see less than others.",
        details=_details(refusal, "forbidden"),
    )


def _not_found(refusal: Refusal) -> TrunklineError:
    if refusal.header("reason").strip().lower() == _INACTIVE:
        return NotFound(
            refusal.sentence,
            hint="The whole Basecamp account is inactive: expired, cancelled or on hold.",
            details=_details(refusal, "account_inactive"),
        )
    return NotFound(
        refusal.sentence,
        hint="Basecamp answers 404 also for what the token's person may not see, and for what is "
        "in the trash for good: check the id, then the access.",
        details=_details(refusal, "not_found"),
    )


def _gone(refusal: Refusal) -> TrunklineError:
    return NotFound(
        refusal.sentence, hint="It existed and was deleted.", details=_details(refusal, "gone")
    )


def _limited(refusal: Refusal) -> TrunklineError:
    announced = announced_wait(refusal.response)
    wait = announced or WINDOW_S
    throttle = {"resource": RESOURCE, "announced": announced is not None}
    return RateLimited(
        refusal.sentence,
        hint=f"Wait {wait} s.",
        retry_after=wait,
        details=_details(refusal, "rate_limit") | {"throttle": throttle},
    )


def _quota(refusal: Refusal) -> TrunklineError:
    return QuotaExceeded(
        refusal.sentence,
        hint="A limit of the account's plan is reached; waiting does not help.",
        details=_details(refusal, "plan_limit"),
    )


def _conflict(refusal: Refusal) -> TrunklineError:
    return Conflict(refusal.sentence, details=_details(refusal, "conflict"))


def _too_large(refusal: Refusal) -> TrunklineError:
    return TooLarge(refusal.sentence, details=_details(refusal, "too_large"))


def _timeout(refusal: Refusal) -> TrunklineError:
    return UpstreamTimeout(
        refusal.sentence,
        retry_after=announced_wait(refusal.response),
        details=_details(refusal, "upstream_timeout"),
    )


def _not_offered(refusal: Refusal) -> TrunklineError:
    return Unsupported(refusal.sentence, details=_details(refusal, "not_implemented"))


def _unavailable(refusal: Refusal, *, retryable: bool | None = None) -> TrunklineError:
    return UpstreamUnavailable(
        refusal.sentence,
        retryable=retryable,
        retry_after=announced_wait(refusal.response),
        details=_details(refusal, "upstream_failed"),
    )


def _invalid(refusal: Refusal) -> TrunklineError:
    return InvalidInput(
        refusal.sentence,
        details=_details(refusal, "bad_request") | {"field_errors": refusal.field_errors},
    )


def _details(refusal: Refusal, reason: str) -> dict[str, object]:
    return facts(refusal.response) | {"reason": reason}


_BY_STATUS: Mapping[int, Callable[[Refusal], TrunklineError]] = {
    401: _unauthorized,
    402: _quota,
    403: _forbidden,
    404: _not_found,
    408: _timeout,
    409: _conflict,
    410: _gone,
    413: _too_large,
    429: _limited,
    501: _not_offered,
    504: _timeout,
    507: _quota,
}
