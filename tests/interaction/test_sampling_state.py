"""What a conversation is between its rounds: sealed, its caller's, and no replica's own."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp_types import (
    CallToolResult,
    CreateMessageRequest,
    CreateMessageRequestParams,
    CreateMessageResultWithTools,
    InputRequiredResult,
)

from tests.interaction.keys import bearing, entry, key_of
from tests.interaction.mesh import Mesh, SampleTools, routing, sample_server
from tests.interaction.sampling import SAMPLE, WITH_TOOLS, Model, bridge, says, wants
from trunkline_shared.testing.serving import serving

pytestmark = pytest.mark.anyio

SECRET = "a-secret-of-these-replicas"
ASKED: dict[str, Any] = {"prompt": "Say it.", "tools": [SAMPLE]}
INVALID_PARAMS = -32602


@dataclass(frozen=True, kw_only=True)
class Hand:
    """A client that goes from round to round by hand."""

    client: Client

    async def begin(self, **arguments: object) -> InputRequiredResult:
        """Ask, and return the first question."""
        return asked(await self._call({**ASKED, **arguments}))

    async def go_on(
        self, state: str | None, said: CreateMessageResultWithTools | None, **arguments: object
    ) -> CallToolResult | InputRequiredResult:
        """Answer a question."""
        answers = {} if said is None else {"turn": said}
        return await self._call(
            {**ASKED, **arguments}, input_responses=answers, request_state=state
        )

    async def _call(
        self, arguments: dict[str, Any], **round_: Any
    ) -> CallToolResult | InputRequiredResult:
        result: CallToolResult | InputRequiredResult = await self.client.session.call_tool(
            "query_mcp", arguments, allow_input_required=True, **round_
        )
        return result


def asked(result: CallToolResult | InputRequiredResult) -> InputRequiredResult:
    """Return a result that is a question."""
    assert isinstance(result, InputRequiredResult), result
    return result


def question_of(result: CallToolResult | InputRequiredResult) -> CreateMessageRequestParams:
    """Return the question of a round."""
    question = (asked(result).input_requests or {})["turn"]
    assert isinstance(question, CreateMessageRequest)
    return question.params


@asynccontextmanager
async def hand(mcp: str, bearer: str | None = None) -> AsyncIterator[Hand]:
    """Connect a client that can sample with tools."""
    async with (
        httpx2.AsyncClient(headers=bearing(bearer)) as http,
        Client(
            streamable_http_client(mcp, http_client=http),
            mode="2026-07-28",
            sampling_callback=Model(script=[]),
            sampling_capabilities=WITH_TOOLS,
        ) as client,
    ):
        yield Hand(client=client)


@asynccontextmanager
async def alone(**router: Any) -> AsyncIterator[Mesh]:
    """Run one mesh."""
    async with (
        bridge() as own,
        serving(sample_server(SampleTools())) as sample,
        routing({"bridge": own, "sample": sample}, **router) as mesh,
    ):
        yield mesh


@pytest.mark.requirement("bridge.sampling-sealed")
async def test_nobody_reads_or_writes_what_travels() -> None:
    """The state tells nothing of the prompt; with a letter changed it is no state at all."""
    async with asyncio.timeout(10), alone() as mesh, hand(mesh.mcp) as client:
        state = (await client.begin()).request_state
        assert state is not None
        assert "Say it" not in state
        for forged in (state[:-2] + ("AA" if state[-2:] != "AA" else "BB"), "", "x" * 100_000):
            with pytest.raises(MCPError) as refused:
                await client.go_on(forged, says("Done."))
            assert refused.value.code == INVALID_PARAMS
        done = await client.go_on(state, says("Done."))
    assert isinstance(done, CallToolResult)
    assert not done.is_error


@pytest.mark.requirement("bridge.sampling-sealed")
async def test_a_conversation_goes_on_with_its_own_arguments_alone() -> None:
    """A state is good for one prompt with its tools: the others were never asked for."""
    async with asyncio.timeout(10), alone() as mesh, hand(mesh.mcp) as client:
        state = (await client.begin()).request_state
        for changed in ({"prompt": "Another."}, {"tools": ["mcp__bridge__*"]}):
            with pytest.raises(MCPError) as refused:
                await client.go_on(state, says("Done."), **changed)
            assert refused.value.code == INVALID_PARAMS


@pytest.mark.requirement("bridge.sampling-sealed")
async def test_another_caller_cannot_go_on_with_a_conversation() -> None:
    """Each caller's states are its own, even where they come into other hands."""
    keys = {"keys": [entry("one"), entry("two")]}
    async with (
        asyncio.timeout(10),
        alone(configured=keys) as mesh,
        hand(mesh.mcp, key_of("one")) as one,
        hand(mesh.mcp, key_of("two")) as two,
    ):
        state = (await one.begin()).request_state
        with pytest.raises(MCPError) as refused:
            await two.go_on(state, says("Done."))
        assert refused.value.code == INVALID_PARAMS
        assert isinstance(await one.go_on(state, says("Done.")), CallToolResult)


@pytest.mark.requirement("bridge.sampling-sealed")
async def test_a_round_without_its_answer_is_asked_again() -> None:
    """The same question, and the turn counts once."""
    async with asyncio.timeout(10), alone() as mesh, hand(mesh.mcp) as client:
        first = await client.begin()
        again = await client.go_on(first.request_state, None)
        assert question_of(again) == question_of(first)
        done = await client.go_on(asked(again).request_state, says("Done."))
    assert isinstance(done, CallToolResult)
    assert done.structured_content is not None
    assert done.structured_content["turns"] == 1


@pytest.mark.requirement("bridge.sampling-replicas")
async def test_another_replica_goes_on_with_a_conversation() -> None:
    """With the secret that they share, over routers that share theirs; without, it cannot."""
    async with (
        asyncio.timeout(15),
        serving(sample_server(SampleTools())) as sample,
        bridge(secret=SECRET) as first,
        bridge(secret=f"a-newer-secret-of-them,{SECRET}") as second,
        bridge() as stranger,
        routing({"bridge": first, "sample": sample}, secret=SECRET) as here,
        routing({"bridge": second, "sample": sample}, secret=SECRET) as there,
        routing({"bridge": stranger, "sample": sample}, secret=SECRET) as elsewhere,
        hand(here.mcp) as one,
        hand(there.mcp) as two,
        hand(elsewhere.mcp) as three,
    ):
        begun = await one.begin()
        with pytest.raises(MCPError):
            await three.go_on(begun.request_state, says("Done."))
        again = await two.go_on(begun.request_state, wants(("echo", {"text": "there"})))
        assert len(question_of(again).messages) == 3
        done = await two.go_on(asked(again).request_state, says("Done."))
    assert isinstance(done, CallToolResult)
    assert done.structured_content is not None
    assert [call["tool"] for call in done.structured_content["tool_calls"]] == ["echo"]
