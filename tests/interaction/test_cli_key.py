"""`trunkline key` as a real process, and its keys at a real router."""

import asyncio
import json
import re
import stat
from pathlib import Path

import pytest
import yaml

from tests.interaction.keys import ask
from tests.interaction.mesh import routing
from tests.interaction.trunkline_process import Ended, ended, environment
from tests.interaction.upstreams import Scripted, running
from trunkline_cli.__main__ import main
from trunkline_router.configuration.file import read_configuration

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]


async def key(here: Path, *words: str) -> Ended:
    """Run `trunkline key` in a folder."""
    return await ended("key", *words, env=environment(here), cwd=here)


@pytest.mark.requirement("gateway.key-command")
async def test_a_key_is_printed_once_works_and_ends_when_it_is_revoked(tmp_path: Path) -> None:
    """Standard output is the key alone; the file has its hash and is its owner's alone."""
    file = tmp_path / "trunkline.yaml"
    options = ["--scope", "tools", "--scope", "observe", "--bind", "owner=acme"]
    limits = ["--per-minute", "60", "--writes-per-minute", "6", "--concurrent", "2"]
    globs = ["--allow", "mcp__github_ci__*", "--deny", "*rerun*", "--tools", "search"]
    made = await key(tmp_path, "create", "ci-bot", *options, *limits, *globs)
    assert made.code == 0, made.err
    shown = made.out.strip()
    assert re.fullmatch(r"tl_ci-bot_[A-Za-z0-9]{40}", shown)
    assert "shown this once" in made.err
    text = file.read_text(encoding="utf-8")
    assert shown.rpartition("_")[2] not in text + made.err
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    (entry,) = read_configuration(file).keys
    assert entry.scopes == ("tools", "observe")
    assert (entry.rate.per_minute, entry.rate.writes_per_minute, entry.rate.concurrent) == (
        60,
        6,
        2,
    )
    assert (entry.bind, entry.tools) == ({"owner": "acme"}, "search")
    assert (entry.allow, entry.deny) == (("mcp__github_ci__*",), ("*rerun*",))
    async with (
        running(Scripted()) as url,
        routing({"one": url}, configured=yaml.safe_load(text)) as mesh,
    ):
        assert (await ask(mesh, shown)).status == 200
        assert (await ask(mesh, shown + "x")).status == 401
    gone = await key(tmp_path, "revoke", "ci-bot")
    assert gone.code == 0
    assert not gone.out
    assert read_configuration(file).keys == ()


@pytest.mark.requirement("gateway.key-command")
async def test_keys_are_listed_without_their_hashes(tmp_path: Path) -> None:
    """A table for people, JSON for programs; the file keeps its comments and its mode."""
    file = tmp_path / "mine.yaml"
    file.write_text("# mine\nrouter: {page: 5} # pages\n", encoding="utf-8")
    file.chmod(0o640)
    first = await key(tmp_path, "create", "one", "--config", "mine.yaml", "--json")
    assert json.loads(first.out)["key"].startswith("tl_one_")
    table = await key(tmp_path, "list", "--config", "mine.yaml")
    assert "one" in table.out
    listed = await key(tmp_path, "list", "--config", "mine.yaml", "--json")
    (shown,) = json.loads(listed.out)
    assert shown["id"] == "one"
    assert "hash" not in shown
    assert file.read_text(encoding="utf-8").startswith("# mine\nrouter: {page: 5} # pages\n")
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


async def test_two_at_once_are_both_there(tmp_path: Path) -> None:
    """Neither change is lost."""
    names = ["a", "b", "c"]
    async with asyncio.TaskGroup() as tasks:
        made = [tasks.create_task(key(tmp_path, "create", name)) for name in names]
    assert [task.result().code for task in made] == [0, 0, 0]
    assert {one.id for one in read_configuration(tmp_path / "trunkline.yaml").keys} == set(names)
    assert names_in(tmp_path) == ["trunkline.yaml"]


@pytest.mark.requirement("gateway.key-command")
@pytest.mark.parametrize(
    ("content", "words", "complaint"),
    [
        ("keys:\n- {id: one, hash: HASH}\n", ["create", "one"], "there is a key 'one'"),
        ("keys:\n- {id: one, hash: HASH}\n", ["revoke", "onne"], "Did you mean 'one'?"),
        ("", ["revoke", "one"], "unknown key 'one'. Known: none."),
        ("keys: [", ["create", "one"], "this is no YAML"),
        ("kyes: []\n", ["create", "one"], "did you mean 'keys'?"),
        ("", ["create", "a_b"], "NAME: a key's name is made of letters"),
        ("", ["create", "a", "--scope", "root"], "--scope: Input should be 'tools'"),
        ("", ["create", "a", "--bind", "x=1"], "--bind: Unknown context key 'x'"),
        ("", ["create", "a", "--bind", "owner"], "--bind owner: write it as key=value"),
        ("", ["create", "a", "--per-minute", "0"], "--per-minute: Input should be greater"),
        ("", ["create", "a", "--config", "no/such/folder.yaml"], "cannot be written"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_changes(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    content: str,
    words: list[str],
    complaint: str,
) -> None:
    """One message on standard error, no key, and the file as it was."""
    file = tmp_path / "trunkline.yaml"
    written = content.replace("HASH", f'"{"0" * 64}"')
    file.write_text(written, encoding="utf-8")
    config = [] if "--config" in words else ["--config", str(file)]
    assert main(["key", *words, *config]) in {1, 2}
    out, err = capsys.readouterr()
    assert not out
    assert complaint in err
    assert file.read_text(encoding="utf-8") == written
    assert names_in(tmp_path) == ["trunkline.yaml"]


def names_in(folder: Path) -> list[str]:
    """Return what is in a folder."""
    return [one.name for one in folder.iterdir()]
