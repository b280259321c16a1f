"""`trunkline connect`: the configuration of an MCP client, printed or written."""

import argparse
import re
import shutil
from pathlib import Path

from trunkline_cli import terminal
from trunkline_cli.configuration_text import merged
from trunkline_cli.environment import API_KEY, router_address
from trunkline_cli.failure import OK, USAGE, CommandFailed, unknown
from trunkline_shared.client.configuration import ClientConfiguration, configurations
from trunkline_shared.client.rendering import rendered

CLIENTS = ("claude", "codex", "copilot", "cursor", "vscode", "gemini", "goose", "opencode")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the client, and whether its file is written."""
    parser.add_argument("client", metavar="CLIENT", help=" | ".join(CLIENTS))
    parser.add_argument(
        "--key",
        nargs="?",
        const=API_KEY,
        metavar="VARIABLE",
        help=f"let the client show the key that it finds in a variable ({API_KEY})",
    )
    parser.add_argument(
        "--write", action="store_true", help="merge it into the client's file, keeping a backup"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the configuration, or merge it into the client's file."""
    address = router_address()
    variable = _variable(arguments.key or (API_KEY if address.key else ""))
    known = configurations(address.mcp, project=Path.cwd(), home=Path.home(), variable=variable)
    if arguments.client not in known:
        raise unknown("client", arguments.client, known)
    configuration = known[arguments.client]
    if arguments.write:
        _write(configuration)
    else:
        _print(configuration)
    if variable:
        terminal.say(
            terminal.paint(f"# {variable} must hold the key where the client starts.", "dim")
        )
    return OK


def _variable(named: str) -> str:
    """Return the name of the variable that holds the key; a key itself belongs in no file."""
    if (named and not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", named)) or named.startswith("tl_"):
        raise CommandFailed(
            "--key takes the name of a variable and not a key, which belongs in no client's file: "
            f"set {API_KEY} to the key, and leave its name out here",
            USAGE,
        )
    return named


def _print(configuration: ClientConfiguration) -> None:
    terminal.say(terminal.paint(f"# {configuration.file}", "dim"))
    terminal.say(rendered(configuration).rstrip())
    if configuration.command:
        terminal.say()
        terminal.say(terminal.paint("# or, with the client's own command:", "dim"))
        terminal.say(configuration.command)
    if configuration.note:
        terminal.say(terminal.paint(f"# {configuration.note}", "dim"))


def _write(configuration: ClientConfiguration) -> None:
    file = configuration.file
    try:
        before = file.read_text(encoding="utf-8") if file.exists() else ""
        after = merged(configuration, before)
        if after == before:
            terminal.say(f"{file} already leads to the router.")
            return
        backup = _backed_up(file) if file.exists() else None
        file.parent.mkdir(parents=True, exist_ok=True)
        _replace(file, after)
    except UnicodeDecodeError:
        raise CommandFailed(f"{file} was left alone: it is not UTF-8 text") from None
    except OSError as error:
        raise CommandFailed(f"{file} cannot be written: {error.strerror}") from None
    kept = f" (before: {backup})" if backup else ""
    terminal.say(f"{file} now leads to the router{kept}.")


def _backed_up(file: Path) -> Path:
    backup = file.with_name(f"{file.name}.before-trunkline")
    number = 1
    while backup.exists():
        number += 1
        backup = file.with_name(f"{file.name}.before-trunkline-{number}")
    shutil.copy2(file, backup)
    return backup


def _replace(file: Path, text: str) -> None:
    """Write beside the file and rename: a client never reads half of it.

    A symbolic link (a person's dotfiles) stays one: its target is what is replaced.
    """
    target = file.resolve()
    beside = target.with_name(f".{target.name}.trunkline")
    beside.write_text(text, encoding="utf-8")
    if target.exists():
        shutil.copymode(target, beside)
    beside.replace(target)
