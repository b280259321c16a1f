"""docs/connect.md shows what `trunkline connect` prints, client by client."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.interaction.trunkline_process import COMMAND, environment
from trunkline_cli.commands.connect import CLIENTS

TEXT = (Path(__file__).parents[2] / "docs/connect.md").read_text(encoding="utf-8")
HEADINGS = {
    "claude": "Claude Code",
    "codex": "Codex",
    "copilot": "GitHub Copilot CLI",
    "cursor": "Cursor",
    "vscode": "Visual Studio Code",
    "gemini": "Gemini CLI",
    "goose": "goose",
    "opencode": "opencode",
}


def section(client: str) -> str:
    """Return what the page says of a client."""
    _, _, rest = TEXT.partition(f"\n## {HEADINGS[client]}\n")
    return rest.partition("\n## ")[0]


def printed(home: Path, *words: str) -> list[str]:
    """Return the lines that `trunkline connect` prints, files named as the page names them."""
    project = home / "project"
    project.mkdir(exist_ok=True)
    done = subprocess.run(
        [*COMMAND, "connect", *words],
        env=environment(home, {"TRUNKLINE_PORT": "8470"}),
        cwd=project,
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )
    return done.stdout.replace(f"{project}/", "").replace(f"{home}/", "~/").splitlines()


@pytest.mark.requirement("shipping.docs-connect")
@pytest.mark.parametrize("client", CLIENTS)
def test_the_page_shows_what_connect_prints(client: str, tmp_path: Path) -> None:
    """The file, the entry and the client's own command, without a key and with one."""
    shown = section(client)
    blocks = re.findall(r"```\w+\n(.*?)```", shown, re.DOTALL)
    for words in ((client,), (client, "--key")):
        file, *lines = printed(tmp_path, *words)
        assert f"File: `{file.removeprefix('# ')}`" in shown
        told = "\n".join(line for line in lines if not line.startswith("# "))
        entry, _, command = told.partition("\n\n")
        assert f"{entry.strip()}\n" in blocks
        assert command.strip() in "".join(blocks)


@pytest.mark.requirement("shipping.docs-connect")
def test_each_client_that_connect_knows_is_on_the_page() -> None:
    """And the two that it cannot write for: programs on standard streams, and one's own code."""
    assert HEADINGS.keys() == set(CLIENTS)
    for heading in ("A client that only starts programs", "Python", "TypeScript", "curl"):
        assert f"\n## {heading}\n" in TEXT
