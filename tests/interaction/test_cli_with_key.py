"""The commands that ask a router which wants keys."""

import sys
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import orjson
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from tests.interaction.keys import SECRET_PART, entry, key_of
from tests.interaction.mesh import Mesh, SampleTools, routing, sample_server
from tests.interaction.trunkline_process import (
    COMMAND,
    Ended,
    ended,
    environment,
    run_to_end,
    started,
)
from trunkline_cli.checks.router import check_router
from trunkline_cli.environment import RouterAddress
from trunkline_cli.failure import CommandFailed
from trunkline_cli.listening import on_port
from trunkline_cli.router_client import NotLetIn, RouterClient
from trunkline_shared.testing.serving import serving

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]

KEYS = [entry("user"), entry("eye", scopes=["tools", "observe"])]
FILE = orjson.dumps({"keys": KEYS}).decode()


@pytest.fixture
async def mesh() -> AsyncIterator[Mesh]:
    """A router with the server `sample` that wants keys."""
    async with (
        serving(sample_server(SampleTools())) as url,
        routing({"sample": url}, configured={"keys": KEYS}) as made,
    ):
        yield made


async def trunkline(mesh: Mesh, home: Path, key: str, *words: str) -> Ended:
    """Run the command with a key."""
    given = {"TRUNKLINE_PORT": str(mesh.port), "TRUNKLINE_API_KEY": key}
    return await ended(*words, env=environment(home, given), cwd=home)


@pytest.mark.requirement("gateway.key-clients")
async def test_a_key_that_may_use_tools_calls_and_lists_them(mesh: Mesh, tmp_path: Path) -> None:
    """Also a named server's, though such a key may not read the state; a wrong name is told."""
    called = await trunkline(mesh, tmp_path, key_of("user"), "call", "sample.echo", "text=hi")
    assert called == Ended(code=0, out='{"said":"hi"}\n', err="")
    wrong = await trunkline(mesh, tmp_path, key_of("user"), "call", "sampel.echo")
    assert (wrong.code, "Did you mean 'sample'?" in wrong.err) == (2, True)
    listed = await trunkline(mesh, tmp_path, key_of("user"), "tools")
    assert "echo" in listed.out


async def test_a_key_sees_the_servers_that_it_may_call_and_no_other(tmp_path: Path) -> None:
    """Also one that may observe all of them."""
    narrow = entry("narrow", scopes=["tools", "observe"], allow=["mcp__sample__*"])
    async with (
        serving(sample_server()) as url,
        serving(sample_server()) as other,
        routing({"sample": url, "other": other}, configured={"keys": [narrow]}) as made,
    ):
        listed = await trunkline(made, tmp_path, key_of("narrow"), "tools", "--json")
        wrong = await trunkline(made, tmp_path, key_of("narrow"), "call", "other.echo", "text=hi")
    assert {each["server"] for each in orjson.loads(listed.out)} == {"sample"}
    assert (wrong.code, "unknown server" in wrong.err.lower()) == (2, True), wrong.err


@pytest.mark.requirement("gateway.key-clients")
async def test_what_the_router_says_against_a_key_is_told_with_the_variable(
    mesh: Mesh, tmp_path: Path
) -> None:
    """Without a key, with a wrong one, with one that may not: one line each, never the key."""
    for key, reason in (
        ("", "wants to know who asks"),
        (key_of("user", "wrong"), "The API key is not valid"),
        (key_of("user"), "needs the scope observe"),
    ):
        result = await trunkline(mesh, tmp_path, key, "status")
        assert (result.code, result.out) == (1, "")
        assert reason in result.err
        assert "Set TRUNKLINE_API_KEY" in result.err
        assert SECRET_PART not in result.err


async def test_a_key_may_stand_in_a_file(mesh: Mesh, tmp_path: Path) -> None:
    """As secrets of containers do."""
    (tmp_path / "key").write_text(key_of("eye") + "\n", encoding="utf-8")
    given = {"TRUNKLINE_PORT": str(mesh.port), "TRUNKLINE_API_KEY_FILE": str(tmp_path / "key")}
    result = await ended("status", env=environment(tmp_path, given), cwd=tmp_path)
    assert result.code == 0
    assert "sample" in result.out


async def test_a_router_that_wants_keys_is_known_as_one(mesh: Mesh) -> None:
    """The doctor and a second `trunkline run` do not take it for another program."""

    def looked() -> list[str]:
        address = RouterAddress(host="127.0.0.1", port=mesh.port, url=mesh.url)
        with pytest.raises(CommandFailed, match="already runs on"):
            on_port("127.0.0.1", mesh.port)
        opened = RouterAddress(host="127.0.0.1", port=mesh.port, url=mesh.url, key=key_of("eye"))
        return [finding.level for one in (address, opened) for finding in check_router(one)]

    assert await anyio.to_thread.run_sync(looked) == ["warn", "ok", "ok"]


async def test_a_call_is_told_as_well_as_a_page(mesh: Mesh) -> None:
    """MCP requests too say what a key lacks."""
    address = RouterAddress(host="127.0.0.1", port=mesh.port, url=mesh.url)

    def asked() -> None:
        with RouterClient(address) as router, pytest.raises(NotLetIn, match="wants to know who"):
            router.request("tools/list", {})

    await anyio.to_thread.run_sync(asked)


@pytest.mark.requirement("gateway.key-clients")
async def test_a_mesh_with_keys_starts_and_serves_its_own_starter(tmp_path: Path) -> None:
    """`trunkline run` shows its servers and `trunkline stdio` serves its client without a key."""
    (tmp_path / "trunkline.yaml").write_text(FILE, encoding="utf-8")
    env = environment(tmp_path, {"TRUNKLINE_SERVERS": "github_ci"})
    async with started("run", env=env, cwd=tmp_path) as process:
        url = await process.url()
        assert any("github_ci" in line and "ready" in line for line in process.said)
        assert any("Bearer ${TRUNKLINE_API_KEY}" in line for line in process.said)
        login = f"Dashboard: {url}/ (a key with the scope observe logs in)\n"
        assert login in process.said
        assert f"Configuration: {tmp_path / 'trunkline.yaml'}\n" in process.said
        port = url.rpartition(":")[2]
        refused = await ended(
            "status", env=env | {"TRUNKLINE_PORT": port, "TRUNKLINE_API_KEY": ""}, cwd=tmp_path
        )
        assert "wants to know who asks" in refused.err
    parameters = StdioServerParameters(
        command=COMMAND[0], args=[*COMMAND[1:], "stdio"], env=env, cwd=tmp_path
    )
    async with Client(stdio_client(parameters)) as client:
        assert (await client.list_tools()).tools


@pytest.mark.requirement("gateway.closed-door")
@pytest.mark.parametrize("content", ["", "keys: []\n"])
async def test_no_router_stands_beyond_loopback_without_keys(tmp_path: Path, content: str) -> None:
    """`trunkline run` and the container's own command both refuse, and say what to do."""
    (tmp_path / "trunkline.yaml").write_text(content, encoding="utf-8")
    env = environment(tmp_path, {"TRUNKLINE_HOST": "192.0.2.1"})
    result = await ended("run", env=env, cwd=tmp_path)
    assert result.code == 2
    alone = await run_to_end(
        [sys.executable, "-m", "trunkline_router"],
        env=env | {"TRUNKLINE_CONFIG": str(tmp_path / "trunkline.yaml")},
        cwd=tmp_path,
    )
    assert alone.code == 1
    for told in (result.err, alone.err):
        assert "TRUNKLINE_HOST=192.0.2.1 is beyond loopback" in told
        assert "trunkline key create NAME" in told
