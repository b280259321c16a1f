"""`trunkline connect` as a real process, writing into real files."""

import json
import stat
import subprocess
from pathlib import Path

import pytest

from tests.interaction.trunkline_process import COMMAND, Ended, environment

URL = "http://127.0.0.1:8470/mcp"
CLIENTS = ("claude", "codex", "copilot", "cursor", "vscode", "gemini", "goose", "opencode")


def connect(here: Path, *words: str, **variables: str) -> Ended:
    """Run `trunkline connect` with `here` as home and project."""
    env = environment(here, {"TRUNKLINE_PORT": "8470"} | variables)
    command = [*COMMAND, "connect", *words]
    result = subprocess.run(command, env=env, cwd=here, capture_output=True, text=True, check=False)
    return Ended(code=result.returncode, out=result.stdout, err=result.stderr)


@pytest.mark.requirement("connect.clients")
@pytest.mark.parametrize("client", CLIENTS)
def test_each_client_s_configuration_is_printed_and_written_alike(
    tmp_path: Path, client: str
) -> None:
    """What is printed is what ends up in the file that is named."""
    printed = connect(tmp_path, client)
    written = connect(tmp_path, client, "--write")
    assert printed.code == written.code == 0
    file = Path(printed.out.splitlines()[0].removeprefix("# "))
    assert file.is_relative_to(tmp_path)
    assert URL in file.read_text(encoding="utf-8")
    assert file.read_text(encoding="utf-8") in printed.out
    assert f"{file} now leads to the router." in written.out


def test_writing_keeps_a_backup_and_the_file_s_mode(tmp_path: Path) -> None:
    """The old content stands beside the file, under a name that nothing else has."""
    file = tmp_path / ".mcp.json"
    file.write_text('{"mcpServers": {"other": {"command": "x"}}}', encoding="utf-8")
    file.chmod(0o600)
    (tmp_path / ".mcp.json.before-trunkline").write_text("mine", encoding="utf-8")
    result = connect(tmp_path, "claude", "--write")
    backup = tmp_path / ".mcp.json.before-trunkline-2"
    assert str(backup) in result.out
    assert "trunkline" not in backup.read_text(encoding="utf-8")
    assert set(json.loads(file.read_text(encoding="utf-8"))["mcpServers"]) == {"other", "trunkline"}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_writing_twice_writes_once(tmp_path: Path) -> None:
    """The second time there is nothing to do, and no backup is made."""
    connect(tmp_path, "codex", "--write")
    before = sorted(tmp_path.rglob("*"))
    result = connect(tmp_path, "codex", "--write")
    assert "already leads to the router" in result.out
    assert sorted(tmp_path.rglob("*")) == before


def test_a_linked_file_stays_a_link(tmp_path: Path) -> None:
    """A person's dotfiles are written where they are."""
    target = tmp_path / "dotfiles.json"
    target.write_text("{}", encoding="utf-8")
    link = tmp_path / ".mcp.json"
    link.symlink_to(target)
    connect(tmp_path, "claude", "--write")
    assert link.is_symlink()
    assert URL in target.read_text(encoding="utf-8")


@pytest.mark.parametrize("content", [b'{"mcpServers": ', b"// mine\n{}", b"\xff\xfe"])
def test_an_invalid_file_is_left_alone(tmp_path: Path, content: bytes) -> None:
    """Nothing is written, and the exit code is 1."""
    file = tmp_path / ".mcp.json"
    file.write_bytes(content)
    result = connect(tmp_path, "claude", "--write")
    assert result.code == 1
    assert f"{file} was left alone" in result.err
    assert file.read_bytes() == content
    assert list(tmp_path.iterdir()) == [file]


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """A folder in the file's place is one line, not a traceback."""
    (tmp_path / ".mcp.json").mkdir()
    result = connect(tmp_path, "claude", "--write")
    assert result.code == 1
    assert ".mcp.json cannot be written" in result.err
    assert "Traceback" not in result.err


KEY = "tl_me_SecretPartOfTheKeyOfThisTest"


@pytest.mark.requirement("gateway.key-clients")
@pytest.mark.parametrize("client", CLIENTS)
def test_a_client_is_told_where_its_key_is_and_not_the_key(tmp_path: Path, client: str) -> None:
    """Each in its own way of naming a variable; the key itself is neither printed nor written."""
    written = connect(tmp_path, client, "--write", TRUNKLINE_API_KEY=KEY)
    assert written.code == 0
    assert "TRUNKLINE_API_KEY must hold the key" in written.out
    files = [file.read_text(encoding="utf-8") for file in tmp_path.rglob("*") if file.is_file()]
    assert any(REFERENCES[client] in text for text in files)
    assert KEY not in "".join([written.out, written.err, *files])


REFERENCES = {
    "claude": '"Authorization": "Bearer ${TRUNKLINE_API_KEY}"',
    "codex": 'bearer_token_env_var = "TRUNKLINE_API_KEY"',
    "copilot": '"Authorization": "Bearer ${TRUNKLINE_API_KEY}"',
    "cursor": '"Authorization": "Bearer ${env:TRUNKLINE_API_KEY}"',
    "vscode": '"Authorization": "Bearer ${env:TRUNKLINE_API_KEY}"',
    "gemini": '"Authorization": "Bearer ${TRUNKLINE_API_KEY}"',
    "goose": '"Authorization": "Bearer ${TRUNKLINE_API_KEY}"',
    "opencode": '"Authorization": "Bearer {env:TRUNKLINE_API_KEY}"',
}


@pytest.mark.requirement("gateway.key-clients")
def test_another_variable_may_hold_the_key_but_no_key_is_taken(tmp_path: Path) -> None:
    """`--key NAME` names it; a key in its place is refused without being repeated."""
    named = connect(tmp_path, "claude", "--key", "MY_KEY")
    assert "Bearer ${MY_KEY}" in named.out
    assert "--header 'Authorization: Bearer ${MY_KEY}'" in named.out
    assert "TRUNKLINE_API_KEY" in connect(tmp_path, "codex", "--key").out
    refused = connect(tmp_path, "claude", "--key", KEY)
    assert refused.code == 2
    assert "takes the name of a variable" in refused.err
    assert KEY not in refused.out + refused.err
