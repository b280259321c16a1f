"""Our entry as text, in the format of a client's file: JSON, TOML or YAML."""

import json

from trunkline_shared.client.configuration import NAME, ClientConfiguration, Entry


def rendered(configuration: ClientConfiguration) -> str:
    """Return the file as it is when it holds nothing but our entry."""
    if configuration.format == "json":
        return json.dumps(configuration.document, indent=2) + "\n"
    block = entry_block(configuration)
    return block if configuration.format == "toml" else f"{configuration.section}:\n{block}"


def entry_block(configuration: ClientConfiguration, indent: str = "  ") -> str:
    """Return our entry alone: a TOML table, or a YAML mapping indented below its section."""
    if configuration.format == "toml":
        head = f"[{configuration.section}.{NAME}]"
        lines = [f"{key} = {json.dumps(value)}" for key, value in configuration.entry.items()]
        return "\n".join([head, *lines]) + "\n"
    return f"{indent}{NAME}:\n" + _yaml_lines(configuration.entry, indent * 2)


def _yaml_lines(entry: Entry, indent: str) -> str:
    # A JSON value is a YAML value.
    return "".join(f"{indent}{key}: {json.dumps(value)}\n" for key, value in entry.items())
