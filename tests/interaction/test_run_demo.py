"""`trunkline run --demo` as a real process: true calls without any account."""

import asyncio
from asyncio.subprocess import PIPE
from pathlib import Path

import orjson
import pytest

from tests.interaction.trunkline_process import PATIENCE_S, Ended, ended, environment, started

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]


@pytest.mark.requirement("run.demo")
async def test_the_demo_s_example_command_works_as_printed(tmp_path: Path) -> None:
    """The command that the demo prints lists comments, and a comment can be written and found."""
    env = environment(tmp_path)
    async with started("run", "--demo", env=env, cwd=tmp_path) as running:
        example = await running.until(" call github_comment.")
        there = env | {"TRUNKLINE_PORT": port_of(running.said)}
        listed = await pasted(example, env, tmp_path)
        written = await ended(
            "call",
            "github_comment.create_comment",
            "owner=acme",
            "repo=widgets",
            "issue_number=1",
            "body=Seen.",
            env=there,
            cwd=tmp_path,
        )
    assert listed.code == 0, listed.err
    assert orjson.loads(listed.out)["comments"][0]["author"]["login"] == "bob"
    assert written.code == 0, written.err


async def pasted(line: str, env: dict[str, str], cwd: Path) -> Ended:
    """Run a line as a person pastes it into a shell, which knows nothing but HOME and PATH."""
    bare = {name: env[name] for name in ("HOME", "PATH")}
    process = await asyncio.create_subprocess_shell(
        line, env=bare, cwd=cwd, stdout=PIPE, stderr=PIPE
    )
    async with asyncio.timeout(PATIENCE_S):
        out, err = await process.communicate()
    assert process.returncode is not None
    return Ended(code=process.returncode, out=out.decode(), err=err.decode())


def port_of(said: list[str]) -> str:
    """Return the port that the mesh said it is ready at."""
    (ready,) = [line for line in said if line.startswith("Ready in")]
    return ready.partition("127.0.0.1:")[2].partition("/")[0]


async def test_the_demo_ignores_the_credentials_of_its_caller(tmp_path: Path) -> None:
    """A real token and a GitHub App in the environment reach nothing, the demo's token counts."""
    given = {"GITHUB_TOKEN": "real", "TRUNKLINE_GITHUB_APP_ID": "1", "GH_TOKEN": "real"}
    env = environment(tmp_path, given)
    async with started("run", "--demo", env=env, cwd=tmp_path) as running:
        listed = await pasted(await running.until(" call github_comment."), env, tmp_path)
    assert listed.code == 0, listed.err
