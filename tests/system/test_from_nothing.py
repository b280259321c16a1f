"""The mesh in containers does what it does on a laptop: every server, every era, through Redis."""

import asyncio
import itertools
import json
import uuid
from typing import Any

import pytest

from tests.system.everyday import READS, fresh
from tests.system.mesh_in_containers import CONTAINERS, SERVERS, MeshInContainers
from tests.system.router_pages import page
from tests.system.sdk_clients import answered, client, old_client
from tests.system.writers import KINDS

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]


def trace_of(whole: Any) -> set[str]:
    """Return the names of those whose spans are in a trace."""
    text = json.dumps(whole)
    return {name for name in ("router", *SERVERS.values()) if f'"{name}"' in text}


@pytest.mark.requirement("shipping.system-ready")
async def test_every_container_is_well_and_every_server_is_there(mesh: MeshInContainers) -> None:
    """As soon as starting has returned."""
    for container in CONTAINERS:
        assert mesh.inspected(container)["State"]["Health"]["Status"] == "healthy", container
    servers = (await page(mesh, "/status"))["servers"]
    assert {name for name, one in servers.items() if one["available"]} == set(SERVERS)


@pytest.mark.requirement("shipping.system-calls")
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_every_server_answers_reads_of_both_eras(mesh: MeshInContainers, mode: str) -> None:
    """From the stand-ins' own data."""
    async with asyncio.timeout(60), client(mesh, mode) as me:
        answers = {server: (await answered(me, ask))[0] for server, ask in READS.items()}
    assert answers["github_comment"]["comments"][0]["author"]["login"] == "bob"
    assert answers["github"]["number"] == 1
    assert answers["jira"]["summary"] == "Widgets wobble under load"
    assert answers["twig"]["branch"] == "main"
    assert "Widgets launch" in str(answers["basecamp"])
    assert "src/screws.py" in str(answers["github_inline_comment"])
    assert "test (3.13)" in str(answers["github_ci"])


@pytest.mark.requirement("shipping.system-calls")
async def test_every_server_that_writes_writes(mesh: MeshInContainers) -> None:
    """And the next read shows it."""
    async with asyncio.timeout(60), client(mesh) as me:
        for kind in KINDS.values():
            key = uuid.uuid4().hex
            await answered(me, kind.write(key))
            assert key in str((await answered(me, kind.read(1)))[0]), kind.server


@pytest.mark.requirement("shipping.system-calls")
async def test_a_client_of_2024_is_served(mesh: MeshInContainers) -> None:
    """Over HTTP+SSE, by a server's container too."""
    async with asyncio.timeout(60), old_client(mesh) as me:
        assert (await answered(me, READS["github"]))[0]["number"] == 1


@pytest.mark.requirement("shipping.system-traces")
@pytest.mark.parametrize("server", SERVERS)
async def test_a_trace_holds_the_spans_of_the_server_s_container(
    mesh: MeshInContainers, server: str
) -> None:
    """Each sends its own to the router, over the network that is theirs."""
    async with asyncio.timeout(60), client(mesh) as me:
        _, note = await answered(me, fresh(server, uuid.uuid4().int % 1_000_000))
        for _ in itertools.count():
            whole = await page(mesh, f"/api/traces/{note['trace_id']}")
            if trace_of(whole) == {"router", SERVERS[server]}:
                break


@pytest.mark.requirement("shipping.system-redis")
async def test_an_answer_is_kept_in_redis_for_the_next_one_who_asks(mesh: MeshInContainers) -> None:
    """The second read is a hit, and the cache says that it is shared."""
    ask = fresh("github", uuid.uuid4().int % 1_000_000)
    async with asyncio.timeout(60), client(mesh) as one, client(mesh, "legacy") as another:
        sources = [(await answered(me, ask))[1]["source"] for me in (one, another)]
    assert sources == ["upstream", "cache"]
