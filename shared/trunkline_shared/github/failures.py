"""The one mapping from an answer of GitHub that is no success to a failure of ours."""

import re
from collections.abc import Callable, Mapping

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
from trunkline_shared.github.limits import rate_limited
from trunkline_shared.github.refusal import Refusal, facts, field_errors, understood
from trunkline_shared.github.validation import unprocessable
from trunkline_shared.vendor.retry_after import announced_wait

_SSO_URL = re.compile(r"url=(https?://\S+)")


def failure(response: Response) -> TrunklineError:
    """Return what an answer failed with; it is never a success."""
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
    return AuthError(
        refusal.sentence,
        hint="GitHub refused the credential: it is wrong, revoked or expired. Renew GITHUB_TOKEN.",
        details=_details(refusal, "bad_credentials"),
    )


def _forbidden(refusal: Refusal) -> TrunklineError:
    """Rate limit, then SSO, then permission: a limited token answers 403 to everything."""
    return rate_limited(refusal) or _sso(refusal) or _denied(refusal)


def _sso(refusal: Refusal) -> TrunklineError | None:
    header = refusal.header("x-github-sso")
    if not header.startswith("required"):
        return None
    url = _SSO_URL.search(header)
    where = f" at {url[1]}" if url else ""
    return PermissionDenied(
        refusal.sentence,
        hint=f"The organization wants single sign-on: a person has to authorize the token{where}.",
        details=_details(refusal, "sso_required"),
    )


def _denied(refusal: Refusal) -> TrunklineError:
    message = refusal.message.lower()
    reason = next((why for words, why in _DENIALS.items() if words in message), "forbidden")
    hint = _DENIAL_HINTS.get(reason, "The credential may not do this.")
    if needed := refusal.header("x-accepted-github-permissions"):
        hint += f" GitHub wants one of these permissions: {needed[:200]}."
    return PermissionDenied(refusal.sentence, hint=hint, details=_details(refusal, reason))


_DENIALS: Mapping[str, str] = {
    "archived": "archived",
    "locked": "locked",
    "not accessible by integration": "missing_permission",
    "not accessible by personal access token": "missing_permission",
}
_DENIAL_HINTS: Mapping[str, str] = {
    "archived": "The repository is archived and takes no changes.",
    "locked": "The conversation is locked.",
    "missing_permission": (
        "The credential lacks a permission; a workflow's own token is read-only on pull requests "
        "from forks."
    ),
}


def _not_found(refusal: Refusal) -> TrunklineError:
    return NotFound(
        refusal.sentence,
        hint="GitHub answers 404 also for what the credential may not see: check the name and "
        "number, then the credential's access to the repository.",
        details=_details(refusal, "not_found"),
    )


def _gone(refusal: Refusal) -> TrunklineError:
    if refusal.header("sunset") or refusal.header("deprecation"):
        return Unsupported(
            refusal.sentence,
            hint="GitHub has removed this part of its API; update Trunkline.",
            details=_details(refusal, "api_removed"),
        )
    disabled = "disabled" in refusal.message.lower()
    return NotFound(
        refusal.sentence,
        hint="Issues are disabled in this repository; comments on its pull requests still work."
        if disabled
        else "It existed and was deleted.",
        details=_details(refusal, "issues_disabled" if disabled else "gone"),
    )


def _moved(refusal: Refusal) -> TrunklineError:
    return NotFound(
        refusal.sentence,
        hint="The repository was renamed or transferred: find its present name with a read, then "
        "write there.",
        details=_details(refusal, "moved"),
    )


def _conflict(refusal: Refusal) -> TrunklineError:
    return Conflict(
        refusal.sentence,
        hint="Read its present state, then decide again.",
        details=_details(refusal, "conflict"),
    )


def _not_acceptable(refusal: Refusal) -> TrunklineError:
    if any(error.code == "too_large" for error in refusal.errors):
        return _too_large(refusal)
    return Unsupported(refusal.sentence, details=_details(refusal, "not_acceptable"))


def _too_large(refusal: Refusal) -> TrunklineError:
    return TooLarge(
        refusal.sentence,
        hint="Ask for a smaller part of it.",
        details=_details(refusal, "too_large"),
    )


def _legal(refusal: Refusal) -> TrunklineError:
    return PermissionDenied(
        refusal.sentence,
        hint="GitHub has blocked it for legal reasons; no credential opens it.",
        details=_details(refusal, "unavailable_for_legal_reasons"),
    )


def _quota(refusal: Refusal) -> TrunklineError:
    return QuotaExceeded(
        refusal.sentence,
        hint="A limit of the account's plan is reached; waiting does not help.",
        details=_details(refusal, "plan_limit"),
    )


def _timeout(refusal: Refusal) -> TrunklineError:
    return UpstreamTimeout(
        refusal.sentence,
        retry_after=announced_wait(refusal.response),
        details=_details(refusal, "upstream_timeout"),
    )


def _unavailable(refusal: Refusal) -> TrunklineError:
    return UpstreamUnavailable(
        refusal.sentence,
        retry_after=announced_wait(refusal.response),
        details=_details(refusal, "upstream_failed"),
    )


def _not_offered(refusal: Refusal) -> TrunklineError:
    return Unsupported(refusal.sentence, details=_details(refusal, "not_implemented"))


def _invalid(refusal: Refusal) -> TrunklineError:
    about_version = "version" in refusal.message.lower()
    return InvalidInput(
        refusal.sentence,
        hint="Check TRUNKLINE_GITHUB_API_VERSION." if about_version else None,
        details=_details(refusal, "bad_request") | {"field_errors": field_errors(refusal.errors)},
    )


def _details(refusal: Refusal, reason: str) -> dict[str, object]:
    return facts(refusal.response) | {"reason": reason}


_BY_STATUS: Mapping[int, Callable[[Refusal], TrunklineError]] = {
    401: _unauthorized,
    402: _quota,
    403: _forbidden,
    404: _not_found,
    405: _conflict,
    406: _not_acceptable,
    408: _timeout,
    409: _conflict,
    410: _gone,
    413: _too_large,
    422: unprocessable,
    423: _conflict,
    429: _forbidden,
    451: _legal,
    501: _not_offered,
    504: _timeout,
    507: _quota,
}
