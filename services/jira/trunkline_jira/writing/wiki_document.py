"""A tree of text as wiki text.

Where wiki text has no room for a block (a table in a list, a quotation in a quotation) its words
take the nearest form that has.
"""

import re
from collections.abc import Iterator

from trunkline_jira.writing.wiki_escaping import BREAK, escaped, monospaced
from trunkline_jira.writing.wiki_text import wiki_text
from trunkline_shared.markdown.document import (
    Block,
    Blocks,
    Cell,
    CodeBlock,
    Heading,
    Inlines,
    Item,
    List,
    Paragraph,
    Quote,
    Rule,
    Strong,
    Table,
    Text,
)

LINE = "\N{EM DASH}" * 3
BOXES = {True: "[x] ", False: "[ ] "}
LANGUAGES = frozenset({
    "actionscript", "ada", "applescript", "bash", "c", "c#", "c++", "cpp", "css", "erlang", "go",
    "groovy", "haskell", "html", "java", "javascript", "js", "json", "lua", "none", "nyan", "objc",
    "perl", "php", "python", "r", "rainbow", "ruby", "scala", "sh", "sql", "swift", "visualbasic",
    "xml", "yaml",
})  # fmt: skip
"""What Jira colours; any other name makes it show an error in place of the code."""
ALSO_CALLED = {
    "c#": "c#", "csharp": "c#", "cs": "c#", "golang": "go", "htm": "html", "hs": "haskell",
    "jsonc": "json", "jsx": "javascript", "kt": "java", "objective-c": "objc", "pl": "perl",
    "py": "python", "python3": "python", "rb": "ruby", "shell": "bash", "ts": "javascript",
    "tsx": "javascript", "typescript": "javascript", "vb": "visualbasic", "yml": "yaml",
    "zsh": "bash",
}  # fmt: skip

_ENDS_ANY = re.compile(r"\{(?:noformat|quote|panel)", re.IGNORECASE)
_ENDS_CODE = re.compile(r"\{code", re.IGNORECASE)


def wiki_document(blocks: Blocks) -> str:
    """Return the wiki text of a tree."""
    return _page(blocks, frozenset())


def _page(blocks: Blocks, within: frozenset[str]) -> str:
    written = (_block(block, within) for block in blocks)
    return "\n\n".join(text for text in written if text)


def _block(block: Block, within: frozenset[str]) -> str:
    match block:
        case Quote():
            return _quote(block, within)
        case List():
            return "\n".join(_list(block, "", within))
        case Table():
            return "\n".join(_rows(block))
        case _:
            return _leaf(block)


def _leaf(block: Paragraph | Heading | CodeBlock | Rule) -> str:
    match block:
        case Paragraph(content):
            return wiki_text(content, line_break="\n")
        case Heading(level, content):
            return f"h{level}. {wiki_text(content)}"
        case CodeBlock():
            return _code(block)
        case Rule():
            return "----"


def _quote(block: Quote, within: frozenset[str]) -> str:
    """Return a quotation, or a panel with the alert's name; neither holds another of its kind."""
    macro = "panel" if block.alert else "quote"
    title = block.alert.capitalize()
    if macro in within:
        inner = _page(block.content, within)
        return f"*{title}*\n\n{inner}" if title else inner
    opening = f"{{panel:title={title}}}" if title else "{quote}"
    return f"{opening}\n{_page(block.content, within | {macro})}\n{{{macro}}}"


def _code(block: CodeBlock) -> str:
    """Return code as it is; if it holds the ends of all macros, as escaped lines."""
    if _ENDS_ANY.search(block.text):
        lines = (line.strip() for line in block.text.split("\n"))
        return "\n".join(monospaced(line) if line else BREAK for line in lines)
    if _ENDS_CODE.search(block.text):
        return f"{{noformat}}\n{block.text}\n{{noformat}}"
    language = block.language.lower()
    language = ALSO_CALLED.get(language, language)
    name = f":{language}" if language in LANGUAGES else ""
    return f"{{code{name}}}\n{block.text}\n{{code}}"


def _list(block: List, outer: str, within: frozenset[str]) -> Iterator[str]:
    marks = outer + ("*" if block.start is None else "#")
    for item in block.items:
        yield from _item(item, marks, within)


def _item(item: Item, marks: str, within: frozenset[str]) -> Iterator[str]:
    """Yield an item's lines: what follows its first without an empty line is part of it."""
    first, below = _first_line(item)
    if first or not below:
        yield f"{marks} {wiki_text(first)}"
    elif not isinstance(below[0], List):
        yield f"{marks} {_part(below[0], marks, within).removeprefix(BREAK)}"
        below = below[1:]
    for block in below:
        yield _part(block, marks, within)


def _part(block: Block, marks: str, within: frozenset[str]) -> str:
    match block:
        case List():
            return "\n".join(_list(block, marks, within))
        case Quote():
            return _quote(block, within)
        case _:
            return _line_of(block)


def _first_line(item: Item) -> tuple[Inlines, Blocks]:
    box: Inlines = () if item.checked is None else (Text(BOXES[item.checked]),)
    match item.content:
        case (Paragraph(content), *below):
            return (*box, *content), tuple(below)
        case (Heading(_, content), *below):
            return (*box, Strong(content)), tuple(below)
        case _:
            return box, item.content


def _line_of(block: Block) -> str:
    match block:
        case Paragraph(content):
            return BREAK + wiki_text(content)
        case Heading(_, content):
            return BREAK + wiki_text((Strong(content),))
        case Table():
            return "\n".join(BREAK + line for line in _lines(block))
        case CodeBlock():
            return _code(block)
        case _:
            return BREAK + LINE


def _rows(table: Table) -> Iterator[str]:
    for number, row in enumerate(table.rows):
        sign = "||" if table.head and number == 0 else "|"
        cells = [text for cell in row for text in (_cell(cell), *[" "] * (cell.columns - 1))]
        yield f"{sign}{sign.join(cells)}{sign}"


def _lines(table: Table) -> Iterator[str]:
    for row in table.rows:
        yield escaped(" | ").join(_cell(cell).strip() for cell in row)


def _cell(cell: Cell) -> str:
    paragraphs = (wiki_text(b.content) for b in cell.content if isinstance(b, Paragraph))
    return BREAK.join(paragraphs) or " "
