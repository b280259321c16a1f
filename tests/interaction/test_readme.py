"""Every command that the README shows is run, or is what the program itself prints."""

import json
import re
import shlex
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.interaction.trunkline_process import ended, environment, started

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(180)]

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = [
    line
    for block in re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL)
    for line in block.strip().splitlines()
]
STARTS = [command for command in COMMANDS if re.search(r"\bmake (run|demo)$", command)]
CALLS = [command for command in COMMANDS if command.startswith(".venv/bin/trunkline ")]
CHECKS = [command for command in COMMANDS if re.fullmatch(r"make (check|test|bench)", command)]
CLONES = [command for command in COMMANDS if command.startswith("git clone ")]
DEFAULT_PORT = {"TRUNKLINE_PORT": "8470"}
CONNECTS = [command for command in COMMANDS if command.startswith("claude mcp add ")]


@pytest.fixture
async def port(tmp_path: Path) -> AsyncIterator[str]:
    """Run the mesh in this checkout; returns its port."""
    async with started("run", env=environment(tmp_path), cwd=ROOT) as running:
        yield (await running.url()).rpartition(":")[2]


def recipe(target: str) -> str:
    """Return what make would run."""
    done = subprocess.run(
        ["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=True, timeout=30
    )
    return done.stdout


def test_every_command_is_of_a_kind_that_is_tested() -> None:
    """A new kind of command wants a new test here."""
    assert sorted(COMMANDS) == sorted(STARTS + CALLS + CHECKS + CLONES + CONNECTS)
    assert all([STARTS, CALLS, CHECKS, CLONES, CONNECTS])


async def test_each_call_of_the_readme_answers(port: str, tmp_path: Path) -> None:
    """As printed, from the checkout's own folder."""
    env = environment(tmp_path) | {"TRUNKLINE_PORT": port}
    for command in CALLS:
        done = await ended(*shlex.split(command)[1:], env=env, cwd=ROOT)
        assert done.code == 0, done.err
        assert done.out.strip()


@pytest.mark.parametrize("command", STARTS)
async def test_each_way_to_start_gets_ready(command: str, tmp_path: Path) -> None:
    """The make target runs `trunkline run` with the variables that stand before it."""
    *assigned, _, target = shlex.split(command)
    given = dict(one.split("=", 1) for one in assigned)
    words = re.findall(r"trunkline (run.*)", recipe(target))[-1].split()
    async with started(*words, env=environment(tmp_path, given), cwd=ROOT) as running:
        assert (await running.url()).startswith("http://127.0.0.1:")


@pytest.mark.parametrize("command", CHECKS)
def test_each_check_is_a_target(command: str) -> None:
    """They are what runs this test, so they are not run by it."""
    assert recipe(command.split()[1])


async def test_the_clients_configuration_is_what_connect_prints(tmp_path: Path) -> None:
    """Both the command and the JSON."""
    done = await ended("connect", "claude", env=environment(tmp_path) | DEFAULT_PORT, cwd=ROOT)
    assert CONNECTS[0] in done.out
    (shown,) = re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)
    assert json.dumps(json.loads(shown), indent=2) in done.out


def test_the_python_that_the_readme_asks_for_is_enough() -> None:
    """The README's minimum is the project's."""
    (major, minor) = re.findall(r"Python (\d+)\.(\d+) or newer", TEXT)[0]
    assert (int(major), int(minor)) <= sys.version_info[:2]
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'requires-python = ">={major}.{minor}"' in project


def test_each_file_that_the_readme_links_is_there() -> None:
    """No dead link within the project."""
    for target in re.findall(r"\]\((?!http)([^)#]+)\)", TEXT):
        assert (ROOT / target).exists(), target
