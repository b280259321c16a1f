"""Where the commands of the docs run: a fresh clone, and what stands around it.

A page is a terminal: its blocks run one after the other in one clone, and know what earlier ones
have exported. `demo` has a mesh with the stand-ins running; `keyed` has one that lets nobody in
without a key, and its key in TRUNKLINE_API_KEY; `hooked` one that takes GitHub's webhooks, and
their secret. `engine` is set up by tests/system. The port that the docs name is theirs, and so
is the name of containers and volumes.
"""

import asyncio
import os
import re
import signal
from asyncio.subprocess import PIPE, STDOUT
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from tests.docs.marks import Run, run_of
from tests.docs.pages import ROOT, Block
from tests.interaction.keys import entry, key_of
from tests.interaction.trunkline_process import Ended, environment, run_to_end, started

PATIENCE_S = 60
URL = "https://github.com/trunkline/trunkline"
PORT = "8470"
KEY = "docs"
SCOPES = ["tools", "contexts", "observe", "admin"]
OF_BASH = {"PWD", "OLDPWD", "SHLVL", "_"}
HOOKED = {
    "TRUNKLINE_GITHUB_WEBHOOK_SECRET": "a-secret-that-only-the-docs-have",
    "TRUNKLINE_SERVERS": "github_comment",
}
INSTALL = f"""\
#!/bin/sh
mkdir -p .venv && ln -s {ROOT}/.venv/bin .venv/bin && touch .venv/.run .venv/.dev
"""
"""What a clone's first `make` would do, in no time: the installation of these tests is lent."""


@dataclass(frozen=True, kw_only=True)
class Scene:
    """The variables that commands get, and what stands for the port and the names of the docs."""

    variables: Mapping[str, str] = field(default_factory=dict)
    port: str = PORT
    project: str = "trunkline"
    patience_s: float = PATIENCE_S

    def here(self, text: str) -> str:
        """Return the text of a block with this mesh's port, containers and volumes."""
        named = re.sub(
            r"\btrunkline(?=_(?:redis|prometheus|grafana)\b|-[a-z-]+-\d\b)", self.project, text
        )
        return named.replace(f":{PORT}", f":{self.port}")


def reader(home: Path) -> dict[str, str]:
    """Return the environment of somebody who has just opened a terminal.

    Who clones the project gets these very commits, without any network.
    """
    template = home / "template" / "hooks"
    if not template.exists():
        template.mkdir(parents=True)
        hook = template / "post-checkout"
        hook.write_text(INSTALL, encoding="utf-8")
        hook.chmod(0o755)
    env = environment(home)
    del env["TRUNKLINE_PORT"]
    return env | {
        "PATH": f"{ROOT / '.venv/bin'}:{env['PATH']}",
        "GIT_TEMPLATE_DIR": str(template.parent),
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"url.{ROOT}.insteadOf",
        "GIT_CONFIG_VALUE_0": URL,
    }


async def clone(home: Path) -> Path:
    """Return a fresh clone."""
    folder = home / "clone"
    done = await run_to_end(["git", "clone", "-q", URL, str(folder)], env=reader(home), cwd=home)
    assert done.code == 0, done.err
    return folder


@asynccontextmanager
async def scene(name: str, home: Path) -> AsyncIterator[Scene]:
    """Set one up for the block."""
    if not name:
        yield Scene()
        return
    folder = await clone(home)
    variables = dict(HOOKED) if name == "hooked" else {}
    if name == "keyed":
        configured = yaml.safe_dump({"keys": [entry(KEY, scopes=SCOPES)]})
        (folder / "trunkline.yaml").write_text(configured, encoding="utf-8")
        variables["TRUNKLINE_API_KEY"] = key_of(KEY)
    words = ["run"] if name == "hooked" else ["run", "--demo"]
    env = environment(home, variables)
    async with started(*words, env=env, cwd=folder, patience_s=600) as running:
        port = (await running.url()).rpartition(":")[2]
        yield Scene(variables=variables | {"TRUNKLINE_PORT": port}, port=port)


@dataclass(kw_only=True)
class Terminal:
    """One page's: where it stands, what was exported in it, and its Python so far."""

    home: Path
    folder: Path
    exported: dict[str, str] = field(default_factory=dict)
    python: str = ""

    async def run(self, block: Block, scene: Scene) -> Ended:
        """Execute a block as printed, and return how it ended."""
        how = run_of(block)
        if "git clone" in block.text:
            self.folder = self.home / "elsewhere"
            self.folder.mkdir()
        text = scene.here(block.text)
        env = reader(self.home) | dict(scene.variables) | self.exported
        if block.language == "python":
            self.python += text
            return await self._typed("python -", env, stdin=self.python)
        if how.until:
            free_port = {"TRUNKLINE_PORT": "0"}
            said = [await self._interrupted(one, how, free_port | env) for one in _starts(text)]
            self._follow(block.text)
            return Ended(code=how.exits, out="".join(said), err="")
        return await self._typed(text, env, patience_s=scene.patience_s)

    async def _typed(
        self,
        text: str,
        env: Mapping[str, str],
        *,
        stdin: str = "",
        patience_s: float = PATIENCE_S,
    ) -> Ended:
        """Have bash run it, and remember where it ends and what it exports."""
        left = self.home / "left"
        words = ["bash", "-eu", "-c", f"trap 'pwd > {left}; env -0 >> {left}' EXIT\n{text}"]
        done = await run_to_end(
            words, env=env, cwd=self.folder, stdin=stdin.encode(), patience_s=patience_s
        )
        folder, _, variables = left.read_text(encoding="utf-8").partition("\n")
        self.folder = Path(folder)
        known = (variable.partition("=") for variable in variables.split("\0") if variable)
        self.exported |= {
            name: value
            for name, _, value in known
            if env.get(name) != value and name not in OF_BASH
        }
        return done

    def _follow(self, text: str) -> None:
        """Go where a block went that was interrupted."""
        for folder in re.findall(r"\bcd ([\w./-]+)", text):
            self.folder /= folder

    async def _interrupted(self, text: str, how: Run, env: Mapping[str, str]) -> str:
        """Press Ctrl-C once it has said what is waited for; returns all that it said."""
        process = await asyncio.create_subprocess_exec(
            *("bash", "-eu", "-c", text),
            env=env,
            cwd=self.folder,
            stdin=PIPE,
            stdout=PIPE,
            stderr=STDOUT,
            start_new_session=True,
        )
        said = ""
        try:
            async with asyncio.timeout(PATIENCE_S):
                assert process.stdout is not None
                while how.until not in said:
                    line = (await process.stdout.readline()).decode()
                    said += line
                    assert line, f"it never said {how.until!r}: {said}"
                os.killpg(process.pid, signal.SIGINT)
                said += (await process.communicate())[0].decode()
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.communicate()
        return said


def _starts(text: str) -> list[str]:
    """Split a block after each command that goes on until Ctrl-C: each of these has its own."""
    chunks = [""]
    for line in text.splitlines(keepends=True):
        chunks[-1] += line
        if any(word in line for word in ("make run", "make demo", "trunkline run", " watch")):
            chunks.append("")
    return [chunk for chunk in chunks if chunk.strip()]
