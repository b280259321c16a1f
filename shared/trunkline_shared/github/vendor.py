"""What GitHub does in its own way: its headers, its quotas, its refusals of a token."""

from trunkline_shared.errors import AuthError, PermissionDenied, TokenExpired, TrunklineError
from trunkline_shared.github.base_url import Api
from trunkline_shared.github.limits import left_of, quota_resource
from trunkline_shared.github.pacing import WritePace
from trunkline_shared.github.tokens.token import Token
from trunkline_shared.vendor.transport import DAYS_S, Vendor, unauthorized

ACCEPT = "application/vnd.github+json"
_FORBIDDEN = 403
_MINTED_S = 3600.0
"""How long an installation's token lasts: its entity tags are worth nothing to the next one."""
_WORTH_ANOTHER_TOKEN = frozenset({"missing_permission", "forbidden"})


def vendor_at(api: Api, user_agent: str, pace: WritePace) -> Vendor[Token]:
    """Return GitHub, at the address of its API."""
    return Vendor(
        name="GitHub",
        address=api,
        headers=lambda token: headers(api, user_agent, token.value),
        resource=quota_resource,
        left=left_of,
        confirms_s=_confirms_s,
        renewable=_renewable,
        final=_final,
        pace=pace,
    )


def headers(api: Api, user_agent: str, credential: str) -> dict[str, str]:
    """Return what every request to GitHub carries."""
    version = {"X-GitHub-Api-Version": api.version} if api.version else {}
    return {
        "Accept": ACCEPT,
        "Authorization": f"Bearer {credential}",
        "User-Agent": user_agent,
        **version,
    }


def _confirms_s(token: Token) -> float:
    return _MINTED_S if token.renewable else DAYS_S


def _renewable(error: TrunklineError) -> int | None:
    if isinstance(error, PermissionDenied):
        return _FORBIDDEN if error.details.get("reason") in _WORTH_ANOTHER_TOKEN else None
    return unauthorized(error)


def _final(error: TrunklineError, token: Token) -> TrunklineError:
    """Call a refused token expired when the mesh minted it and could not renew it."""
    if not (isinstance(error, AuthError) and token.renewable):
        return error
    return TokenExpired(
        error.message,
        hint="GitHub refuses the App's tokens: check that the App is still installed and its key "
        "is not revoked.",
        details={**error.details, "reason": "token_refused"},
    )
