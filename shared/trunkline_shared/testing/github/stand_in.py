"""GitHub's REST API on a loopback port, with state, faults and a log of what it was asked."""

import asyncio
import socket
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from aiohttp import web

from trunkline_shared.clock import Clock, SystemClock
from trunkline_shared.testing.github.faults import Fault
from trunkline_shared.testing.github.guard import ContractViolated, Guard
from trunkline_shared.testing.github.ledger import Ledger
from trunkline_shared.testing.github.log_host import LogHost
from trunkline_shared.testing.github.log_links import LogLinks
from trunkline_shared.testing.github.pipeline import Pipeline
from trunkline_shared.testing.github.process import FrontDoor
from trunkline_shared.testing.github.state import State
from trunkline_shared.testing.github.urls import Urls
from trunkline_shared.testing.github.webhooks import Webhooks
from trunkline_shared.testing.loopback import address, free_socket
from trunkline_shared.testing.stand_in.faults import Faults
from trunkline_shared.testing.stand_in.log import RequestLog

GRACE_S = 0.1


class GitHubStandIn:
    """GitHub for the length of an `async with` block.

    Seed it through `state`, break it through `faults`, read what it was asked in `requests`.
    Logs come from `log_host`, on another port. `webhooks` tell others of what has changed.
    It listens on `port` of the loopback (0: any), or on the socket `on`.
    `mount` is `/api/v3` for a GitHub Enterprise Server. With a `guard`, each request and each
    answer is checked against a contract: a violation is answered with 500, recorded in
    `violations`, and raised as ContractViolated at the end of the block.
    """

    def __init__(
        self,
        *,
        clock: Clock | None = None,
        guard: Guard | None = None,
        mount: str = "",
        port: int = 0,
        on: socket.socket | None = None,
    ) -> None:
        time = clock or SystemClock()
        self.state = State(ledger=Ledger(clock=time), log_links=LogLinks(clock=time))
        self.log_host = LogHost(links=self.state.log_links)
        self.webhooks = Webhooks(state=self.state)
        self.faults = Faults[Fault]()
        self.requests = RequestLog()
        self.violations: list[str] = []
        self._guard = guard
        self._mount = mount.rstrip("/")
        self._port = port
        self._on = on
        self._url = ""
        self._runner: web.AppRunner | None = None
        self._telling: asyncio.Task[None] | None = None
        self._tasks = asyncio.TaskGroup()

    @property
    def url(self) -> str:
        """The base URL of the API, mount point included, without a trailing slash."""
        return self._url

    async def __aenter__(self) -> Self:
        listening = self._on or free_socket(self._port)
        self._url = address(listening) + self._mount
        front = FrontDoor(state=self.state, urls=Urls(api=self._url))
        pipeline = Pipeline(
            front=front,
            faults=self.faults,
            log=self.requests,
            guard=self._guard,
            violations=self.violations,
            mount=self._mount,
            answered=self.webhooks.notice,
        )
        runner = web.AppRunner(pipeline.application(), shutdown_timeout=GRACE_S, access_log=None)
        await runner.setup()
        await web.SockSite(runner, listening).start()
        self._runner = runner
        await self.log_host.start()
        await self._tasks.__aenter__()
        self._telling = self._tasks.create_task(self.webhooks.run())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.faults.clear()
        if self._telling is not None:
            self._telling.cancel()
            await self._tasks.__aexit__(None, None, None)
        if self._runner is not None:
            await self._runner.cleanup()
        await self.log_host.stop()
        self._report(self.violations, error)

    def _report(self, violations: Sequence[str], error: BaseException | None) -> None:
        if not violations:
            return
        violated = ContractViolated(violations)
        if error is None:
            raise violated
        error.add_note(str(violated))
