"""A `docker` on PATH that answers as a test says: an engine without one."""

import json
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.interaction.trunkline_process import Ended, ended, environment

SCRIPT = """#!/bin/sh
# Answers come from files beside it; what it was told goes to `told`.
here=$(dirname "$0")
echo "$*" >> "$here/told"
env | grep -v '^_=' > "$here/environment"
answer() { # NAME: what it prints, what it complains of, how it ends
  [ -f "$here/$1.out" ] && eval "cat <<EOF
$(cat "$here/$1.out")
EOF"
  [ -f "$here/$1.err" ] && cat "$here/$1.err" >&2
  [ -f "$here/$1.code" ] && exit "$(cat "$here/$1.code")"
  exit 0
}
case "$*" in
  "compose version"*) answer version ;;
  "version "*) answer engine ;;
  "compose"*" config "*) answer config ;;
  "compose port "*) answer port ;;
  "image inspect"*) answer images ;;
  "build "*|"buildx "*) answer build ;;
  "pull "*) answer pull ;;
  "compose"*" up "*) answer up ;;
  "compose ps "*) answer ps ;;
  "logs "*) answer logs ;;
  "inspect "*) answer inspect ;;
  "compose"*" down "*) answer down ;;
esac
"""


@dataclass(frozen=True, kw_only=True)
class EngineStandIn:
    """An engine with all images and no containers, until it is told otherwise."""

    folder: Path
    port: int

    @classmethod
    def at(cls, folder: Path, port: int) -> "EngineStandIn":
        """Put it in a folder."""
        (folder / "bin").mkdir(parents=True)
        program = folder / "bin" / "docker"
        program.write_text(SCRIPT, encoding="utf-8")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        made = cls(folder=folder, port=port)
        made.answer("version", out="2.40.3")
        made.answer("engine", out="28.0.1")
        made.answer("port", code=1)
        made.answer("config", out=json.dumps(made._project()))
        return made

    def answer(self, name: str, *, out: str = "", err: str = "", code: int = 0) -> None:
        """Say what it prints and how it ends; `out` may name variables of its environment."""
        for ending, text in (("out", out), ("err", err), ("code", str(code))):
            (self.folder / "bin" / f"{name}.{ending}").write_text(text, encoding="utf-8")

    @property
    def told(self) -> list[str]:
        """Every command line that it was given."""
        return (self.folder / "bin" / "told").read_text(encoding="utf-8").splitlines()

    @property
    def environment(self) -> str:
        """What it saw of its caller's environment the last time."""
        return (self.folder / "bin" / "environment").read_text(encoding="utf-8")

    @property
    def state(self) -> Path:
        return self.folder / "state"

    async def up(self, *words: str, **given: str) -> Ended:
        """Run `trunkline up` with it."""
        return await self.run("up", *words, **given)

    async def run(self, *words: str, **given: str) -> Ended:
        """Run a command with it."""
        path = f"{self.folder / 'bin'}{os.pathsep}{os.defpath}"
        known = {"PATH": path, "TRUNKLINE_STATE": str(self.state), "TRUNKLINE_PORT": str(self.port)}
        env = environment(self.folder, known | given)
        return await ended(*words, env=env, cwd=self.folder)

    def _project(self) -> Any:
        url = f"http://127.0.0.1:{self.port}"
        published = {"host_ip": "127.0.0.1", "published": str(self.port), "target": 8470}
        router = {
            "image": "trunkline/router:latest",
            "ports": [published],
            "environment": {"TRUNKLINE_PUBLIC_URL": url},
        }
        return {"services": {"router": router, "redis": {"image": "redis:8-alpine"}}}
