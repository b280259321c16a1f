"""Basecamp's API on a loopback port, with state, faults and a log of what it was asked."""

import socket
from types import TracebackType
from typing import Self

from trunkline_shared.clock import Clock, SystemClock
from trunkline_shared.testing.basecamp.access import NOT_FOUND
from trunkline_shared.testing.basecamp.account import Account
from trunkline_shared.testing.basecamp.asked import Asked, Shown
from trunkline_shared.testing.basecamp.people import Person
from trunkline_shared.testing.basecamp.routes import ROUTES
from trunkline_shared.testing.basecamp.state import State
from trunkline_shared.testing.basecamp.times import Times
from trunkline_shared.testing.basecamp.urls import Urls
from trunkline_shared.testing.stand_in.call import Answer, Call, Refusal, Route
from trunkline_shared.testing.stand_in.door import Door
from trunkline_shared.testing.stand_in.faults import Fault, Faults
from trunkline_shared.testing.stand_in.log import RequestLog

_SCHEME = "Bearer "


class BasecampStandIn:
    """Basecamp for the length of an `async with` block.

    Seed it through `state`, break it through `faults`, read what it was asked in `requests`. It
    listens on `port` of the loopback (0: any), or on the socket `on`. It only shows: there is no
    way to change anything through its API.
    """

    def __init__(
        self, *, clock: Clock | None = None, port: int = 0, on: socket.socket | None = None
    ) -> None:
        time = clock or SystemClock()
        self.state = State(times=Times(clock=time))
        self._door = Door(
            routes=[self._route(shown) for shown in ROUTES],
            unknown=lambda _: NOT_FOUND,
            check=self._check,
            name_of=lambda credential: self.state.name_of(_secret(credential)),
            clock=time,
            port=port,
            on=on,
        )

    @property
    def url(self) -> str:
        """The base URL of the API, without an account and a trailing slash."""
        return self._door.url

    @property
    def faults(self) -> Faults[Fault]:
        return self._door.faults

    @property
    def requests(self) -> RequestLog:
        return self._door.requests

    async def __aenter__(self) -> Self:
        await self._door.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._door.__aexit__(kind, error, trace)

    def _check(self, call: Call) -> None:
        """Let in who names a product and has a token."""
        if not call.received.headers.get("user-agent"):
            raise Refusal(Answer(status=400, json={"error": "Please provide a User-Agent header."}))
        self._caller(call)

    def _caller(self, call: Call) -> Person:
        person = self.state.person_of(_secret(call.credential))
        if person is None:
            said = {"error": "OAuth token expired (old age)."}
            challenge = {"www-authenticate": 'Bearer realm="37signals", error="invalid_token"'}
            raise Refusal(Answer(status=401, json=said, headers=challenge))
        return person

    def _account(self, call: Call, person: Person) -> Account:
        account = self.state.accounts.get(call.number("account_id"))
        if account is None or person.id not in account.people:
            raise Refusal(NOT_FOUND)
        if account.inactive:
            raise Refusal(Answer(status=404, headers={"reason": "Account Inactive"}))
        return account

    def _route(self, shown: Shown) -> Route:
        def handle(call: Call) -> Answer:
            person = self._caller(call)
            account = self._account(call, person)
            urls = Urls(api=self.url, account=account.id)
            return shown.show(Asked(call=call, account=account, person=person, urls=urls))

        return Route(method="GET", path="/{account_id}" + shown.path, handle=handle)


def _secret(credential: str) -> str:
    return credential.removeprefix(_SCHEME) if credential.startswith(_SCHEME) else ""
