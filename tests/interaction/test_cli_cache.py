"""`trunkline cache` as a real process: what the cache does, and what an operator does to it."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import orjson
import pytest

from tests.interaction.cache_operating import BOSS, EYE, KEYS, WORKER, invalidate
from tests.interaction.caching import Library, call, library
from tests.interaction.mesh import Mesh
from tests.interaction.trunkline_process import Ended, Running, ended, environment, started

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]


@pytest.fixture
async def books() -> AsyncIterator[Library]:
    """A router with keys, before a server whose answers are kept."""
    async with asyncio.timeout(100), library(configured=KEYS) as made:
        yield made


def given(mesh: Mesh, home: Path, key: str) -> dict[str, str]:
    return environment(home, {"TRUNKLINE_PORT": str(mesh.port), "TRUNKLINE_API_KEY": key})


async def run(mesh: Mesh, home: Path, *words: str, key: str = BOSS) -> Ended:
    return await ended(*words, env=given(mesh, home, key), cwd=home)


@asynccontextmanager
async def watched(mesh: Mesh, home: Path, *words: str, key: str = EYE) -> AsyncIterator[Running]:
    """Run `trunkline cache watch`, begun when it says so."""
    env = given(mesh, home, key)
    async with started("cache", "watch", *words, env=env, cwd=home) as process:
        assert process.process.stderr is not None
        assert b"Ctrl-C ends it" in await process.process.stderr.readline()
        yield process


@pytest.mark.requirement("cache.command")
async def test_the_cache_is_shown_with_what_it_saved(books: Library, tmp_path: Path) -> None:
    """Who may observe sees where reads were answered from; `--json` is the router's answer."""
    for _ in range(4):
        await call(books.one, "look", bearer=BOSS)
    done = await run(books.one, tmp_path, "cache", key=EYE)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0].endswith(": on, in this router alone")
    assert lines[1] == "3 of 4 reads answered without asking (75.0 %)"
    assert "kept in the router" in done.out
    assert "1 answer kept in the router" in lines[-1]
    as_json = await run(books.one, tmp_path, "cache", "--json", key=EYE)
    shown = orjson.loads(as_json.out)
    assert (shown["hits"]["process"], shown["misses"], shown["on"]) == (3, 1, True)


@pytest.mark.requirement("cache.command", "cache.invalidate")
async def test_tags_are_invalidated_as_they_are_written(books: Library, tmp_path: Path) -> None:
    """Each is named as it was understood; one that nothing is read under comes with a note."""
    assert (await call(books.one, "look", bearer=BOSS)).source == "upstream"
    done = await run(books.one, tmp_path, "cache", "invalidate", "doc:1", "dok:2")
    assert (done.code, done.out) == (0, "invalidated doc:1\ninvalidated dok:2\n")
    assert "Did you mean 'doc'?" in done.err
    assert (await call(books.one, "look", bearer=BOSS)).source == "upstream"
    as_json = await run(books.one, tmp_path, "cache", "invalidate", "--json", "doc:1")
    assert orjson.loads(as_json.out) == {"bumped": ["doc:1"]}


@pytest.mark.requirement("cache.command")
@pytest.mark.parametrize(
    ("words", "key", "code", "said"),
    [
        (["invalidate", "doc:"], BOSS, 2, "'doc:' is no tag"),
        (["invalidate"], BOSS, 2, "TAG"),
        (["invalidate", "doc:1"], EYE, 1, "needs the scope admin"),
        (["watch"], WORKER, 1, "needs the scope observe"),
        ([], WORKER, 1, "needs the scope observe"),
        ([], "", 1, "trunkline key create"),
        (["empty"], BOSS, 2, "invalidate"),
    ],
)
async def test_what_is_wrong_is_said_with_its_fix(
    books: Library, tmp_path: Path, words: list[str], key: str, code: int, said: str
) -> None:
    """On standard error; nothing is changed, and nothing looks as if it were."""
    done = await run(books.one, tmp_path, "cache", *words, key=key)
    assert (done.code, done.out, said in done.err) == (code, "", True), done.err


@pytest.mark.requirement("cache.command")
@pytest.mark.parametrize("words", [["cache"], ["cache", "watch"], ["cache", "invalidate", "gh:a"]])
async def test_without_a_router_it_says_how_to_start_one(tmp_path: Path, words: list[str]) -> None:
    """With the exit code that means that none answers."""
    done = await ended(*words, env=environment(tmp_path, {"TRUNKLINE_PORT": "1"}), cwd=tmp_path)
    assert (done.code, done.out) == (4, "")
    assert "make run" in done.err


@pytest.mark.requirement("cache.command", "cache.watch")
async def test_watching_shows_each_change_until_it_is_interrupted(
    books: Library, tmp_path: Path
) -> None:
    """A line with time, cause and tags; Ctrl-C ends it without complaint."""
    async with watched(books.one, tmp_path) as watch:
        await call(books.one, "change", "7", bearer=BOSS)
        await invalidate(books.one, "doc:8", BOSS)
        assert (await watch.until("doc:7")).split()[1:] == ["write", "doc:7"]
        assert (await watch.until("doc:8")).split()[1:] == ["operator", "doc:8"]
        watch.process.send_signal(signal.SIGINT)
        assert await watch.process.wait() == 0
        assert watch.process.stderr is not None
        assert await watch.process.stderr.read() == b""


@pytest.mark.requirement("cache.command", "cache.watch")
async def test_watching_for_a_program_is_one_object_a_line(books: Library, tmp_path: Path) -> None:
    """With `--json`, before or after the action."""
    async with watched(books.one, tmp_path, "--json") as watch:
        await invalidate(books.one, "doc:8", BOSS)
        event = orjson.loads(await watch.until("doc:8"))
    assert event == {
        "event": "bump",
        "tags": ["doc:8"],
        "cause": "operator",
        "at": books.clock.now(),
        "router": "here",
    }


@pytest.mark.requirement("cache.command", "cache.watch")
async def test_a_watcher_is_told_when_the_router_ends(tmp_path: Path) -> None:
    """It fails, and says what to do."""
    async with AsyncExitStack() as stack:
        books = await stack.enter_async_context(library())
        async with watched(books.one, tmp_path, key="") as watch:
            await stack.aclose()
            assert await watch.process.wait() == 1
            assert watch.process.stderr is not None
            assert b"watch again once it is back" in await watch.process.stderr.read()


@pytest.mark.requirement("cache.status")
async def test_status_has_a_line_about_the_cache(books: Library, tmp_path: Path) -> None:
    """Beneath the servers."""
    for _ in range(2):
        await call(books.one, "look", bearer=BOSS)
    done = await run(books.one, tmp_path, "status", key=EYE)
    assert "cache: on, in this router alone; 1 of 2 reads answered" in done.out
