"""A modern server whose tools ask their client before they answer, or take their time."""

import asyncio
from dataclasses import dataclass, field

import orjson
from aiohttp import web

from tests.interaction.upstreams import Json, Scripted, event, result, tool

META = "io.modelcontextprotocol/"


def form(message: str = "Who?") -> Json:
    """Return a request for a name."""
    schema: Json = {"type": "object", "properties": {"name": {"type": "string"}}}
    params: Json = {"mode": "form", "message": message, "requestedSchema": schema}
    return {"method": "elicitation/create", "params": params}


SAMPLE: Json = {"method": "sampling/createMessage", "params": {"messages": [], "maxTokens": 5}}
ROOTS: Json = {"method": "roots/list"}


@dataclass(kw_only=True)
class Asking:
    """`rounds` are the input requests of each round; then the tool says what it was told.

    The tool `wait` tells its progress and stands until `go` is set; `hang` never answers.
    """

    rounds: list[dict[str, Json]] = field(default_factory=lambda: [{"who": form()}])
    go: asyncio.Event = field(default_factory=asyncio.Event)
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    cancelled: asyncio.Event = field(default_factory=asyncio.Event)
    metas: list[Json] = field(default_factory=list)

    @property
    def server(self) -> Scripted:
        """The server to run."""
        names = ("ask", "wait", "hang", "say", "log")
        return Scripted(
            answer=self.answer,
            tools=[tool(name, timeout_s=10) for name in names],
            resources=[{"uri": "x://1", "name": "one"}, {"uri": "x://2", "name": "two"}],
        )

    async def answer(self, http: web.Request, request: Json) -> web.StreamResponse:
        """Answer one call; nothing of older revisions is understood."""
        if request["method"] == "initialize":
            error: Json = {"code": -32601, "message": "Method not found"}
            body: Json = {"jsonrpc": "2.0", "id": request["id"], "error": error}
            return web.json_response(body, status=404)
        params = request["params"]
        assert isinstance(params, dict)
        self.metas.append(params["_meta"])
        name = params.get("name")
        if name == "ask":
            return self._asked(request, params)
        if name in {"wait", "log"}:
            return await self._waiting(http, request, str(name))
        if name == "hang":
            return await self._hanging()
        return said(request, params.get("arguments"))

    def _asked(self, request: Json, params: Json) -> web.Response:
        state = int(str(params.get("requestState", "0")))
        told = params.get("inputResponses")
        if state:
            given = told if isinstance(told, dict) else {}
            assert given.keys() == self.rounds[state - 1].keys()
        if state == len(self.rounds):
            return said(request, told)
        wanted: Json = {"resultType": "input_required", "requestState": str(state + 1)}
        asked = self.rounds[state]
        return result(request, wanted | ({"inputRequests": asked} if asked else {}))

    async def _waiting(self, http: web.Request, request: Json, name: str) -> web.StreamResponse:
        stream = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await stream.prepare(http)
        told: Json = {"level": "info", "data": "begun"}
        method = "message" if name == "log" else "progress"
        await stream.write(event(note(method, told if name == "log" else {"progress": 1})))
        self.begun.set()
        await self.go.wait()
        await stream.write(event(note("progress", {"progress": 2})))
        body = said(request, {"waited": True}).body
        assert isinstance(body, bytes)
        await stream.write(b"data: " + body + b"\n\n")
        return stream

    async def _hanging(self) -> web.StreamResponse:
        self.begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.cancelled.set()
        raise AssertionError


def note(method: str, params: Json) -> Json:
    """Return a notification of a call."""
    return {"jsonrpc": "2.0", "method": f"notifications/{method}", "params": params}


def said(request: Json, value: object) -> web.Response:
    """Return a result whose text is `value`."""
    text = orjson.dumps(value).decode()
    content = [{"type": "text", "text": text}]
    return result(request, {"resultType": "complete", "content": content, "isError": False})


def read(answer: Json) -> object:
    """Return the value that a result's text is."""
    found = answer["result"]
    assert isinstance(found, dict), answer
    return orjson.loads(found["content"][0]["text"])
