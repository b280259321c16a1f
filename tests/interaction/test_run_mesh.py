"""`trunkline run` as a real process: start, ends, sizes, and a taken port."""

import asyncio
import os
import signal
import subprocess
import time
from pathlib import Path

import orjson
import pytest

from tests.interaction.trunkline_process import (
    Running,
    alive,
    ended,
    environment,
    gone,
    pss_kb,
    started,
)
from trunkline_cli import listening
from trunkline_cli.environment import RouterAddress
from trunkline_cli.router_client import RouterClient

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.timeout(120),
    pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="reads /proc (Linux)"),
]

END_S = 3.0
PSS_KB = 300 * 1024


def git(*words: str) -> str:
    """Run git as somebody; returns what it printed."""
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.com"]
    ran = subprocess.run(["git", *identity, *words], check=True, capture_output=True, text=True)
    return ran.stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a fresh git repository with one commit on `trunk`."""
    here = tmp_path / "checkout"
    git("init", "-q", "-b", "trunk", str(here))
    git("-C", str(here), "commit", "-q", "--allow-empty", "-m", "Begin")
    return here


def address_of(url: str) -> RouterAddress:
    """Return the address for a base URL."""
    return RouterAddress(host="127.0.0.1", port=int(url.rpartition(":")[2]), url=url)


async def end(running: Running, number: signal.Signals) -> tuple[int, str]:
    """Send a signal; returns exit code and standard error, within the three seconds."""
    running.process.send_signal(number)
    began = time.monotonic()
    _, err = await running.process.communicate()
    assert time.monotonic() - began < END_S
    assert running.process.returncode is not None
    return running.process.returncode, err.decode()


@pytest.mark.requirement("run.whole", "call.truth")
async def test_run_serves_the_checkout_it_was_started_in(checkout: Path, tmp_path: Path) -> None:
    """The branch that the mesh tells is the one that git has checked out right there."""
    env = environment(tmp_path)
    async with started("run", env=env, cwd=checkout) as running:
        there = env | {"TRUNKLINE_PORT": str(address_of(await running.url()).port)}
        called = await ended("call", "twig.get_current_branch", env=there, cwd=tmp_path)
    head = git("-C", str(checkout), "rev-parse", "HEAD")
    branch = orjson.loads(called.out)
    assert (branch["branch"], branch["head_sha"]) == ("trunk", head)


async def test_run_says_where_it_is_and_how_to_connect(checkout: Path, tmp_path: Path) -> None:
    """URL, status, dashboard, each server with its tools, the missing token, a client's entry."""
    async with started("run", env=environment(tmp_path), cwd=checkout) as running:
        url = await running.url()
        said = "".join(running.said)
    assert f"{url}/status" in said
    assert f"Dashboard: {url}/\n" in said
    assert f"Configuration: none; there is no {checkout / 'trunkline.yaml'}\n" in said
    assert "ready   twig (" in said
    assert "ready   github_comment (" in said
    assert "github_comment" in said.partition(": no GITHUB_TOKEN: their tools answer")[0]
    warned = [line for line in running.said if line.startswith("  warning ")]
    assert [line.rstrip("\n.").split()[-1] for line in warned[1:]] == [
        "BASECAMP_ACCESS_TOKEN",
        "JIRA_HOST",
    ]
    assert f"claude mcp add --transport http trunkline {url}/mcp" in said
    assert f'"url": "{url}/mcp"' in said


async def test_a_second_start_is_ready_when_its_servers_are(checkout: Path, tmp_path: Path) -> None:
    """What is remembered of them answers lists at once; ready means that they answer too."""
    for _ in range(2):
        async with started("run", env=environment(tmp_path), cwd=checkout) as running:
            await running.url()
            assert "missing" not in "".join(running.said)
            assert (await end(running, signal.SIGINT))[0] == 0


@pytest.mark.requirement("run.whole")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_run_ends_cleanly_on_a_signal(
    checkout: Path, tmp_path: Path, number: signal.Signals
) -> None:
    """Within three seconds, exit code 0, no traceback, no process left."""
    async with started("run", env=environment(tmp_path), cwd=checkout) as running:
        await running.url()
        host = running.host()
        code, err = await end(running, number)
    assert code == 0
    assert "Traceback" not in err
    assert not alive(host)


async def test_run_ends_in_time_with_a_request_in_flight(checkout: Path, tmp_path: Path) -> None:
    """A client that is in the middle of its request does not keep the mesh from ending."""
    async with started("run", env=environment(tmp_path), cwd=checkout) as running:
        port = address_of(await running.url()).port
        host = running.host()
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        head = f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 100\r\n"
        writer.write(f"{head}Expect: 100-continue\r\n\r\n".encode())
        await reader.readline()
        code, _ = await end(running, signal.SIGINT)
        writer.close()
    assert code == 0
    assert not alive(host)


async def test_a_second_signal_ends_at_once(checkout: Path, tmp_path: Path) -> None:
    """While the first one is being obeyed, the second one kills both processes."""
    async with started("run", env=environment(tmp_path), cwd=checkout) as running:
        await running.url()
        host = running.host()
        # A stopped host cannot end gracefully, so the first signal alone would take its time.
        os.kill(host, signal.SIGSTOP)
        running.process.send_signal(signal.SIGINT)
        while alive(host) and running.process.returncode is None:
            running.process.send_signal(signal.SIGINT)
            await asyncio.sleep(0)
        code, err = await end_without_signal(running)
        await gone(host)
    assert code == 128 + signal.SIGINT
    assert "Traceback" not in err


async def end_without_signal(running: Running) -> tuple[int, str]:
    """Wait for the end of a process that is ending."""
    _, err = await running.process.communicate()
    assert running.process.returncode is not None
    return running.process.returncode, err.decode()


async def test_a_killed_run_takes_its_host_along(checkout: Path, tmp_path: Path) -> None:
    """SIGKILL of the router's process leaves no process of the mesh behind."""
    async with started("run", env=environment(tmp_path), cwd=checkout) as running:
        await running.url()
        host = running.host()
        running.process.kill()
        await gone(host)


@pytest.mark.requirement("run.child-dies")
async def test_the_router_outlives_its_servers(checkout: Path, tmp_path: Path) -> None:
    """When the host is killed the router goes on answering, and the servers come back."""
    async with started("run", env=environment(tmp_path), cwd=checkout) as running:
        address = address_of(await running.url())
        killed = running.host()
        os.kill(killed, signal.SIGKILL)
        await gone(killed)

        def call() -> dict[str, object]:
            with RouterClient(address) as router:
                router.get("/healthz")
                return router.request("tools/call", {"name": "get_current_branch"}, server="twig")

        while (await asyncio.to_thread(call)).get("isError"):
            pass
        assert running.host() != killed


@pytest.mark.requirement("run.small")
async def test_both_processes_fit_into_300_mb(checkout: Path, tmp_path: Path) -> None:
    """The sum of both processes' proportional set sizes, after a call."""
    async with started("run", env=environment(tmp_path), cwd=checkout) as running:
        address = address_of(await running.url())
        with RouterClient(address) as router:
            await asyncio.to_thread(router.all_pages, "tools/list", "tools")
        sizes = [pss_kb(pid) for pid in (running.process.pid, running.host())]
    assert sum(sizes) < PSS_KB


@pytest.mark.requirement("run.port-taken")
async def test_a_port_taken_by_another_program_is_one_clear_line(tmp_path: Path) -> None:
    """The port and the way to choose another are named, and the exit code is 1."""
    with listening.on_any_port() as taken:
        port = str(listening.port_of(taken))
        result = await ended(
            "run", env=environment(tmp_path, {"TRUNKLINE_PORT": port}), cwd=tmp_path
        )
    assert result.code == 1
    (line,) = result.err.splitlines()
    assert f"port {port} on 127.0.0.1 is taken by another program" in line
    assert f"TRUNKLINE_PORT={int(port) + 1}" in line


@pytest.mark.requirement("run.port-taken")
async def test_a_port_taken_by_another_trunkline_says_so(checkout: Path, tmp_path: Path) -> None:
    """The second start says that the first one runs."""
    async with started("run", env=environment(tmp_path), cwd=checkout) as running:
        port = str(address_of(await running.url()).port)
        result = await ended(
            "run", env=environment(tmp_path, {"TRUNKLINE_PORT": port}), cwd=tmp_path
        )
    assert result.code == 1
    (line,) = result.err.splitlines()
    assert "already runs on" in line


async def test_a_variable_that_cannot_be_used_is_named_at_the_start(tmp_path: Path) -> None:
    """An unknown server in TRUNKLINE_SERVERS ends the start with the nearest known one."""
    env = environment(tmp_path, {"TRUNKLINE_SERVERS": "twigg"})
    result = await ended("run", env=env, cwd=tmp_path)
    assert result.code == 2
    assert "TRUNKLINE_SERVERS" in result.err
    assert "did you mean 'twig'?" in result.err


@pytest.mark.requirement("settings.named")
async def test_a_variable_that_the_servers_refuse_ends_the_start(tmp_path: Path) -> None:
    """Once each, with the nearest right value; nothing is tried again and nothing stays behind."""
    wrong = {"TRUNKLINE_ENABLE_WRITES": "delte", "TRUNKLINE_GITHUB_API_URL": "ftp://x"}
    several = {"TRUNKLINE_SERVERS": "github_comment,github_ci"}
    async with asyncio.timeout(20):
        result = await ended("run", env=environment(tmp_path, wrong | several), cwd=tmp_path)
    assert result.code == 2
    assert result.err.count("TRUNKLINE_ENABLE_WRITES='delte'") == 1
    assert "did you mean 'delete'?" in result.err
    assert result.err.count("TRUNKLINE_GITHUB_API_URL") == 1
    assert "starts again" not in result.err
    assert "Traceback" not in result.err
