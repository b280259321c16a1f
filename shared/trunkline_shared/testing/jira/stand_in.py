"""Jira's REST API on a loopback port, with state, faults and a log of what it was asked."""

import socket
from types import TracebackType
from typing import Self

from trunkline_shared.clock import Clock, SystemClock
from trunkline_shared.testing.jira.access import Access
from trunkline_shared.testing.jira.answers import nowhere
from trunkline_shared.testing.jira.routes import routes_of
from trunkline_shared.testing.jira.state import FlavourName, State
from trunkline_shared.testing.stand_in.door import Door
from trunkline_shared.testing.stand_in.faults import Fault, Faults
from trunkline_shared.testing.stand_in.log import RequestLog


class JiraStandIn:
    """A Jira for the length of an `async with` block.

    Seed it through `state`, break it through `faults`, read what it was asked in `requests`.
    `flavour` is `cloud` (API 3, documents) or `data_center` (API 2, wiki text). `mount` is the
    context path of a Data Center, or `/ex/jira/ID` for Atlassian's gateway. It listens on `port`
    of the loopback (0: any), or on the socket `on`.
    """

    def __init__(
        self,
        *,
        flavour: FlavourName = "cloud",
        clock: Clock | None = None,
        mount: str = "",
        port: int = 0,
        on: socket.socket | None = None,
    ) -> None:
        time = clock or SystemClock()
        self.state = State(flavour=flavour, clock=time)
        access = Access(self.state)
        self._door = Door(
            routes=routes_of(self.state),
            unknown=lambda _: nowhere(),
            check=access.check,
            name_of=access.name_of,
            finish=access.finish,
            clock=time,
            mount=mount.rstrip("/"),
            port=port,
            on=on,
        )

    @property
    def url(self) -> str:
        """The base URL, mount point included, without a trailing slash."""
        return self._door.url

    @property
    def faults(self) -> Faults[Fault]:
        return self._door.faults

    @property
    def requests(self) -> RequestLog:
        return self._door.requests

    async def __aenter__(self) -> Self:
        await self._door.__aenter__()
        self.state.url = self._door.url
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._door.__aexit__(kind, error, trace)
