"""Servers that run as the router's children: found, asked, kept alive, ended."""

import asyncio
import json
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest
from mcp import Client
from mcp.types import ElicitResult

from tests.interaction.mesh import QUICK, Mesh, routing
from tests.interaction.named_pipe import NamedPipe, named_pipe
from tests.interaction.trunkline_process import alive, gone
from tests.interaction.upstreams import Json
from tests.interaction.wire import META, call_legacy, call_modern

pytestmark = pytest.mark.anyio

SCRIPT = Path(__file__).with_name("child_server.py")
NOWHERE = "http://127.0.0.1:9"
SMALL = replace(QUICK, limits=replace(QUICK.limits, answer_bytes=1_000_000))


@asynccontextmanager
async def mesh_of(*habits: str, **given: object) -> AsyncIterator[Mesh]:
    """Run a router whose one server is a child with these habits."""
    command = (sys.executable, "-S", str(SCRIPT), *habits)
    entry: Mapping[str, object] = {"command": command, **given}
    configured = {"servers": {"child": entry}}
    async with (
        asyncio.timeout(40),
        routing({"child": NOWHERE}, terms=SMALL, configured=configured) as mesh,
    ):
        known = mesh.catalog.directory()
        while "pid" not in known.tools:
            known = await mesh.catalog.changed(known, None)
        yield mesh


@pytest.fixture
def born(tmp_path: Path) -> Iterator[NamedPipe]:
    """Where a child says its process id."""
    with named_pipe(tmp_path / "pid") as pipe:
        yield pipe


async def called(mesh: Mesh, name: str, **arguments: object) -> Any:
    reply = await call_modern(mesh.port, name, arguments=arguments)
    return reply.result


async def said(mesh: Mesh, name: str, **arguments: object) -> str:
    result = await called(mesh, name, **arguments)
    assert result["isError"] is False, result
    return str(result["content"][0]["text"])


@pytest.mark.requirement("gateway.upstream-stdio")
async def test_a_child_is_a_server_like_any_other() -> None:
    """Its tools are listed and called; one process serves one caller's calls."""
    async with mesh_of() as mesh:
        assert await said(mesh, "say", text="hello") == "hello"
        assert await said(mesh, "pid") == await said(mesh, "pid")


@pytest.mark.requirement("gateway.upstream-stdio")
async def test_a_child_gets_its_own_variables_and_no_secret_of_the_mesh(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Only where it is, and what its entry names; a file's secret too."""
    secret = tmp_path / "secret"
    secret.write_text("from a file\n", encoding="utf-8")
    monkeypatch.setenv("CHILD_SECRET_FILE", str(secret))
    monkeypatch.setenv("TRUNKLINE_SECRET", "0123456789abcdef")
    env = {"MODE": "test", "TOKEN": {"from_env": "CHILD_SECRET"}}
    async with mesh_of(env=env, cwd=str(tmp_path)) as mesh:
        given = json.loads(await said(mesh, "env"))
    assert (given["MODE"], given["TOKEN"]) == ("test", "from a file")
    assert "TRUNKLINE_SECRET" not in given
    assert "CHILD_SECRET_FILE" not in given
    assert given["PATH"]


@pytest.mark.requirement("gateway.upstream-stdio")
async def test_a_child_that_dies_is_started_again() -> None:
    """The call that it died of fails honestly, and the next one has a new process."""
    async with mesh_of() as mesh:
        before = await said(mesh, "pid")
        died = orjson.loads((await called(mesh, "die"))["content"][0]["text"])
        assert died["error_code"] == "NETWORK_ERROR"
        assert died["details"] == {"may_have_happened": True}
        assert await said(mesh, "pid") != before


@pytest.mark.requirement("gateway.upstream-stdio")
async def test_a_message_without_an_end_ends_the_child() -> None:
    """It would fill the memory; the call fails, and the next one has a new process."""
    async with mesh_of() as mesh:
        before = await said(mesh, "pid")
        failed = orjson.loads((await called(mesh, "endless"))["content"][0]["text"])
        assert failed["error_code"] == "NETWORK_ERROR"
        assert await said(mesh, "pid") != before


@pytest.mark.requirement("gateway.upstream-stdio")
async def test_a_child_that_ends_at_discover_is_greeted_the_old_way() -> None:
    """Some servers do not survive a message before `initialize`."""
    async with mesh_of("dies-of-discover") as mesh:
        assert await said(mesh, "say", text="alive") == "alive"


@pytest.mark.requirement("gateway.upstream-stdio")
async def test_garbage_on_its_output_is_logged_and_ignored(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Banners, other JSON and broken lines do no harm."""
    caplog.set_level(logging.INFO)
    async with mesh_of("garbage") as mesh:
        assert await said(mesh, "say", text="hello") == "hello"
    assert "child stdout, which is no MCP: Starting…" in caplog.text
    assert "\\e[1mnot json" in caplog.text


@pytest.mark.requirement("gateway.upstream-stdio")
async def test_what_it_writes_beside_is_bounded_and_without_its_secret(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A flood on standard error stalls nothing, and is cut in the log."""
    caplog.set_level(logging.INFO)
    monkeypatch.setenv("CHILD_TOKEN", "top-secret-value")
    env = {"CHILD_TOKEN": {"from_env": "CHILD_TOKEN"}}
    async with mesh_of("floods", env=env) as mesh:
        assert await said(mesh, "say", text="hello") == "hello"
    lines = [record.getMessage() for record in caplog.records if "stderr" in record.getMessage()]
    assert lines[0] == "child stderr: token [secret]"
    assert len(lines) < 1000
    assert "top-secret-value" not in caplog.text
    assert max(map(len, caplog.messages)) < 3000


@pytest.mark.requirement("gateway.upstream-stdio")
async def test_a_child_that_ignores_sigterm_is_killed_with_its_group() -> None:
    """When the router ends, nothing of it is left."""
    async with mesh_of("ignores-sigterm") as mesh:
        pids = [int(await said(mesh, name)) for name in ("pid", "late")]
        assert all(map(alive, pids))
    async with asyncio.timeout(5):
        for pid in pids:
            await gone(pid)


@pytest.mark.requirement("gateway.upstream-stdio")
async def test_a_child_does_not_outlive_a_router_that_is_killed(
    tmp_path: Path, born: NamedPipe
) -> None:
    """SIGKILL to the router: a child that ignores the end of its input ends all the same."""
    config = tmp_path / "trunkline.yaml"
    entry = {
        "command": [sys.executable, "-S", str(SCRIPT), "ignores-sigterm"],
        "env": {"PID_FILE": str(born.path)},
    }
    config.write_text(json.dumps({"servers": {"child": entry}}), encoding="utf-8")
    variables = {
        "PATH": os.defpath,
        "TRUNKLINE_CONFIG": str(config),
        "TRUNKLINE_SERVERS": "child",
        "TRUNKLINE_PORT": "0",
    }
    async with asyncio.timeout(40):
        router = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "trunkline_router"),
            env=variables,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            pid = int(await born.said())
        finally:
            router.send_signal(signal.SIGKILL)
            await router.wait()
        await gone(pid)


@pytest.mark.requirement("gateway.upstream-stdio")
async def test_a_command_that_does_not_exist_is_said_to_be_missing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """In the log, and to whoever asks for it: the server is listed nowhere, and named."""
    configured = {"servers": {"child": {"command": ["no-such-command-here"]}}}
    async with asyncio.timeout(10), routing({"child": NOWHERE}, configured=configured) as mesh:
        assert "child" in mesh.catalog.directory().missing
    assert "server child cannot be listed" in caplog.text
    assert "there is no command 'no-such-command-here'" in caplog.text


@pytest.mark.requirement("gateway.upstream-stdio")
async def test_a_child_that_keeps_ending_is_left_alone_for_a_while() -> None:
    """It is not started again and again without a pause."""
    async with asyncio.timeout(10):
        command = (sys.executable, "-S", str(SCRIPT), "dies-at-once")
        configured = {"servers": {"child": {"command": command}}}
        async with routing({"child": NOWHERE}, configured=configured) as mesh:
            assert "child" in mesh.catalog.directory().missing


@pytest.mark.requirement("gateway.upstream-stdio")
async def test_a_childs_question_comes_back_to_its_caller() -> None:
    """clients.md 13: one stream for all calls, and each answer reaches its own question."""

    async def elicited(context: Any, params: Any) -> ElicitResult:
        return ElicitResult(action="accept", content={"name": "Ada"})

    async with (
        mesh_of() as mesh,
        Client(mesh.mcp, mode="2026-07-28", elicitation_callback=elicited) as client,
    ):
        async with asyncio.TaskGroup() as tasks:
            asked = [tasks.create_task(client.call_tool("ask")) for _ in range(4)]
        assert {task.result().content[0].text for task in asked} == {"Ada"}  # type: ignore[union-attr]  # texts


@pytest.mark.requirement("gateway.upstream-stdio")
async def test_callers_that_can_be_asked_differently_have_a_child_each() -> None:
    """What a session may ask is settled at `initialize`, so that it is part of whose it is."""
    capabilities: Json = {
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}}
    }
    async with mesh_of() as mesh:
        plain = await said(mesh, "pid")
        asking = await call_modern(mesh.port, "pid", _meta=META | capabilities)
        assert asking.result["content"][0]["text"] != plain
        legacy = await call_legacy(mesh.port, "pid")
        assert legacy.result["content"][0]["text"] == plain


@pytest.mark.requirement("gateway.upstream-stdio")
async def test_progress_of_calls_at_once_is_never_mixed() -> None:
    """Two calls under the same token: each hears what is its own."""
    async with mesh_of() as mesh, Client(mesh.mcp, mode="2026-07-28") as client:

        async def one(word: str) -> list[str | None]:
            heard: list[str | None] = []

            async def progressed(progress: float, total: float | None, message: str | None) -> None:
                heard.append(message)

            await client.call_tool("say", {"text": word}, progress_callback=progressed)
            return heard

        async with asyncio.TaskGroup() as tasks:
            told = {word: tasks.create_task(one(word)) for word in "abcdefgh"}
        assert {word: task.result() for word, task in told.items()} == {
            word: [word] for word in "abcdefgh"
        }
