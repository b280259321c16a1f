"""What docs/operate.md has an operator type exists, and leads somewhere."""

import argparse
import importlib
import re

import pytest

from tests.observability import ROOT
from tests.structure.test_alerts import written
from trunkline_cli.__main__ import COMMANDS

PAGE = ROOT / "docs" / "operate.md"
TEXT = PAGE.read_text(encoding="utf-8")
TYPED = {
    f"{command} {given.strip()}".strip()
    for command, given in re.findall(
        r"(?:^|`|bin/)trunkline ([a-z]+)([^`#\n]*)", TEXT, re.MULTILINE
    )
}


@pytest.mark.requirement("seeing.alerts")
@pytest.mark.parametrize("typed", sorted(TYPED))
def test_a_command_and_its_options_exist(typed: str) -> None:
    """As the command line has them today."""
    command, *words = typed.split()
    assert command in COMMANDS
    parser = argparse.ArgumentParser(allow_abbrev=False)
    importlib.import_module(f"trunkline_cli.commands.{command}").add_arguments(parser)
    parser.parse_args(words)


@pytest.mark.requirement("seeing.alerts")
@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\(([^)]+)\)", TEXT))))
def test_a_link_leads_to_a_page_and_a_heading(target: str) -> None:
    """Within the docs alone: the page is read where there may be no network."""
    name, _, anchor = target.partition("#")
    page = PAGE.with_name(name) if name else PAGE
    headings = written(page.read_text(encoding="utf-8"))
    assert not anchor or anchor in headings
