"""A model on a socket that says what a test wants: the Messages API, streamed.

Source: platform.claude.com, "Messages" and "Streaming messages".
"""

import itertools
import json
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from trunkline_shared.testing.loopback import address, free_socket

Json = dict[str, Any]
_BODY_CAP = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Says:
    """The model ends its turn with a text."""

    text: str

    @property
    def blocks(self) -> Iterator[tuple[Json, Json]]:
        yield {"type": "text", "text": ""}, {"type": "text_delta", "text": self.text}

    reason = "end_turn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Calls:
    """The model calls a tool."""

    tool: str
    arguments: Mapping[str, object] = field(default_factory=dict)

    @property
    def blocks(self) -> Iterator[tuple[Json, Json]]:
        use = {"type": "tool_use", "id": f"toolu_{next(_NUMBERS)}", "name": self.tool, "input": {}}
        yield use, {"type": "input_json_delta", "partial_json": json.dumps(dict(self.arguments))}

    reason = "tool_use"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fails:
    """The API refuses the request."""

    status: int
    kind: str


Reply = Says | Calls | Fails
_NUMBERS = itertools.count(1)


@dataclass(kw_only=True)
class ModelStandIn:
    """Gives one reply after the other, the last one for ever; keeps what it was asked."""

    replies: Sequence[Reply]
    url: str = ""
    asked: list[Json] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)

    async def messages(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        reply = self.replies[min(len(self.asked), len(self.replies) - 1)]
        self.asked.append(body)
        if isinstance(reply, Fails):
            error = {"type": reply.kind, "message": f"refused with {reply.status}"}
            return web.json_response({"type": "error", "error": error}, status=reply.status)
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        for event in _events(body["model"], reply):
            text = f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"
            await response.write(text.encode())
        return response

    async def other(self, request: web.Request) -> web.StreamResponse:
        self.elsewhere.append(f"{request.method} {request.path}")
        return web.json_response({"type": "error", "error": {}}, status=404)

    @property
    def prompt(self) -> str:
        """What the model was first asked by its user."""
        content = self.asked[0]["messages"][0]["content"]
        if isinstance(content, str):
            return content
        return "".join(block.get("text", "") for block in content)

    @property
    def results(self) -> list[Any]:
        """The content of each tool result that the last request has brought."""
        blocks = [
            block
            for message in self.asked[-1]["messages"]
            if isinstance(message["content"], list)
            for block in message["content"]
        ]
        return [block["content"] for block in blocks if block.get("type") == "tool_result"]


def _events(model: str, reply: Says | Calls) -> Iterator[Json]:
    message: Json = {
        "id": f"msg_{next(_NUMBERS)}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }
    yield {"type": "message_start", "message": message}
    for index, (block, delta) in enumerate(reply.blocks):
        yield {"type": "content_block_start", "index": index, "content_block": block}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    end = {"stop_reason": reply.reason, "stop_sequence": None}
    yield {"type": "message_delta", "delta": end, "usage": {"output_tokens": 2}}
    yield {"type": "message_stop"}


@asynccontextmanager
async def model(*replies: Reply) -> AsyncIterator[ModelStandIn]:
    """Serve a model that gives these replies."""
    on = free_socket()
    stand_in = ModelStandIn(replies=replies, url=address(on))
    app = web.Application(client_max_size=_BODY_CAP)
    app.router.add_post("/v1/messages", stand_in.messages)
    app.router.add_route("*", "/{path:.*}", stand_in.other)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        await web.SockSite(runner, on).start()
        yield stand_in
    finally:
        await runner.cleanup()
