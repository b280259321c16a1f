"""The server that renews Basecamp's tokens: one request, within its time, nothing of it told.

https://github.com/basecamp/api/blob/master/sections/authentication.md
"""

from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

from trunkline_project_reader.tokens.answers import RESOURCE, read_renewed
from trunkline_project_reader.tokens.configured import Renewable
from trunkline_project_reader.tokens.grant import Grant
from trunkline_shared.clock import Clock
from trunkline_shared.deadline import deadline_in
from trunkline_shared.errors import RateLimited, TrunklineError
from trunkline_shared.exchange import Endpoint, Request
from trunkline_shared.http.client import HttpClient
from trunkline_shared.http.outgoing import MIB, Outgoing
from trunkline_shared.http.retry import Retry, may_have_arrived
from trunkline_shared.vendor.limit_windows import LimitWindows
from trunkline_shared.vendor.reading import MALFORMED

RENEWAL_S = 15.0
_FORM = "application/x-www-form-urlencoded"
_NOT_KNOWN = (
    " Whether the token was renewed is not known; the next call tries once more with the same one."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorizationServer:
    """Spends refresh tokens. It is asked again by itself only when it surely did nothing."""

    http: HttpClient
    retry: Retry
    windows: LimitWindows
    clock: Clock
    user_agent: str

    async def renew(self, source: Renewable, grant: Grant) -> Grant:
        """Spend the refresh token of a grant; return the next one. Takes 15 seconds at most.

        Raises TokenExpired when it is refused, RateLimited, NetworkError, UpstreamTimeout or
        UpstreamUnavailable; `is_unknown` tells whether it may have been spent.
        """
        path = urlsplit(source.token_url).path
        endpoint = Endpoint(
            request=Request(method="POST", path=path, template=path),
            read=read_renewed,
            # a second request could be the second use of a token that the first one spent
            repeatable=False,
            timeout_s=RENEWAL_S,
            body_cap=MIB,
        )
        credential = source.key.rpartition(":")[2]
        self.windows.check(credential, RESOURCE)

        async def attempt(earlier: int) -> Grant:
            response = await self.http.send(self._request(endpoint, source, grant, earlier))
            answer = read_renewed(response)
            now = self.clock.now()
            return Grant(
                access_token=answer.access_token,
                refresh_token=answer.refresh_token or grant.refresh_token,
                expires_at=None if answer.expires_in is None else now + answer.expires_in,
                obtained_at=now,
                serial=grant.serial + 1,
            )

        try:
            with deadline_in(RENEWAL_S):
                return await self.retry.run(endpoint, attempt)
        except RateLimited as limited:
            raise self.windows.noted(credential, limited) from None

    def _request(
        self, endpoint: Endpoint[object], source: Renewable, grant: Grant, earlier: int
    ) -> Outgoing:
        fields = {
            "grant_type": "refresh_token",
            "refresh_token": grant.refresh_token,
            "client_id": source.client_id,
            "client_secret": source.client_secret,
            "resource": source.resource,
        }
        return Outgoing(
            method="POST",
            url=source.token_url,
            headers={
                "Accept": "application/json",
                "Content-Type": _FORM,
                "User-Agent": self.user_agent,
            },
            body=urlencode({name: value for name, value in fields.items() if value}).encode(),
            template=endpoint.request.template,
            timeout_s=endpoint.timeout_s,
            body_cap=endpoint.body_cap,
            resend=earlier,
        )


def is_unknown(error: TrunklineError) -> bool:
    """Whether a renewal that failed so may have taken place all the same."""
    return bool(error.details.get("may_have_happened")) or may_have_arrived(error)


def as_told(error: TrunklineError) -> TrunklineError:
    """Return the failure of a renewal as one of the call that needs the token.

    Whatever became of the renewal, that call may be made again.
    """
    unknown = is_unknown(error)
    details = {k: v for k, v in error.details.items() if k != "may_have_happened"}
    malformed = details.get("reason") == MALFORMED
    hint = "Check TRUNKLINE_BASECAMP_TOKEN_URL." if malformed else "Try again."
    return type(error)(
        error.message + _NOT_KNOWN if unknown else error.message,
        hint=hint if unknown else error.hint,
        retryable=error.retryable_by_default and not malformed if unknown else error.retryable,
        retry_after=error.retry_after,
        details={**details, "renewal": "unknown" if unknown else "not_made"},
    )
