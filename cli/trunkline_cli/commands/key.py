"""`trunkline key`: the API keys of a mesh, made, listed and revoked in its configuration."""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError

from trunkline_cli import terminal
from trunkline_cli.api_key import new_key
from trunkline_cli.failure import FAILED, OK, USAGE, CommandFailed, unknown
from trunkline_cli.key_file import changing, configuration_of, path_of, replace
from trunkline_cli.key_text import CannotEdit, with_key, without_key
from trunkline_router.configuration.entries import KeyEntry

_HEAD = ("KEY", "SCOPES", "ALLOW", "DENY", "BOUND TO", "LIMITS", "TOOLS")
_LIMITS = ("per_minute", "writes_per_minute", "concurrent")
_OPTIONS = {
    "id": "NAME",
    "scopes": "--scope",
    "bind": "--bind",
    "allow": "--allow",
    "deny": "--deny",
    "tools": "--tools",
    **{name: f"--{name.replace('_', '-')}" for name in _LIMITS},
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what can be done to keys."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    create = actions.add_parser("create", help="make a key; it is printed once and kept nowhere")
    create.add_argument("name", metavar="NAME", help="letters, digits and dashes: who it is for")
    for option, help_ in (
        ("allow", "tools that it may call, as a glob over mcp__SERVER__TOOL"),
        ("deny", "tools that it may not call"),
        ("scope", "tools (the default), contexts, observe, admin"),
        ("bind", "what all of its calls are bound to: owner=acme, repo=..., pr_number=..."),
    ):
        create.add_argument(f"--{option}", action="append", default=[], help=help_)
    for option in ("per-minute", "writes-per-minute", "concurrent"):
        create.add_argument(f"--{option}", type=int, metavar="N", help="at most so many calls")
    create.add_argument("--tools", choices=("all", "search"), help="search: list a search instead")
    for name, help_ in (("list", "show the keys"), ("revoke", "take a key away")):
        action = actions.add_parser(name, help=help_)
        if name == "revoke":
            action.add_argument("name", metavar="NAME")
    for action in actions.choices.values():
        action.add_argument("--config", metavar="FILE", help="instead of trunkline.yaml")
        action.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Change or show the keys."""
    path = path_of(arguments.config)
    if arguments.action == "create":
        return _create(arguments, path)
    if arguments.action == "revoke":
        return _revoke(arguments, path)
    return _list(arguments, path)


def _create(arguments: argparse.Namespace, path: Path) -> int:
    made = new_key(arguments.name)
    entry = _entry(arguments, made.digest)
    with changing(path) as text:
        known = configuration_of(path)
        if arguments.name in {key.id for key in known.keys}:
            raise CommandFailed(
                f"there is a key {arguments.name!r} in {path} already; revoke it first with "
                f"`trunkline key revoke {arguments.name}`, or choose another name",
                USAGE,
            )
        replace(path, _edited(path, lambda: with_key(text, entry)))
    told = {"id": arguments.name, "key": made.text, "file": str(path)}
    print(terminal.as_json(told) if arguments.json else made.text)
    _tell(f"Key {arguments.name} stands in {path} as a hash. The key itself is shown this once.")
    if not known.authenticates:
        _tell("It is the first one: a router that reads this file lets nobody in without a key.")
    return OK


def _revoke(arguments: argparse.Namespace, path: Path) -> int:
    with changing(path) as text:
        known = [key.id for key in configuration_of(path).keys]
        if arguments.name not in known:
            raise unknown("key", arguments.name, known)
        replace(path, _edited(path, lambda: without_key(text, arguments.name)))
        left = configuration_of(path)
    if arguments.json:
        print(terminal.as_json({"revoked": arguments.name, "file": str(path)}))
    _tell(f"Key {arguments.name} is revoked: it is no longer in {path}.")
    if not left.authenticates:
        _tell("No key is left: a router on loopback lets everybody in, one beyond does not start.")
    return OK


def _list(arguments: argparse.Namespace, path: Path) -> int:
    keys = configuration_of(path).keys
    if arguments.json:
        shown = [key.model_dump(mode="json", exclude={"hash", "credentials"}) for key in keys]
        print(terminal.as_json(shown))
    elif keys:
        print(terminal.table(_HEAD, [_row(key) for key in keys]))
    else:
        _tell(f"There are no keys in {path}.")
    return OK


def _entry(arguments: argparse.Namespace, digest: str) -> Mapping[str, object]:
    """Return the key as the file has it: what was given, and nothing that is the default."""
    limits = {name: getattr(arguments, name) for name in _LIMITS}
    given: dict[str, object] = {
        "allow": arguments.allow,
        "deny": arguments.deny,
        "scopes": arguments.scope,
        "bind": _pairs(arguments.bind),
        "rate": {name: most for name, most in limits.items() if most is not None},
        "tools": arguments.tools,
    }
    entry = {"id": arguments.name, "hash": digest} | {k: v for k, v in given.items() if v}
    try:
        KeyEntry.model_validate(entry)
    except ValidationError as error:
        lines = (_complaint(fault["loc"], fault["msg"]) for fault in error.errors())
        raise CommandFailed("\n".join(dict.fromkeys(lines)), USAGE) from None
    return entry


def _complaint(loc: Sequence[int | str], message: str) -> str:
    names = [_OPTIONS[part] for part in loc if isinstance(part, str) and part in _OPTIONS]
    problem = message.removeprefix("Value error, ")
    if names == ["NAME"]:
        problem = "a key's name is made of letters, digits and dashes, at most 64"
    return f"{names[-1] if names else 'the key'}: {problem}"


def _pairs(given: Sequence[str]) -> dict[str, str | int]:
    pairs = [pair.partition("=") for pair in given]
    for name, equals, value in pairs:
        if not (name and equals and value):
            raise CommandFailed(f"--bind {name}: write it as key=value, such as owner=acme", USAGE)
    return {
        name: int(value) if value.isascii() and value.isdigit() else value
        for name, _, value in pairs
    }


def _edited(path: Path, edit: Callable[[], str]) -> str:
    try:
        return edit()
    except CannotEdit as fault:
        raise CommandFailed(
            f"{path} was left alone: {fault}. Write its keys as a list with one entry below the "
            "other, and run this again.",
            FAILED,
        ) from None


def _row(key: KeyEntry) -> tuple[str, ...]:
    limits = key.rate.model_dump(exclude_none=True)
    return (
        key.id,
        ", ".join(key.scopes),
        ", ".join(key.allow),
        ", ".join(key.deny) or "-",
        ", ".join(f"{name}={value}" for name, value in key.bind.items()) or "-",
        ", ".join(f"{name}={most}" for name, most in limits.items()) or "-",
        key.tools,
    )


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
