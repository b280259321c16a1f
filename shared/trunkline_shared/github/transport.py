"""Endpoints performed against one GitHub: token, limits, memory, retries; in that order."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from trunkline_shared.deadline import remaining
from trunkline_shared.errors import (
    AuthError,
    Overloaded,
    PermissionDenied,
    RateLimited,
    TokenExpired,
    TrunklineError,
    UpstreamUnavailable,
)
from trunkline_shared.exchange import Endpoint, Request, Response
from trunkline_shared.github.base_url import Api
from trunkline_shared.github.limit_windows import LimitWindows, quota_resource
from trunkline_shared.github.pacing import PATIENCE_S, WritePace
from trunkline_shared.github.reading import MALFORMED
from trunkline_shared.github.tokens.token import Token, TokenProvider
from trunkline_shared.http.body import Take
from trunkline_shared.http.client import HttpClient
from trunkline_shared.http.etag_store import EtagStore, conditional, key
from trunkline_shared.http.network_failures import deadline_passed
from trunkline_shared.http.outgoing import Outgoing, outgoing
from trunkline_shared.http.retry import Retry
from trunkline_shared.sink import Sink

T = TypeVar("T")

ACCEPT = "application/vnd.github+json"
_UNAUTHORIZED, _FORBIDDEN = 401, 403
_WORTH_ANOTHER_TOKEN = frozenset({"missing_permission", "forbidden"})


def headers(api: Api, user_agent: str, credential: str) -> dict[str, str]:
    """Return what every request to GitHub carries."""
    version = {"X-GitHub-Api-Version": api.version} if api.version else {}
    return {
        "Accept": ACCEPT,
        "Authorization": f"Bearer {credential}",
        "User-Agent": user_agent,
        **version,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Transport:
    """Performs endpoints; everything that one credential shares between its calls is here."""

    http: HttpClient
    api: Api
    user_agent: str
    tokens: TokenProvider
    retry: Retry
    etags: EtagStore
    windows: LimitWindows
    pace: WritePace
    slots: asyncio.Semaphore

    async def perform(self, endpoint: Endpoint[T]) -> T:
        """Return what the endpoint reads from GitHub's answer.

        Raises a TrunklineError.
        """

        async def attempt(earlier: int) -> T:
            return await self._authorized(partial(self._once, endpoint), earlier)

        return await self.retry.run(endpoint, attempt)

    async def stream(self, endpoint: Endpoint[object], begin: Callable[[], Sink[T]]) -> T:
        """Return what the sink makes of the body of GitHub's answer; each attempt has its own.

        Nothing of it is remembered for a conditional request. Raises a TrunklineError.
        """

        async def attempt(earlier: int) -> T:
            sink = begin()
            await self._authorized(partial(self._flow, endpoint, sink.feed), earlier)
            return sink.result()

        return await self.retry.run(endpoint, attempt)

    async def _authorized(self, once: Callable[[Token, int], Awaitable[T]], earlier: int) -> T:
        """Try the present token, then those that its provider has in its place."""
        token = await self._token()
        refusals = 0
        while True:
            try:
                return await once(token, earlier + refusals)
            except (AuthError, PermissionDenied) as error:
                refusals += 1
                better = await self._renewed(token, error, refusals)
                if better is None:
                    raise _final(error, token) from None
                token = better

    async def _token(self) -> Token:
        try:
            async with asyncio.timeout(remaining(PATIENCE_S)):
                return await self.tokens.get()
        except TimeoutError:
            raise deadline_passed(self.api.host) from None

    async def _renewed(self, token: Token, error: TrunklineError, refusals: int) -> Token | None:
        expired = isinstance(error, AuthError)
        if not expired and error.details.get("reason") not in _WORTH_ANOTHER_TOKEN:
            return None
        status = _UNAUTHORIZED if expired else _FORBIDDEN
        return await self.tokens.renewed(token, status=status, refusals=refusals)

    async def _once(self, endpoint: Endpoint[T], token: Token, resend: int) -> T:
        asked = self._outgoing(endpoint, token, resend)
        at = key(token.fingerprint, asked)
        stored = self.etags.get(at)
        async with self._turn(endpoint.request, token):
            response = await self.http.send(conditional(asked, stored))
        try:
            return self._read(endpoint, self.etags.answered(at, stored, response), token)
        except UpstreamUnavailable as error:
            if error.details.get("reason") == MALFORMED:
                self.etags.forget(at)
            raise

    async def _flow(
        self, endpoint: Endpoint[object], take: Take, token: Token, resend: int
    ) -> None:
        asked = self._outgoing(endpoint, token, resend)
        async with self._turn(endpoint.request, token):
            response = await self.http.send(asked, take)
        self._read(endpoint, response, token)

    def _outgoing(self, endpoint: Endpoint[object], token: Token, resend: int) -> Outgoing:
        self.windows.check(token.fingerprint, quota_resource(endpoint.request))
        carried = headers(self.api, self.user_agent, token.value)
        return outgoing(endpoint, self.api.url(endpoint.request), carried, resend=resend)

    def _read(self, endpoint: Endpoint[T], response: Response, token: Token) -> T:
        try:
            return endpoint.read(response)
        except RateLimited as limited:
            raise self.windows.noted(token.fingerprint, limited) from None

    @asynccontextmanager
    async def _turn(self, request: Request, token: Token) -> AsyncIterator[None]:
        async with AsyncExitStack() as held:
            if request.writes:
                await held.enter_async_context(self.pace.turn(token.account))
            await self._take_slot()
            held.callback(self.slots.release)
            self.windows.check(token.fingerprint, quota_resource(request))
            yield

    async def _take_slot(self) -> None:
        try:
            async with asyncio.timeout(remaining(PATIENCE_S)):
                await self.slots.acquire()
        except TimeoutError:
            raise Overloaded(
                "Too many requests to GitHub are in flight; this one found no place in time.",
                hint="Nothing was sent. Try again in a second.",
                retry_after=1,
                details={"reason": "concurrency", "phase": "held"},
            ) from None


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
