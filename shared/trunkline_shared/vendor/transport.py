"""Endpoints performed against one vendor: credential, limits, memory, retries; in that order."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Generic, Protocol, TypeVar

from trunkline_shared.deadline import remaining
from trunkline_shared.errors import (
    AuthError,
    Overloaded,
    RateLimited,
    TrunklineError,
    UpstreamUnavailable,
)
from trunkline_shared.exchange import Endpoint, Request, Response
from trunkline_shared.http.body import Take
from trunkline_shared.http.client import HttpClient
from trunkline_shared.http.etag_store import EtagStore, conditional, key
from trunkline_shared.http.network_failures import deadline_passed
from trunkline_shared.http.outgoing import Outgoing, outgoing
from trunkline_shared.http.retry import Retry
from trunkline_shared.quota import Left, count
from trunkline_shared.sink import Sink
from trunkline_shared.trimming import received
from trunkline_shared.vendor.credential import Credentials, CredentialT
from trunkline_shared.vendor.limit_windows import LimitWindows
from trunkline_shared.vendor.reading import MALFORMED

T = TypeVar("T")

PATIENCE_S = 30.0
UNAUTHORIZED = 401
DAYS_S = 2 * 86_400.0


class Address(Protocol):
    """Where the vendor's API is."""

    @property
    def host(self) -> str: ...

    def url(self, request: Request) -> str:
        """Return the request's full URL without its query; raises for one of another origin."""


class Pace(Protocol):
    """How fast one account may write."""

    def turn(self, credential: str) -> AbstractAsyncContextManager[None]: ...


def unauthorized(error: TrunklineError) -> int | None:
    """Return the status when another credential may help: for a refused one, and nothing else."""
    return UNAUTHORIZED if isinstance(error, AuthError) else None


def one_resource(_: Request) -> str:
    """Name the quota of a vendor that counts all requests alike."""
    return "requests"


def nothing_told(_: Response) -> Mapping[str, Left]:
    """Read what is left from the answers of a vendor that does not tell it."""
    return {}


def some_days(_: object) -> float:
    """Return how long answers are worth keeping that a vendor may confirm, in seconds."""
    return DAYS_S


@dataclass(frozen=True, slots=True, kw_only=True)
class Vendor(Generic[CredentialT]):
    """What differs between vendors.

    `headers` are carried by every request made with a credential. `resource` names the quota that
    a request counts against, and `left` reads from an answer what is left of it; `renewable` is
    the status (401, 403) of a failure that another credential may mend, and `final` what is told
    when none did. `confirms_s` is for how many seconds a credential's answers can be confirmed.
    Without a `pace` writes go out as they come.
    """

    name: str
    address: Address
    headers: Callable[[CredentialT], Mapping[str, str]]
    resource: Callable[[Request], str] = one_resource
    left: Callable[[Response], Mapping[str, Left]] = nothing_told
    confirms_s: Callable[[CredentialT], float] = some_days
    renewable: Callable[[TrunklineError], int | None] = unauthorized
    final: Callable[[TrunklineError, CredentialT], TrunklineError] = lambda error, _: error
    pace: Pace | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Transport(Generic[CredentialT]):
    """Performs endpoints; everything that one credential shares between its calls is here."""

    http: HttpClient
    vendor: Vendor[CredentialT]
    credentials: Credentials[CredentialT]
    retry: Retry
    etags: EtagStore
    windows: LimitWindows
    slots: asyncio.Semaphore

    async def perform(self, endpoint: Endpoint[T]) -> T:
        """Return what the endpoint reads from the vendor's answer.

        Raises a TrunklineError.
        """

        async def attempt(earlier: int) -> T:
            return await self._authorized(partial(self._once, endpoint), earlier)

        return await self.retry.run(endpoint, attempt)

    async def stream(self, endpoint: Endpoint[object], begin: Callable[[], Sink[T]]) -> T:
        """Return what the sink makes of the body of the answer; each attempt has its own.

        Nothing of it is remembered for a conditional request. Raises a TrunklineError.
        """

        async def attempt(earlier: int) -> T:
            sink = begin()
            await self._authorized(partial(self._flow, endpoint, sink.feed), earlier)
            return sink.result()

        return await self.retry.run(endpoint, attempt)

    async def _authorized(
        self, once: Callable[[CredentialT, int], Awaitable[T]], earlier: int
    ) -> T:
        """Try the present credential, then those that its provider has in its place."""
        credential = await self._credential()
        refusals = 0
        while True:
            try:
                return await once(credential, earlier + refusals)
            except TrunklineError as error:
                status = self.vendor.renewable(error)
                if status is None:
                    raise
                refusals += 1
                better = await self.credentials.renewed(
                    credential, status=status, refusals=refusals
                )
                if better is None:
                    raise self.vendor.final(error, credential) from None
                credential = better

    async def _credential(self) -> CredentialT:
        try:
            async with asyncio.timeout(remaining(PATIENCE_S)):
                return await self.credentials.get()
        except TimeoutError:
            raise deadline_passed(self.vendor.address.host) from None

    async def _once(self, endpoint: Endpoint[T], credential: CredentialT, resend: int) -> T:
        asked = self._outgoing(endpoint, credential, resend)
        at = key(credential.fingerprint, asked)
        stored = await self.etags.get(at)
        async with self._turn(endpoint.request, credential):
            response = await self.http.send(conditional(asked, stored))
        life_s = self.vendor.confirms_s(credential)
        answered = await self.etags.answered(at, stored, response, life_s=life_s)
        try:
            return self._read(endpoint, answered, credential)
        except UpstreamUnavailable as error:
            if error.details.get("reason") == MALFORMED:
                await self.etags.forget(at)
            raise

    async def _flow(
        self, endpoint: Endpoint[object], take: Take, credential: CredentialT, resend: int
    ) -> None:
        asked = self._outgoing(endpoint, credential, resend)
        async with self._turn(endpoint.request, credential):
            response = await self.http.send(asked, take)
        self._read(endpoint, response, credential)

    def _outgoing(
        self, endpoint: Endpoint[object], credential: CredentialT, resend: int
    ) -> Outgoing:
        self._check(endpoint.request, credential)
        url = self.vendor.address.url(endpoint.request)
        return outgoing(endpoint, url, self.vendor.headers(credential), resend=resend)

    def _check(self, request: Request, credential: CredentialT) -> None:
        self.windows.check(credential.fingerprint, self.vendor.resource(request))

    def _read(self, endpoint: Endpoint[T], response: Response, credential: CredentialT) -> T:
        left = {} if response.elsewhere else self.vendor.left(response)
        count(credential.fingerprint, confirmed=response.confirmed, left=left)
        try:
            value = endpoint.read(response)
        except RateLimited as limited:
            raise self.windows.noted(credential.fingerprint, limited) from None
        received(len(response.body))
        return value

    @asynccontextmanager
    async def _turn(self, request: Request, credential: CredentialT) -> AsyncIterator[None]:
        async with AsyncExitStack() as held:
            if request.writes and self.vendor.pace is not None:
                await held.enter_async_context(self.vendor.pace.turn(credential.account))
            await self._take_slot()
            held.callback(self.slots.release)
            self._check(request, credential)
            yield

    async def _take_slot(self) -> None:
        try:
            async with asyncio.timeout(remaining(PATIENCE_S)):
                await self.slots.acquire()
        except TimeoutError:
            raise Overloaded(
                f"Too many requests to {self.vendor.name} are in flight; this one found no place "
                "in time.",
                hint="Nothing was sent. Try again in a second.",
                retry_after=1,
                details={"reason": "concurrency", "phase": "held"},
            ) from None
