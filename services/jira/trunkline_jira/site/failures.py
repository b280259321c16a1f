"""The one mapping from an answer of Jira that is no success to a failure of ours."""

from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from trunkline_jira.site.limits import rate_limited
from trunkline_jira.site.refusal import Refusal, field_errors, is_page, understood
from trunkline_jira.site.traps import RENEW, trap
from trunkline_shared.errors import (
    AuthError,
    Conflict,
    InvalidInput,
    NotFound,
    PermissionDenied,
    QuotaExceeded,
    TooLarge,
    TrunklineError,
    Unsupported,
    UpstreamTimeout,
    UpstreamUnavailable,
)
from trunkline_shared.exchange import Response
from trunkline_shared.vendor.retry_after import announced_wait


def failure(response: Response) -> TrunklineError:
    """Return what an answer failed with; it is never a success."""
    if trapped := trap(response):
        return trapped
    refusal = understood(response)
    status = response.status
    if known := _BY_STATUS.get(status):
        return known(refusal)
    if 300 <= status < 400:  # noqa: PLR2004 - the HTTP class of redirections
        return _moved(refusal)
    if 400 <= status < 500:  # noqa: PLR2004 - the HTTP class of the caller's mistakes
        return _invalid(refusal)
    return _unavailable(refusal)


def _unauthorized(refusal: Refusal) -> TrunklineError:
    return AuthError(refusal.sentence, hint=RENEW, details=refusal.details("bad_credentials"))


def _denied(refusal: Refusal) -> TrunklineError:
    return PermissionDenied(
        refusal.sentence,
        hint="The account may not do this: a project's permissions or the token's scopes forbid "
        "it.",
        details=refusal.details("forbidden"),
    )


def _not_found(refusal: Refusal) -> TrunklineError:
    """Tell a wrong address from a missing thing: only Jira itself answers with its own words."""
    if is_page(refusal.response) or not refusal.message:
        return NotFound(
            refusal.sentence,
            hint="Nothing of Jira is at this address: check JIRA_HOST, or TRUNKLINE_JIRA_URL with "
            "the context path.",
            details=refusal.details("wrong_address"),
        )
    return NotFound(
        refusal.sentence,
        hint="Jira answers the same for what the account may not see: check the key, then the "
        "account's permission to browse the project (get_myself tells the account).",
        details=refusal.details("not_found"),
    )


def _gone(refusal: Refusal) -> TrunklineError:
    return Unsupported(
        refusal.sentence,
        hint="Atlassian has removed this part of the API; update Trunkline.",
        details=refusal.details("api_removed"),
    )


def _not_offered(refusal: Refusal) -> TrunklineError:
    return Unsupported(
        refusal.sentence,
        hint="This Jira does not offer it; its version or edition may be too old.",
        details=refusal.details("not_offered"),
    )


def _moved(refusal: Refusal) -> TrunklineError:
    there = urlsplit(refusal.header("location"))
    where = f" ({there.scheme}://{there.netloc})" if there.netloc else ""
    return UpstreamUnavailable(
        refusal.sentence,
        hint=f"Jira has moved{where}: set TRUNKLINE_JIRA_URL to where it is now.",
        retryable=False,
        details=refusal.details("moved"),
    )


def _conflict(refusal: Refusal) -> TrunklineError:
    return Conflict(
        refusal.sentence,
        hint="Read its present state, then decide again.",
        details=refusal.details("conflict"),
    )


def _too_large(refusal: Refusal) -> TrunklineError:
    return TooLarge(
        refusal.sentence, hint="Ask for or send less of it.", details=refusal.details("too_large")
    )


def _quota(refusal: Refusal) -> TrunklineError:
    return QuotaExceeded(
        refusal.sentence,
        hint="A limit of the site's plan is reached; waiting does not help.",
        details=refusal.details("plan_limit"),
    )


def _timeout(refusal: Refusal) -> TrunklineError:
    return UpstreamTimeout(
        refusal.sentence,
        retry_after=announced_wait(refusal.response),
        details=refusal.details("upstream_timeout"),
    )


def _maintenance(refusal: Refusal) -> TrunklineError:
    return UpstreamUnavailable(
        refusal.sentence,
        hint="Jira is restarting, being maintained or overloaded; it comes back by itself.",
        retry_after=announced_wait(refusal.response),
        details=refusal.details("maintenance"),
    )


def _unavailable(refusal: Refusal) -> TrunklineError:
    return UpstreamUnavailable(
        refusal.sentence,
        retry_after=announced_wait(refusal.response),
        details=refusal.details("upstream_failed"),
    )


def _invalid(refusal: Refusal) -> TrunklineError:
    return InvalidInput(
        refusal.sentence,
        details=refusal.details("bad_request") | {"field_errors": field_errors(refusal)},
    )


_BY_STATUS: Mapping[int, Callable[[Refusal], TrunklineError]] = {
    401: _unauthorized,
    402: _quota,
    403: _denied,
    404: _not_found,
    405: _not_offered,
    408: _timeout,
    409: _conflict,
    410: _gone,
    413: _too_large,
    429: rate_limited,
    501: _not_offered,
    503: _maintenance,
    504: _timeout,
}
