"""Our entry merged into a client's file as text, in JSON, TOML or YAML.

Whatever else the file holds stays as it is. Each result is parsed again and compared with what
was meant, so a merge that would lose or change anything is refused and nothing is written.
"""

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from typing import Any

import yaml

from trunkline_cli.failure import CommandFailed
from trunkline_shared.client.configuration import NAME, ClientConfiguration, Format
from trunkline_shared.client.rendering import entry_block, rendered

_PARSERS: Mapping[Format, Callable[[str], Any]] = {
    "json": json.loads,
    "toml": tomllib.loads,
    "yaml": yaml.safe_load,
}


def merged(configuration: ClientConfiguration, text: str) -> str:
    """Return the text of a client's file with our entry in it, and all else kept.

    Raises CommandFailed when the text is invalid or cannot be merged without losing something.
    """
    document = _parsed(configuration, text)
    servers = document.get(configuration.section)
    servers = {} if servers is None else servers
    if not isinstance(servers, dict):
        raise _refusal(configuration, f"its {configuration.section!r} is not a table of servers")
    if servers.get(NAME) == configuration.entry:
        return text
    wanted = document | {configuration.section: servers | {NAME: dict(configuration.entry)}}
    result = _MERGERS[configuration.format](configuration, text, wanted)
    if _parsed(configuration, result) != wanted:
        raise _refusal(configuration, "it is laid out in a way that cannot be merged safely")
    return result


def _parsed(configuration: ClientConfiguration, text: str) -> dict[str, Any]:
    try:
        document = _PARSERS[configuration.format](text) if text.strip() else {}
    except (ValueError, yaml.YAMLError) as error:
        reason = " ".join(str(error).split())
        raise _refusal(configuration, f"it is no valid {configuration.format}: {reason}") from None
    if document is None:
        return {}
    if not isinstance(document, dict):
        raise _refusal(configuration, "it holds no table at its top")
    return document


def _refusal(configuration: ClientConfiguration, reason: str) -> CommandFailed:
    return CommandFailed(
        f"{configuration.file} was left alone: {reason}. Mend it, or add by hand:\n"
        f"{rendered(configuration)}"
    )


def _merged_json(_: ClientConfiguration, text: str, wanted: Mapping[str, Any]) -> str:
    indented = re.search(r"^([ \t]+)\S", text, re.MULTILINE)
    indent = indented.group(1) if indented else "  "
    return json.dumps(wanted, indent=indent, ensure_ascii=False) + "\n"


def _merged_toml(configuration: ClientConfiguration, text: str, _: Mapping[str, Any]) -> str:
    kept = re.sub(
        rf"^\[{configuration.section}\.\"?{NAME}\"?\][^\n]*\n(?:(?!\[)[^\n]*(?:\n|\Z))*",
        "",
        text,
        flags=re.MULTILINE,
    ).rstrip()
    return f"{kept}\n\n{entry_block(configuration)}" if kept else entry_block(configuration)


def _merged_yaml(configuration: ClientConfiguration, text: str, _: Mapping[str, Any]) -> str:
    head = re.compile(
        rf"^{configuration.section}:[ \t]*(?:\{{\}}|null|~)?[ \t]*(?:#.*)?$", re.MULTILINE
    )
    found = head.search(text)
    if found is None:
        kept = text.rstrip()
        return (f"{kept}\n" if kept else "") + rendered(configuration)
    rest = text[found.end() :].removeprefix("\n")
    indent = _indent_of_first_entry(rest)
    own = re.compile(
        rf"^{indent}{NAME}:[^\n]*\n(?:(?:{indent}[ \t]+[^\n]*|[ \t]*)\n)*", re.MULTILINE
    )
    without = own.sub("", rest, count=1)
    section = f"{configuration.section}:\n{entry_block(configuration, indent)}"
    return f"{text[: found.start()]}{section}{without}"


def _indent_of_first_entry(rest: str) -> str:
    for line in rest.splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            indent = line[: len(line) - len(line.lstrip())]
            return indent or "  "
    return "  "


_MERGERS: Mapping[Format, Callable[[ClientConfiguration, str, Mapping[str, Any]], str]] = {
    "json": _merged_json,
    "toml": _merged_toml,
    "yaml": _merged_yaml,
}
