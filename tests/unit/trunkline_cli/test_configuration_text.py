"""Our entry in the clients' files: merged, never at the cost of what was there."""

import json
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from trunkline_cli.configuration_text import merged
from trunkline_cli.failure import CommandFailed
from trunkline_shared.client.configuration import ClientConfiguration, configurations
from trunkline_shared.client.rendering import rendered

URL = "http://127.0.0.1:8470/mcp"
ALL = configurations(URL, project=Path("/project"), home=Path("/home/a"))
OTHER_URL = configurations("http://127.0.0.1:9/mcp", project=Path("/p"), home=Path("/h"))


def parsed(configuration: ClientConfiguration, text: str) -> object:
    """Return the document of a client's file."""
    parsers: dict[str, Callable[[str], object]] = {
        "json": json.loads,
        "toml": tomllib.loads,
        "yaml": yaml.safe_load,
    }
    return parsers[configuration.format](text)


@pytest.mark.parametrize("client", ALL)
def test_a_new_file_is_what_is_printed(client: str) -> None:
    """Merging into nothing gives the printed configuration, which parses to the entry."""
    configuration = ALL[client]
    assert merged(configuration, "") == rendered(configuration)
    assert parsed(configuration, rendered(configuration)) == configuration.document


@pytest.mark.parametrize("client", ALL)
def test_merging_twice_changes_nothing(client: str) -> None:
    """A file that already leads to the router stays byte for byte."""
    once = merged(ALL[client], "")
    assert merged(ALL[client], once) == once


@pytest.mark.parametrize("client", ALL)
def test_an_older_entry_is_replaced(client: str) -> None:
    """After a change of port, the entry leads to the new one and there is only one."""
    old = rendered(OTHER_URL[client])
    assert parsed(ALL[client], merged(ALL[client], old)) == ALL[client].document


def test_json_keeps_other_servers_settings_and_indentation() -> None:
    """Claude's file with another server and a setting keeps both, tabs included."""
    text = '{\n\t"theme": "dark",\n\t"mcpServers": {"other": {"command": "x"}}\n}\n'
    result = merged(ALL["claude"], text)
    document = json.loads(result)
    assert document["theme"] == "dark"
    assert document["mcpServers"]["other"] == {"command": "x"}
    assert document["mcpServers"]["trunkline"] == {"type": "http", "url": URL}
    assert '\n\t"theme"' in result


def test_toml_keeps_comments_and_other_tables() -> None:
    """Codex's file keeps its comments, its order and the tables around the old entry."""
    text = (
        '# mine\nmodel = "gpt" # best\n\n[mcp_servers.trunkline]\nurl = "http://old/mcp"\n\n'
        '[mcp_servers.other]\ncommand = "x"\n'
    )
    result = merged(ALL["codex"], text)
    assert result.startswith('# mine\nmodel = "gpt" # best\n')
    assert tomllib.loads(result)["mcp_servers"] == {
        "other": {"command": "x"},
        "trunkline": {"url": URL},
    }


def test_yaml_keeps_comments_other_extensions_and_what_follows() -> None:
    """goose's file keeps everything around our entry, at the indentation it uses."""
    text = (
        "# mine\nGOOSE_MODEL: x\nextensions:\n    # tools\n    developer:\n        enabled: true\n"
        "GOOSE_MODE: auto # always\n"
    )
    result = merged(ALL["goose"], text)
    document = yaml.safe_load(result)
    assert document["extensions"]["developer"] == {"enabled": True}
    assert document["extensions"]["trunkline"]["uri"] == URL
    assert document["GOOSE_MODE"] == "auto"
    for kept in ("# mine", "    # tools", "GOOSE_MODE: auto # always"):
        assert kept in result


@pytest.mark.parametrize("empty", ["extensions:\n", "extensions: {}\n", "extensions: null", "a: 1"])
def test_yaml_without_extensions_gets_them(empty: str) -> None:
    """Whether the section is absent, empty or null, our entry becomes its first."""
    document = yaml.safe_load(merged(ALL["goose"], empty))
    assert document["extensions"]["trunkline"]["uri"] == URL


@pytest.mark.parametrize(
    ("client", "text"),
    [
        ("claude", '{"mcpServers": '),
        ("vscode", '{\n  // my servers\n  "servers": {}\n}'),
        ("claude", "[]"),
        ("claude", '{"mcpServers": []}'),
        ("codex", "mcp_servers = 1"),
        ("codex", "[broken"),
        ("codex", 'mcp_servers = {other = {command = "x"}}'),
        ("goose", "extensions: [1"),
        ("goose", "extensions: {other: {enabled: true}}"),
    ],
)
def test_a_file_that_cannot_be_merged_is_left_alone(client: str, text: str) -> None:
    """Invalid, commented or oddly laid out: refused, with the entry to add by hand."""
    with pytest.raises(CommandFailed) as failure:
        merged(ALL[client], text)
    assert "was left alone" in failure.value.message
    assert URL in failure.value.message


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda children: st.lists(children, max_size=3),
    max_leaves=4,
)
_table = st.dictionaries(st.text(max_size=8), _json, max_size=4)


@settings(max_examples=50)
@given(_table, st.dictionaries(st.text(max_size=8), _table, max_size=3))
def test_whatever_json_held_it_still_holds(
    document: dict[str, object], servers: dict[str, object]
) -> None:
    """No other key and no other server is lost or changed."""
    before = document | {"mcpServers": servers}
    after = json.loads(merged(ALL["claude"], json.dumps(before)))
    assert after.pop("mcpServers") == servers | {"trunkline": {"type": "http", "url": URL}}
    before.pop("mcpServers")
    assert after == before


_names = st.text("abcdefghij_-", min_size=1, max_size=8).map(lambda name: f"s{name}")


_settings = st.dictionaries(_names, st.text(max_size=8) | st.booleans(), max_size=3)


@settings(max_examples=50)
@given(st.dictionaries(_names, _settings, max_size=4))
def test_whatever_yaml_held_it_still_holds(extensions: dict[str, object]) -> None:
    """Any block-style mapping of extensions keeps each one as it was, or is refused whole."""
    before = {"a": 1, "extensions": extensions, "z": [1, 2]}
    text = yaml.safe_dump(before, sort_keys=False)
    after = yaml.safe_load(merged(ALL["goose"], text))
    assert after["extensions"].pop("trunkline")["uri"] == URL
    assert after == before
