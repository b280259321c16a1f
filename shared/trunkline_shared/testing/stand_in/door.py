"""A stand-in's way in: a real socket, its log, gates and faults, then the vendor's own answer."""

import socket
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Self

from aiohttp import web

from trunkline_shared.clock import Clock, SystemClock
from trunkline_shared.exchange import Response
from trunkline_shared.testing.loopback import address, free_socket
from trunkline_shared.testing.stand_in.call import Answer, Call, Refusal, Route
from trunkline_shared.testing.stand_in.conditional import revalidated
from trunkline_shared.testing.stand_in.delivery import deliver, reset
from trunkline_shared.testing.stand_in.faults import AnswerWith, CutBeforeReading, Fault, Faults
from trunkline_shared.testing.stand_in.gates import Point, pass_through
from trunkline_shared.testing.stand_in.log import Received, RequestLog

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

GRACE_S = 0.1
LARGEST_BODY = 64 * 1024 * 1024


def nobody(_: str) -> str:
    """Name every credential alike: for a door that asks for none."""
    return ""


def _nothing(_: Call) -> None:
    """Let every request through."""


@dataclass(slots=True, kw_only=True)
class Door:
    """Serves `routes` for the length of an `async with` block.

    `name_of` names a credential (the raw value of `Authorization`) for the log, which never holds
    the secret; `check` raises Refusal for a request that is not let in. `mount` stands before
    every path. `finish` sees each answer before it goes out. It listens on `port` of the loopback
    (0: any), or on the socket `on`.
    """

    routes: Sequence[Route]
    unknown: Callable[[Call], Answer]
    check: Callable[[Call], None] = _nothing
    name_of: Callable[[str], str] = nobody
    finish: Callable[[Call, Response], Response] = lambda _, answer: answer
    clock: Clock = field(default_factory=SystemClock)
    mount: str = ""
    port: int = 0
    on: socket.socket | None = None
    faults: Faults[Fault] = field(default_factory=Faults)
    requests: RequestLog = field(default_factory=RequestLog)
    url: str = ""
    _runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        listening = self.on or free_socket(self.port)
        self.url = address(listening) + self.mount
        app = web.Application(client_max_size=LARGEST_BODY)
        for route in self.routes:
            app.router.add_route(route.method, self.mount + route.path, self._handler(route))
        nowhere = Route(method="*", path="/{anything:.*}", handle=self.unknown)
        app.router.add_route("*", nowhere.path, self._handler(nowhere))
        self._runner = web.AppRunner(app, shutdown_timeout=GRACE_S, access_log=None)
        await self._runner.setup()
        await web.SockSite(self._runner, listening).start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.faults.clear()
        if self._runner is not None:
            await self._runner.cleanup()

    def _handler(self, route: Route) -> Handler:
        async def handle(request: web.Request) -> web.StreamResponse:
            self.requests.enter()
            try:
                return await self._serve(request, route)
            finally:
                self.requests.leave()

        return handle

    async def _serve(self, request: web.Request, route: Route) -> web.StreamResponse:
        heading = self._heading(request)
        subject = (heading.method, heading.path, heading.token)
        fault = self.faults.next_for(*subject)
        if isinstance(fault, CutBeforeReading):
            self.requests.add(heading)
            return reset(request)
        received = replace(heading, body=await request.read())
        self.requests.add(received)
        gates = self.faults.gates_for(*subject)
        await pass_through(gates, Point.ARRIVED)
        answer = self._answer(request, route, received, fault)
        await pass_through(gates, Point.APPLIED)
        return await deliver(request, answer, fault)

    def _heading(self, request: web.Request) -> Received:
        headers = {name.lower(): value for name, value in request.headers.items()}
        if "authorization" in headers:
            headers["authorization"] = self.name_of(headers["authorization"])
        return Received(
            method=request.method,
            path=request.path.removeprefix(self.mount),
            query=tuple(request.query.items()),
            headers=headers,
            body=b"",
            at=self.clock.now(),
            target=request.raw_path,
        )

    def _answer(
        self, request: web.Request, route: Route, received: Received, fault: Fault | None
    ) -> Response:
        call = Call(
            received=received,
            credential=request.headers.get("Authorization", ""),
            path=request.match_info,
            url=str(request.url.with_query(None)),
        )
        if isinstance(fault, AnswerWith):
            return _scripted(fault).rendered(call.url)
        try:
            self.check(call)
            answer = route.handle(call)
        except Refusal as refusal:
            answer = refusal.answer
        finished = self.finish(call, answer.rendered(call.url))
        return revalidated(finished, received.headers, call.credential)


def _scripted(fault: AnswerWith) -> Answer:
    if isinstance(fault.body, str):
        return Answer(status=fault.status, text=fault.body, headers=fault.headers)
    return Answer(status=fault.status, json=fault.body, headers=fault.headers)
