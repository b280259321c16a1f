"""What is known of each program that the docs have a reader type: that it takes what is shown."""

import importlib
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from tests.docs.container_commands import docker, kubectl
from tests.docs.pages import ROOT
from tests.docs.parsing import Parser, UnknownCommand
from trunkline_cli.__main__ import COMMANDS
from trunkline_shared.client.configuration import KEY_VARIABLE, configurations

Words = Sequence[str]
URL = "http://127.0.0.1:8470/mcp"
EVERYWHERE = """
alias cat cd chmod cp curl date diff echo env exit export gh git grep head helm jq kind ls mkdir mv
nginx openssl printf ps python3 read redis-cli rm sed set sleep sort source ss sudo systemctl tail
tar tee test time touch umask uv xargs
"""
"""Programs of the reader's machine: only how bash reads the line is looked at."""


def check(words: Words) -> None:
    """Raise UnknownCommand for a command that nobody could type with success."""
    program = words[0].rpartition("/")[2]
    if program in CHECKS:
        CHECKS[program](words[1:])
    elif program not in EVERYWHERE.split():
        raise UnknownCommand(f"{program!r} is in no list of tests/docs/known_commands.py")


def trunkline(words: Words) -> None:
    """Parse as the command line does, and do nothing. Raises UnknownCommand."""
    command, *given = words or [""]
    if command in {"--version", "--help"}:
        return
    if command not in COMMANDS:
        raise UnknownCommand(f"trunkline has no command {command!r}")
    parser = Parser(prog=f"trunkline {command}", allow_abbrev=False)
    importlib.import_module(f"trunkline_cli.commands.{command}").add_arguments(parser)
    parser.parse_args(given)


def _make(words: Words) -> None:
    file = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([\w-]+):", file, re.MULTILINE))
    named = words[2:] if words[:1] == ["-C"] else words
    if missing := {word for word in named if re.fullmatch(r"[a-z0-9-]+", word)} - targets:
        raise UnknownCommand(f"the Makefile has no target {', '.join(sorted(missing))}")


def _client(program: str, words: Words) -> None:
    """Look for the command among those that `trunkline connect` prints."""
    known = [["mcp", "list"]]
    for variable in ("", KEY_VARIABLE):
        each = configurations(URL, project=Path(), home=Path(), variable=variable).values()
        lines = [shlex.split(one.command) for one in each if one.command]
        known += [line[1:] for line in lines if line[0] == program]
    if list(words) not in known:
        raise UnknownCommand(f"`trunkline connect` prints no such command of {program}")


CHECKS: Mapping[str, Callable[[Words], None]] = {
    "trunkline": trunkline,
    "make": _make,
    "docker": docker,
    "kubectl": kubectl,
    **{program: partial(_client, program) for program in ("claude", "codex", "gemini")},
}
