"""The pages that readers are given, as a CommonMark parser sees them: blocks, headings, links."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cmarkgfm
from cmarkgfm.cmark import Options
from selectolax.lexbor import LexborHTMLParser, LexborNode

ROOT = Path(__file__).parents[2]
PAGES = tuple(
    str(path.relative_to(ROOT))
    for path in (ROOT / "README.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").glob("*.md")))
)
_FENCE = re.compile(r"[\s>]*(?:(?:[-*+]|\d+[.)])\s+)*(?:`{3,}|~{3,})")
_COMMENT = re.compile(r"[\s>]*<!--\s*(.*?)\s*-->\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A block of code on a page, and the comment on the line above it; empty without one."""

    page: str
    line: int
    language: str
    text: str
    comment: str
    fenced: bool

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"


def text_of(page: str) -> str:
    """Return the text of a page, named from the top of the project."""
    return (ROOT / page).read_text(encoding="utf-8")


def blocks_of(page: str) -> tuple[Block, ...]:
    """Return a page's blocks of code, in order."""
    return blocks_in(page, text_of(page))


def blocks_in(page: str, text: str) -> tuple[Block, ...]:
    """Return the blocks of a text, in lists and quotations as well."""
    lines = text.splitlines()
    return tuple(_block(page, lines, node) for node in _parsed(text).css("pre[data-sourcepos]"))


def _block(page: str, lines: list[str], node: LexborNode) -> Block:
    attributes: Mapping[str, str | None] = node.attributes
    line = int((attributes["data-sourcepos"] or "").partition(":")[0])
    above = _COMMENT.fullmatch(lines[line - 2]) if line > 1 else None
    return Block(
        page=page,
        line=line,
        language=attributes.get("lang") or "",
        text=node.text(),
        comment=above[1] if above else "",
        fenced=bool(_FENCE.match(lines[line - 1])),
    )


@cache
def _parsed(text: str) -> LexborHTMLParser:
    options = Options.CMARK_OPT_SOURCEPOS | Options.CMARK_OPT_UNSAFE
    return LexborHTMLParser(cmarkgfm.github_flavored_markdown_to_html(text, options))


def targets_of(page: str) -> Iterator[str]:
    """Return where a page's links and pictures lead, as they are written."""
    for node in _parsed(text_of(page)).css("a[href], img[src], source[srcset]"):
        for name in ("href", "src", "srcset"):
            if target := node.attributes.get(name):
                yield target


def anchors_of(page: str) -> frozenset[str]:
    """Return the anchors that GitHub gives a page's headings, numbered where they repeat."""
    found: dict[str, int] = {}
    anchors = set()
    for node in _parsed(text_of(page)).css("h1, h2, h3, h4, h5, h6"):
        slug = re.sub(r"[^\w\- ]", "", node.text().strip().lower()).replace(" ", "-")
        times = found[slug] = found.get(slug, -1) + 1
        anchors.add(f"{slug}-{times}" if times else slug)
    return frozenset(anchors)
