"""docs/troubleshooting.md has an answer to every code, and names only what exists."""

import re
from pathlib import Path

import pytest

from trunkline_cli.__main__ import COMMANDS
from trunkline_shared.errors import BY_CODE

TEXT = (Path(__file__).parents[2] / "docs/troubleshooting.md").read_text(encoding="utf-8")
_, _, BY_ERROR_CODE = TEXT.partition("\n## By error code\n")
ENTRIES = dict(
    re.findall(r"^### ([A-Z_]+)\n(.*?)(?=^### |\Z)", BY_ERROR_CODE, re.MULTILINE | re.DOTALL)
)
NOTHING_TO_DO = {"LINE_NOT_IN_DIFF", "TOOL_NOT_ENABLED"}
LEADS_ON = re.compile(r"`[^`]*(trunkline|docker compose) [^`]+`|\]\([^)]+\)|`[A-Za-z_.]{5,}`")


@pytest.mark.requirement("shipping.docs-troubleshooting")
def test_each_code_has_an_entry_and_no_other_has() -> None:
    """In the order of docs/errors.md, which the code writes."""
    ordered = re.findall(
        r"^\| `([A-Z_]+)` \|",
        (Path(__file__).parents[2] / "docs/errors.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    assert list(ENTRIES) == ordered
    assert ENTRIES.keys() == BY_CODE.keys()


@pytest.mark.requirement("shipping.docs-troubleshooting")
@pytest.mark.parametrize("code", BY_CODE)
def test_an_entry_tells_agents_and_operators_what_to_do(code: str) -> None:
    """What it means, what an agent does, and for an operator a command or a place to look."""
    meaning, _, told = ENTRIES[code].partition("- **The agent**: ")
    agent, _, operator = told.partition("- **You**: ")
    assert len(meaning.split()) > 5
    assert len(agent.split()) > 4
    if code in NOTHING_TO_DO:
        assert operator.startswith("nothing")
    else:
        assert LEADS_ON.search(operator)


@pytest.mark.requirement("shipping.docs-troubleshooting")
def test_each_command_of_the_page_exists() -> None:
    """Wherever the page names one, in the text as well."""
    named = set(re.findall(r"(?:\.venv/bin/|`)trunkline ([a-z]+)", TEXT))
    assert {"doctor", "status", "trace", "tools", "key", "cache"} <= named
    assert named <= COMMANDS.keys()
