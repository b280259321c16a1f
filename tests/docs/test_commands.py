"""The commands of each page are executed as printed, in order, as its reader would."""

import json
import re
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.docs.marks import mark_of, marked, run_of
from tests.docs.pages import PAGES, Block, blocks_of
from tests.docs.scenes import Scene, Terminal, clone, scene

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(180)]

EXECUTED = {block.page for kind in ("run", "output of") for block in marked(kind)}
NEEDED = ("bash", "curl", "git", "make", "openssl")
Scenes = Callable[[str], Awaitable[Scene]]


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    """The one of all tests, for as long as this module's: a scene takes seconds to set."""
    return "asyncio"


@pytest.fixture(name="scenes", scope="module")
async def the_scenes(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Scenes]:
    """Each scene once, when a page first needs it."""
    known: dict[str, Scene] = {}
    async with AsyncExitStack() as stack:

        async def of(name: str) -> Scene:
            if name not in known:
                home = tmp_path_factory.mktemp(name or "plain")
                known[name] = await stack.enter_async_context(scene(name, home))
            return known[name]

        yield of


@pytest.mark.requirement("shipping.docs-blocks")
@pytest.mark.parametrize("page", [page for page in PAGES if page in EXECUTED])
async def test_the_commands_of_a_page_work(page: str, scenes: Scenes, tmp_path: Path) -> None:
    """As printed; and what the page says that they print is what they print."""
    for name in NEEDED:
        if shutil.which(name) is None:
            pytest.skip(f"needs {name}")
    terminal = Terminal(home=tmp_path, folder=await clone(tmp_path))
    printed = ""
    for block in blocks_of(page):
        mark = mark_of(block)
        if mark.kind == "run" and is_new(block):
            printed = await executed(terminal, block, await scenes(run_of(block).scene))
        elif mark.kind == "output of" and mark.detail == "previous":
            assert_shown(block, printed)
        elif mark.kind == "output of":
            command = run_instead(block, mark.detail)
            assert_shown(block, await executed(terminal, command, await scenes("")))


def is_new(block: Block) -> bool:
    """Say whether a block is executed here: a start that another page has as well once only."""
    first = next(
        one for one in marked("run") if (one.text, one.comment) == (block.text, block.comment)
    )
    how = run_of(block)
    return how.scene != "engine" and (not how.until or first == block)


async def executed(terminal: Terminal, block: Block, scene: Scene) -> str:
    """Return what a block printed, once it has ended as it should."""
    done = await terminal.run(block, scene)
    assert done.code == run_of(block).exits, f"{block.place}: {done.out}\n{done.err}"
    return done.out


def run_instead(block: Block, command: str) -> Block:
    """Return the block of the command that a block is the output of."""
    return Block(
        page=block.page,
        line=block.line,
        language="sh",
        text=command,
        comment="run",
        fenced=True,
    )


def assert_shown(block: Block, printed: str) -> None:
    """Compare what a page shows with what was printed: `…` stands for anything, JSON for itself."""
    if block.language == "json" and as_json(block.text) == as_json(printed):
        return
    known = [re.escape(part) for part in block.text.strip().split("…")]
    assert re.search(".*".join(known), printed), f"{block.place}: printed was\n{printed}"


def as_json(text: str) -> object:
    """Return the value of a JSON text, or the text."""
    try:
        return json.loads(text)
    except ValueError:
        return text
