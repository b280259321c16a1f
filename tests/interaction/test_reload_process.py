"""The router as a program follows its files: SIGHUP, and secrets that are rotated."""

import asyncio
import signal
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from tests.interaction.reloading import until
from tests.interaction.test_router_process import free_port, program, until_ready
from tests.interaction.upstreams import Scripted, running
from tests.interaction.wire import LEGACY_HEADERS, get, legacy, post

pytestmark = pytest.mark.anyio

OLD, NEW = "the-old-secret-of-this-test", "the-new-secret-of-this-test"


async def tools(port: int) -> set[str]:
    reply = await post(port, legacy("tools/list"))
    return {tool["name"] for tool in reply.result["tools"]}


async def minted(port: int) -> Mapping[str, str]:
    """Return the headers of a new session, which the router has signed."""
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c"}}
    reply = await post(port, legacy("initialize", hello))
    return LEGACY_HEADERS | {"Mcp-Session-Id": reply.headers["mcp-session-id"]}


async def good(port: int, session: Mapping[str, str]) -> bool:
    return (await post(port, legacy("tools/list"), session)).status == 200


@pytest.mark.requirement("gateway.reload")
async def test_sighup_has_the_file_read_at_once(tmp_path: Path) -> None:
    """The process goes on, and shows what the file says now."""
    port, path = free_port(), tmp_path / "t.yaml"
    path.write_text("router: {}", encoding="utf-8")
    async with (
        asyncio.timeout(45),
        running(Scripted()) as url,
        program(port, url, TRUNKLINE_CONFIG=str(path)) as process,
    ):
        await until_ready(process)
        assert await tools(port) == {"act", "write"}
        entry = {"url": f"{url}/mcp", "include": ["act"]}
        path.write_text(yaml.safe_dump({"servers": {"a": entry}}), encoding="utf-8")
        process.send_signal(signal.SIGHUP)

        async def narrowed() -> bool:
            return await tools(port) == {"act"}

        await until(narrowed)
        assert process.returncode is None


@pytest.mark.requirement("gateway.reload-secrets")
async def test_a_rotated_secret_is_in_force_without_a_start(tmp_path: Path) -> None:
    """What the old one signed stays good while it is in the list, and not a moment longer."""
    port, path = free_port(), tmp_path / "secret"
    path.write_text(OLD, encoding="utf-8")
    async with (
        asyncio.timeout(45),
        running(Scripted()) as url,
        program(port, url, TRUNKLINE_SECRET_FILE=str(path)) as process,
    ):
        await until_ready(process)
        before = await minted(port)
        assert await good(port, before)
        path.write_text(f"{NEW},{OLD}", encoding="utf-8")
        process.send_signal(signal.SIGHUP)
        assert await good(port, before)
        path.write_text(NEW, encoding="utf-8")

        async def ended() -> bool:
            return not await good(port, before)

        await until(ended)
        assert await good(port, await minted(port))
        assert (await get(port, "/healthz")).status == 200
