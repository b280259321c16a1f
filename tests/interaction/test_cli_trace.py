"""`trunkline trace` as a real process: the newest calls, and each step of one."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import orjson
import pytest

from tests.interaction.cache_operating import EYE, KEYS, WORKER
from tests.interaction.caching import Library, call, library
from tests.interaction.keys import bearing
from tests.interaction.mesh import Mesh
from tests.interaction.trunkline_process import Ended, ended, environment, started
from tests.interaction.wire import get, modern, modern_headers, post

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]
ROOT = Path(__file__).parents[2]


@pytest.fixture
async def books() -> AsyncIterator[Library]:
    """A router with keys, before documents."""
    async with asyncio.timeout(100), library(configured=KEYS) as made:
        yield made


async def run(mesh: Mesh, home: Path, *words: str, key: str = EYE) -> Ended:
    env = environment(home, {"TRUNKLINE_PORT": str(mesh.port), "TRUNKLINE_API_KEY": key})
    return await ended("trace", *words, env=env, cwd=home)


@pytest.mark.requirement("seeing.trace-command")
async def test_the_newest_calls_are_listed(books: Library, tmp_path: Path) -> None:
    """One line each, with the beginning of the id by which it can be asked for."""
    nothing = await run(books.one, tmp_path)
    assert (nothing.code, "traced no call yet" in nothing.out) == (0, True)
    seen = [await call(books.one, name, bearer=WORKER) for name in ("look", "look", "change")]
    await post(books.one.port, modern("tools/list"), modern_headers("tools/list") | bearing(WORKER))
    done = await run(books.one, tmp_path)
    head, newest, hit, _ = done.out.splitlines()
    assert head.split() == ["TIME", "TOOK", "AGENT", "CALL", "SOURCE", "ERROR", "TRACE"]
    assert newest.split()[3:] == [
        *("worker", "github.change", "upstream", "-"),
        seen[2].note["trace_id"][:12],
    ]
    assert "cache" in hit
    narrowed = await run(books.one, tmp_path, "--source", "cache", "--limit", "5", "--json")
    (row,) = orjson.loads(narrowed.out)["traces"]
    assert row["trace_id"] == seen[1].note["trace_id"]
    everything = await run(books.one, tmp_path, "--all")
    assert "tools/list" in everything.out
    assert "tools/list" not in done.out
    well = await run(books.one, tmp_path, "--errors")
    assert (well.code, "None of the 4 traces" in well.out) == (0, True)


@pytest.mark.requirement("seeing.trace-command")
async def test_a_call_is_drawn_step_by_step(books: Library, tmp_path: Path) -> None:
    """A tree with bars; the beginning of an id will do."""
    seen = await call(books.one, "look", bearer=WORKER)
    id_ = seen.note["trace_id"]
    done = await run(books.one, tmp_path, id_[:8], "--verbose")
    first, *steps = done.out.splitlines()
    assert first.startswith("github.look  ")
    assert first.endswith(f"worker  upstream  trace {id_}")
    lines = [line for line in steps if line.startswith("router")]
    assert [line.split("  ")[1].strip() or line.split("  ")[2].strip() for line in lines] == [
        "tools/call look"
    ] * len(lines)
    assert len(lines) >= 2
    assert "    trunkline.agent: worker" in done.out
    as_json = await run(books.one, tmp_path, id_, "--json")
    assert orjson.loads(as_json.out)["trace_id"] == id_


@pytest.mark.requirement("seeing.trace-command")
@pytest.mark.parametrize(
    ("words", "key", "code", "said"),
    [
        (["0" * 32], EYE, 1, "No trace 000"),
        (["nonsense"], EYE, 1, "32 hexadecimal digits"),
        (["--limit", "0"], EYE, 2, "from 1 to"),
        ([], WORKER, 1, "needs the scope observe"),
    ],
)
async def test_what_cannot_be_shown_says_why(
    books: Library, tmp_path: Path, *, words: list[str], key: str, code: int, said: str
) -> None:
    """And what would help."""
    done = await run(books.one, tmp_path, *words, key=key)
    assert (done.code, said in done.err) == (code, True), done.err


@pytest.mark.requirement("seeing.trace-command")
async def test_without_a_router_it_says_how_to_start_one(tmp_path: Path) -> None:
    """As every command does."""
    env = environment(tmp_path, {"TRUNKLINE_PORT": "1"})
    done = await ended("trace", env=env, cwd=tmp_path)
    assert (done.code, "make run" in done.err) == (4, True)


@pytest.mark.requirement("seeing.traces-whole", "seeing.trace-command")
async def test_a_call_through_the_whole_mesh_can_be_read_at_once(tmp_path: Path) -> None:
    """Router, server and each git command, as soon as the answer is there; drawn by the command."""
    async with started("run", env=environment(tmp_path), cwd=ROOT) as running, asyncio.timeout(90):
        port = int((await running.url()).rpartition(":")[2])
        env = environment(tmp_path, {"TRUNKLINE_PORT": str(port)})
        made = await ended("call", "twig.get_current_branch", "--json", env=env, cwd=ROOT)
        id_ = orjson.loads(made.out)["_meta"]["dev.trunkline/call"]["trace_id"]
        told = (await get(port, f"/api/traces/{id_}")).json
        drawn = await ended("trace", id_[:12], env=env, cwd=ROOT)
    assert told["complete"] is True
    steps = [(one["service"], one["kind"]) for one in told["spans"][:3]]
    assert steps == [("router", "server"), ("router", "client"), ("servers", "server")]
    gits = [one for one in told["spans"][3:] if one["name"].startswith("git ")]
    assert len(gits) >= 2
    assert {one["parent_id"] for one in gits} == {told["spans"][2]["span_id"]}
    assert drawn.out.count("git ") >= 2
