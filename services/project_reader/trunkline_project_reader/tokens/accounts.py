"""Which Basecamp account a token is for, when nobody has said so.

https://github.com/basecamp/api/blob/master/sections/authentication.md#get-authorization
"""

from collections.abc import Mapping
from datetime import datetime
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict

from trunkline_shared.errors import (
    AuthError,
    CredentialsMissing,
    PermissionDenied,
    RateLimited,
    TrunklineError,
    UpstreamUnavailable,
)
from trunkline_shared.exchange import Endpoint, Request, Response
from trunkline_shared.untrusted import sanitize
from trunkline_shared.vendor.address import BaseUrl
from trunkline_shared.vendor.reading import Reading
from trunkline_shared.vendor.retry_after import announced_wait

BASECAMP = "bc3"
VARIABLE = "BASECAMP_ACCOUNT_ID"
_PATH = "/authorization.json"
_TIMEOUT_S = 15.0
_UNAUTHORIZED, _TOO_MANY, _FIRST_SERVER_ERROR = 401, 429, 500
_UNTOLD_WAIT_S = 60


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Identity(_Model):
    """The person in whose name the token acts."""

    id: int
    first_name: str | None = None
    last_name: str | None = None
    email_address: str | None = None


class Account(_Model):
    """One account of that person; `href` is the base URL of its API."""

    product: str
    id: int
    name: str
    href: str
    app_href: str | None = None


class Authorization(_Model):
    """What a token is good for, and until when."""

    identity: Identity
    accounts: tuple[Account, ...] = ()
    expires_at: datetime | None = None


def authorization_address(token_url: str) -> BaseUrl:
    """Return where the authorization server is, from the URL at which it renews tokens."""
    parts = urlsplit(token_url)
    return BaseUrl(f"{parts.scheme}://{parts.netloc}")


def basecamp_account(authorization: Authorization) -> Account:
    """Return the one account of Basecamp.

    Raises CredentialsMissing when there are several, PermissionDenied when there is none.
    """
    found = [account for account in authorization.accounts if account.product == BASECAMP]
    if len(found) == 1:
        return found[0]
    if not found:
        raise PermissionDenied(
            "The Basecamp token reaches no Basecamp account.",
            hint="Authorize the client as a person who is in one.",
            details={"reason": "no_account"},
        )
    known = [{"id": account.id, "name": sanitize(account.name)} for account in found]
    listed = ", ".join(f"{one['name']} ({one['id']})" for one in known)
    raise CredentialsMissing(
        f"{VARIABLE} is not set, and the Basecamp token reaches {len(found)} accounts: {listed}.",
        hint=f"Set {VARIABLE} to the number of one of them.",
        details={"reason": "several_accounts", "variables": [VARIABLE], "accounts": known},
    )


def _facts(response: Response) -> Mapping[str, object]:
    return {"upstream": "basecamp", "http_status": response.status}


def _failure(response: Response) -> TrunklineError:
    status, facts = response.status, _facts(response)
    if status == _UNAUTHORIZED:
        return AuthError("Basecamp's authorization server refused the token.", details=facts)
    if status == _TOO_MANY:
        wait = announced_wait(response) or _UNTOLD_WAIT_S
        return RateLimited(
            "Basecamp's authorization server has been asked too often.",
            hint=f"Wait {wait} s.",
            retry_after=wait,
            details=facts,
        )
    if status >= _FIRST_SERVER_ERROR:
        return UpstreamUnavailable(
            f"Basecamp's authorization server answered {status}.", details=facts
        )
    return UpstreamUnavailable(
        f"Basecamp's authorization server answered {status} when it was asked for the accounts.",
        hint=f"Set {VARIABLE}, the number in the address of every page of the account.",
        retryable=False,
        details={**facts, "reason": "no_discovery"},
    )


_read = Reading(vendor="Basecamp's authorization server", failure=_failure, facts=_facts).one(
    Authorization
)


def get_authorization() -> Endpoint[Authorization]:
    """Ask the authorization server, at `authorization_address`, what the token is good for.

    Raises AuthError for a refused token.
    """
    return Endpoint(
        request=Request(method="GET", path=_PATH, template=_PATH),
        read=_read,
        repeatable=True,
        timeout_s=_TIMEOUT_S,
    )
