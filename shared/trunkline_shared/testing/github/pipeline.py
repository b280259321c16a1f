"""A request's way through the stand-in: log, gates, guard, fault, front door, delivery."""

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

import orjson
from aiohttp import web

from trunkline_shared.exchange import Response
from trunkline_shared.testing.github.call import Answer, Call, Refusal, Route
from trunkline_shared.testing.github.faults import Fault, LaggingList, PrimaryLimit
from trunkline_shared.testing.github.guard import Guard
from trunkline_shared.testing.github.process import FrontDoor, Inquiry, is_signed
from trunkline_shared.testing.github.routes import ROUTES, graphql
from trunkline_shared.testing.github.routes.repositories import REPOSITORY
from trunkline_shared.testing.stand_in.delivery import deliver, reset
from trunkline_shared.testing.stand_in.faults import AnswerWith, CutBeforeReading, Faults
from trunkline_shared.testing.stand_in.gates import Point, pass_through
from trunkline_shared.testing.stand_in.log import Received, RequestLog

PERMANENT = "/repositories/{repository_id}"
BY_NUMBER = re.compile(r"/repositories/(?P<id>\d+)")
NUMBERED = re.compile(r"\{(\w+_(?:id|number))\}")
LARGEST_BODY = 64 * 1024 * 1024
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def nowhere(_: Call) -> Answer:
    """Refuse what no route knows."""
    raise Refusal(404, "Not Found")


NOWHERE = Route(method="GET", path="", handle=nowhere)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pipeline:
    """The collaborators of a stand-in, in the order in which a request meets them.

    `answered` is told when a request has been.
    """

    front: FrontDoor
    faults: Faults[Fault]
    log: RequestLog
    guard: Guard | None
    violations: list[str]
    mount: str
    answered: Callable[[], None]

    def application(self) -> web.Application:
        """Return the aiohttp application with every route, under both names of a repository."""
        app = web.Application(client_max_size=LARGEST_BODY)
        for route in ROUTES:
            for path in {route.path, route.path.replace(REPOSITORY, PERMANENT)}:
                pattern = self._root(path) + NUMBERED.sub(r"{\1:\\d+}", path)
                app.router.add_route(route.method, pattern, self._handler(route))
        app.router.add_route("*", "/{anything:.*}", self._handler(NOWHERE))
        return app

    def _root(self, path: str) -> str:
        """Return what stands before a path: an Enterprise Server has GraphQL beside `/v3`."""
        return self.mount.removesuffix("/v3") if path == graphql.PATH else self.mount

    def _handler(self, route: Route) -> Handler:
        async def handle(request: web.Request) -> web.StreamResponse:
            self.log.enter()
            try:
                return await self._serve(request, route)
            finally:
                self.log.leave()
                self.answered()

        return handle

    async def _serve(self, request: web.Request, route: Route) -> web.StreamResponse:
        received = self._heading(request, route)
        subject = (received.method, received.path, received.token)
        fault = self.faults.next_for(*subject)
        if isinstance(fault, CutBeforeReading):
            self.log.add(received)
            return reset(request)
        received = replace(received, body=await request.read())
        self.log.add(received)
        gates = self.faults.gates_for(*subject)
        await pass_through(gates, Point.ARRIVED)
        answer = self._answer(request, route, received, fault)
        await pass_through(gates, Point.APPLIED)
        return await deliver(request, answer, fault)

    def _heading(self, request: web.Request, route: Route) -> Received:
        headers = {name.lower(): value for name, value in request.headers.items()}
        if "authorization" in headers:
            headers["authorization"] = self._name_of(_credential(request))
        return Received(
            method=request.method,
            path=request.path.removeprefix(self._root(route.path)),
            query=tuple(request.query.items()),
            headers=headers,
            body=b"",
            at=self.front.state.ledger.clock.now(),
            target=request.raw_path,
        )

    def _name_of(self, credential: str) -> str:
        token = self.front.state.tokens.get(credential)
        if token is not None:
            return token.name
        return "jwt" if is_signed(credential) else "unknown"

    def _answer(
        self, request: web.Request, route: Route, received: Received, fault: Fault | None
    ) -> Response:
        sent = request.rel_url.raw_path.removeprefix(self._root(route.path))
        canonical = replace(received, path=self._canonical(sent))
        if self.guard is not None and (found := self.guard.of_request(canonical)):
            return self._violated(found)
        inquiry = Inquiry(
            route=route,
            received=received,
            credential=_credential(request),
            target=request.path_qs.removeprefix(self.mount),
            path=request.match_info,
            lag=fault.newest if isinstance(fault, LaggingList) else 0,
        )
        if isinstance(fault, AnswerWith):
            return self._scripted(fault, inquiry)
        if isinstance(fault, PrimaryLimit):
            self.front.exhaust(inquiry.credential, fault.reset_in_s)
        answer = _rendered(self.front.answer(inquiry), str(request.url))
        if self.guard is not None and (found := self.guard.of_answer(canonical, answer)):
            return self._violated(found)
        return answer

    def _scripted(self, fault: AnswerWith, inquiry: Inquiry) -> Response:
        budget = self.front.budget_of(inquiry.credential)
        headers = {**self.front.standard_headers(budget), **fault.headers}
        body = fault.body.encode() if isinstance(fault.body, str) else orjson.dumps(fault.body)
        return Response(status=fault.status, headers=headers, body=body, url="")

    def _violated(self, found: Sequence[str]) -> Response:
        self.violations.extend(found)
        body = orjson.dumps({"message": "contract violated", "errors": list(found)})
        headers = {"content-type": "application/json; charset=utf-8"}
        return Response(status=500, headers=headers, body=body, url="")

    def _canonical(self, path: str) -> str:
        found = BY_NUMBER.match(path)
        if found is None:
            return path
        repository = self.front.state.repositories.get(int(found["id"]))
        name = repository.full_name if repository is not None else "nobody/nothing"
        return f"/repos/{name}{path[found.end() :]}"


def _credential(request: web.Request) -> str:
    return request.headers.get("Authorization", "").partition(" ")[2].strip()


def _rendered(answer: Answer, url: str) -> Response:
    body = (answer.text or "").encode() if answer.json is None else orjson.dumps(answer.json)
    headers = dict(answer.headers)
    if not body:
        headers.pop("content-type", None)
    return Response(status=answer.status, headers=headers, body=body, url=url)
