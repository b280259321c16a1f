"""What a reader types and no test can execute: bash takes it, and each command exists."""

import re

import pytest

from tests.docs.known_commands import check, trunkline
from tests.docs.marks import marked
from tests.docs.pages import PAGES, Block, text_of
from tests.docs.parsing import UnknownCommand
from tests.docs.shell import commands_in, complaint_about

INLINE = {
    (page, command)
    for page in PAGES
    for command in re.findall(r"`(?:\.venv/bin/)?trunkline ([a-z]+[^`\n]*)`", text_of(page))
}
"""Commands within a sentence."""


def place(block: Block) -> str:
    return block.place


@pytest.mark.requirement("shipping.docs-blocks")
@pytest.mark.parametrize("block", marked("parse"), ids=place)
def test_a_block_that_is_parsed_holds_commands_that_exist(block: Block) -> None:
    """With options that they have; ours go through the real parser of the command line."""
    assert block.language == "sh", f"{block.place}: only shell is parsed; see tests/docs/marks.py"
    assert complaint_about(block) == ""
    commands = list(commands_in(block.text))
    assert commands
    for command in commands:
        try:
            check(command)
        except UnknownCommand as unknown:
            pytest.fail(f"{block.place}: {' '.join(command)}: {unknown}", pytrace=False)


@pytest.mark.requirement("shipping.docs-blocks")
@pytest.mark.parametrize(("page", "command"), sorted(INLINE))
def test_a_command_within_a_sentence_exists(page: str, command: str) -> None:
    """With its options; a sentence may leave out what it needs besides."""
    (words, *_) = commands_in(command.replace(" …", ""))
    try:
        trunkline(words)
    except UnknownCommand as unknown:
        if "arguments are required" not in str(unknown):
            pytest.fail(f"{page}: trunkline {command}: {unknown}", pytrace=False)


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("a b\nc 'd e'", [["a", "b"], ["c", "d e"]]),
        ("a \\\n  b && c | d; e &", [["a", "b"], ["c"], ["d"], ["e"]]),
        ("X=1 Y='2 3' a gh:o/r#1  # b && c\nd", [["a", "gh:o/r#1"], ["d"]]),
        ('X="$(a "$(b c)")"\nd > e < f 2>&1 g', [["b", "c"], ["a", "SUBSTITUTED"], ["d", "g"]]),
        ("a <<'END' b\nnot this\nEND\nc", [["a", "b"], ["c"]]),
        ("if a; then b; fi\nfor x in y; do c; done", [["a"], ["b"], ["c"]]),
    ],
)
def test_the_commands_of_a_script_are_told_apart(text: str, commands: list[list[str]]) -> None:
    """Without what is assigned, redirected or a comment."""
    found = [[word for word in words if not word.isdigit()] for words in commands_in(text)]
    assert found == commands


@pytest.mark.parametrize(
    "command",
    [
        "trunkline rnu",
        "trunkline status --jsno",
        "make upp",
        "docker compose --profile nobody up",
        "docker compose logs nobody",
        "docker compose upp",
        "kubectl applyy -k .",
        "kubectl apply -k k8s/overlays/nobody",
        "claude mcp add other http://127.0.0.1:8470/mcp",
        "tea",
    ],
)
def test_a_command_that_nobody_can_type_is_refused(command: str) -> None:
    """A mark alone proves nothing."""
    with pytest.raises(UnknownCommand):
        check(command.split())
