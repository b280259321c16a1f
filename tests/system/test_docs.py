"""The commands of the docs that need a container engine, as printed, on a mesh of their own."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.docs.marks import marked, run_of
from tests.docs.scenes import Scene, Terminal, clone, reader
from tests.interaction.trunkline_process import run_to_end
from trunkline_cli.environment import variables
from trunkline_shared.testing.loopback import free_socket

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(900)]

FIRST = ("docs/tutorial.md", "docs/deploy-compose.md")
"""The pages that start it; the others go on from there."""
BLOCKS = [block for block in marked("run") if run_of(block).scene == "engine"]
OF_DOCKER = ("DOCKER_HOST", "DOCKER_CONTEXT")
UP_S = 400


@pytest.fixture
def engine(tmp_path: Path) -> Scene:
    """A project, a port and a folder of this test's own."""
    with free_socket() as on:
        port = str(on.getsockname()[1])
    project = f"trunkline-docs-{port}"
    given = {name: value for name, value in variables().items() if name in OF_DOCKER}
    mine = {
        "COMPOSE_PROJECT_NAME": project,
        "TRUNKLINE_PORT": port,
        "TRUNKLINE_STATE": str(tmp_path / "clone/.trunkline/compose"),
    }
    return Scene(variables=given | mine, port=port, project=project, patience_s=UP_S)


@pytest.fixture
async def terminal(engine: Scene, tmp_path: Path) -> AsyncIterator[Terminal]:
    """One for all of the blocks; nothing is left of what they start."""
    folder = await clone(tmp_path)
    env = reader(tmp_path) | dict(engine.variables)
    try:
        yield Terminal(home=tmp_path, folder=folder)
    finally:
        down = ["trunkline", "down", "--volumes"]
        await run_to_end(down, env=env, cwd=folder, patience_s=UP_S)


@pytest.mark.requirement("shipping.docs-blocks")
async def test_the_commands_that_need_an_engine_work(terminal: Terminal, engine: Scene) -> None:
    """Page after page, in one terminal."""
    for block in sorted(BLOCKS, key=lambda block: block.page not in FIRST):
        done = await terminal.run(block, engine)
        assert done.code == run_of(block).exits, f"{block.place}: {done.out}\n{done.err}"
