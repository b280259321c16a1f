"""Results larger than a model can use: cut with a note, or refused with a hint."""

from typing import Any

import pytest
from aiohttp import web

from tests.interaction.mesh import routing
from tests.interaction.upstreams import Json, Scripted, result, running, tool
from tests.interaction.wire import call_modern, failure, modern, modern_headers, post

pytestmark = pytest.mark.anyio

CAP = 2000
CONFIGURED = {"router": {"result_bytes": CAP}}
LINES = "\n".join(f"line {number:04}" for number in range(1000))


async def answered(answer: Json, *, promises: bool = False, writes: bool = False) -> Any:
    """Return what a client gets when its server answers so."""

    async def answers(http: web.Request, request: Json) -> web.StreamResponse:
        return result(request, {"resultType": "complete", "isError": False} | answer)

    offered = tool("act", read_only=not writes)
    if promises:
        offered["outputSchema"] = {"type": "object"}
    server = Scripted(answer=answers, tools=[offered])
    async with running(server) as url, routing({"a": url}, configured=CONFIGURED) as mesh:
        return await call_modern(mesh.port, "act")


@pytest.mark.requirement("gateway.result-cap", "bridge.large-results")
async def test_a_long_text_is_cut_at_the_end_of_a_line() -> None:
    """And the model is told how much there was, and what to do."""
    reply = await answered({"content": [{"type": "text", "text": LINES}]})
    (block,) = reply.result["content"]
    *lines, note = block["text"].split("\n")
    assert all(len(line) == len("line 0000") for line in lines)
    assert 1900 < len("\n".join(lines)) <= CAP
    assert note.startswith("… cut: 10.0 kB, shown 2.0 kB; ask for less")


@pytest.mark.requirement("gateway.result-cap")
async def test_text_without_lines_is_cut_between_characters() -> None:
    """Never inside one."""
    reply = await answered({"content": [{"type": "text", "text": "ä" * 3000}]})
    shown, note = reply.result["content"][0]["text"].split("\n")
    assert shown == "ä" * (CAP // 2)
    assert note.startswith("… cut: 6.0 kB")


@pytest.mark.requirement("gateway.result-cap")
async def test_what_comes_after_the_cut_is_named_too() -> None:
    """Each block says what is missing of it."""
    content = [{"type": "text", "text": LINES}, {"type": "text", "text": "the end"}]
    reply = await answered({"content": content})
    assert reply.result["content"][1]["text"].startswith("… cut: 7 bytes, shown 0 bytes")


@pytest.mark.requirement("gateway.result-cap")
async def test_an_image_is_whole_or_named() -> None:
    """Half of one is none."""
    image = {"type": "image", "mimeType": "image/png"}
    small, large = image | {"data": "A" * 100}, image | {"data": "A" * 4000}
    blob = {"type": "resource", "resource": {"uri": "x://y", "blob": "A" * 4000}}
    reply = await answered({"content": [small, large, blob]})
    first, second, third = reply.result["content"]
    assert first == small
    assert second["type"] == "text"
    assert second["text"].startswith("[image/png of 4.0 kB left out")
    assert "left out" in third["resource"]["text"]
    assert "blob" not in third["resource"]


@pytest.mark.requirement("gateway.result-cap")
@pytest.mark.parametrize("writes", [False, True])
async def test_structured_content_that_is_promised_is_whole_or_an_error(*, writes: bool) -> None:
    """Clients refuse a success without it; clients.md 8. A write is said to have happened."""
    answer: Json = {"content": [], "structuredContent": {"lines": LINES}}
    reply = await answered(answer, promises=True, writes=writes)
    assert "structuredContent" not in reply.result
    error = failure(reply)
    assert (error["error_code"], error["retryable"]) == ("TOO_LARGE", False)
    assert error["hint"].startswith("Ask for less")
    assert error["details"]["limit"] == CAP
    assert ("has taken effect" in error["message"]) is writes


@pytest.mark.requirement("gateway.result-cap")
async def test_structured_content_that_nobody_promised_is_left_out_with_a_word() -> None:
    """The text remains."""
    answer: Json = {
        "content": [{"type": "text", "text": "short"}],
        "structuredContent": {"lines": LINES},
    }
    reply = await answered(answer)
    assert "structuredContent" not in reply.result
    first, note = reply.result["content"]
    assert first["text"] == "short"
    assert note["text"].startswith("[data of 11.0 kB left out")


@pytest.mark.requirement("gateway.result-cap")
async def test_what_fits_is_left_alone() -> None:
    """Text and structured content count each for itself: half of the clients show one of them."""
    text = "x" * (CAP - 100)
    answer: Json = {"content": [{"type": "text", "text": text}], "structuredContent": {"t": text}}
    reply = await answered(answer, promises=True)
    assert reply.result["content"] == answer["content"]
    assert reply.result["structuredContent"] == {"t": text}


@pytest.mark.requirement("gateway.result-cap")
async def test_a_resource_is_cut_like_a_tools_text() -> None:
    """A model reads both."""

    async def answers(http: web.Request, request: Json) -> web.StreamResponse:
        return result(request, {"contents": [{"uri": "x://y", "text": LINES}]})

    server = Scripted(answer=answers, resources=[{"uri": "x://y", "name": "y"}])
    async with running(server) as url, routing({"a": url}, configured=CONFIGURED) as mesh:
        reply = await post(
            mesh.port,
            modern("resources/read", {"uri": "x://y"}),
            modern_headers("resources/read", "x://y"),
        )
    assert "… cut: 10.0 kB" in reply.result["contents"][0]["text"]
