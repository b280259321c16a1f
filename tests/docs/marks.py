"""The mark above a block of the docs: how the block is proved.

run                      executed by bash, or by Python, as printed
run: SCENE               with what the scene sets up: `demo`, `keyed`, `hooked`, `engine`
run: SCENE; exits N      ends with that exit code
run: SCENE; until TEXT   goes on until Ctrl-C: it is pressed once the output has that text
parse: REASON            shell that is not executed: each command exists, with its options
load: KIND               read by the program that it is for (tests/docs/loading.py has the kinds)
output                   what a program printed
output of: previous      what the block that ran before it printed; `…` stands for anything
output of: COMMAND       part of what a `trunkline` command prints
drawing                  a picture made of characters
"""

import re
from dataclasses import dataclass
from typing import Literal, get_args

from tests.docs.pages import PAGES, Block, blocks_of

Kind = Literal["run", "run by", "parse", "load", "output", "output of", "drawing"]
SCENES = ("", "demo", "keyed", "hooked", "engine")
"""What a block needs before it can run; see tests/docs/scenes.py."""
_WANTS_DETAIL = {"run by", "parse", "load", "output of"}
_TAKES_DETAIL = _WANTS_DETAIL | {"run"}


class UnknownMark(Exception):
    """A block whose proof nobody has named; the text says where, and what it may be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """What is said of a block."""

    kind: Kind
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """How a block is executed."""

    scene: str = ""
    exits: int = 0
    until: str = ""


def mark_of(block: Block) -> Mark:
    """Return the mark of a block. Raises UnknownMark."""
    name, _, detail = (part.strip() for part in block.comment.partition(":"))
    for kind in get_args(Kind):
        if name == kind and bool(detail) in _details(kind):
            return Mark(kind=kind, detail=detail)
    raise UnknownMark(
        f"{block.place}: no test knows how to prove this block; the line above its fence is "
        f"{block.comment!r} and should be a comment such as <!-- run --> or "
        "<!-- parse: needs a cluster -->: tests/docs/marks.py lists them"
    )


def _details(kind: str) -> set[bool]:
    return {kind in _TAKES_DETAIL, kind in _WANTS_DETAIL}


def run_of(block: Block) -> Run:
    """Return how a block that is marked `run` is executed. Raises UnknownMark."""
    given: dict[str, str] = {}
    for part in filter(None, map(str.strip, mark_of(block).detail.split(";"))):
        word = re.fullmatch(r"(exits|until) (.+)", part)
        given.update({word[1]: word[2]} if word else {"scene": part})
    if given.get("scene", "") not in SCENES:
        raise UnknownMark(f"{block.place}: there is no scene {given['scene']!r}; {SCENES}")
    return Run(
        scene=given.get("scene", ""),
        exits=int(given.get("exits", "0")),
        until=given.get("until", ""),
    )


def marked(kind: Kind) -> list[Block]:
    """Return all blocks of a kind, of all pages; one without a mark is left to its own test."""
    return [block for page in PAGES for block in blocks_of(page) if _is(block, kind)]


def _is(block: Block, kind: Kind) -> bool:
    try:
        return mark_of(block).kind == kind
    except UnknownMark:
        return False
