"""The beginning of a rich text, as plain text on one line."""

from collections.abc import Iterable, Iterator

from trunkline_project_reader.html.attachment import Listing
from trunkline_project_reader.html.reader import Reader
from trunkline_shared.markdown.document import (
    Block,
    Blocks,
    Break,
    Code,
    CodeBlock,
    Heading,
    Image,
    Inline,
    List,
    Paragraph,
    Quote,
    Rule,
    Table,
    Text,
)

ELLIPSIS = "…"


def excerpt(html: str, limit: int = 280) -> str:
    """Return at most `limit` characters of a text, cut between words and marked with an ellipsis.

    Reads no further than it must.
    """
    reader = Reader(html, Listing())
    whole = reader.read(2 * limit)
    text = " ".join(" ".join(_texts(reader.page.finished())).split())
    if whole and len(text) <= limit:
        return text
    room = text[: limit - len(ELLIPSIS) + 1]
    cut = room if len(text) < len(room) else room.rpartition(" ")[0] or room[:-1]
    return cut.rstrip() + ELLIPSIS


def _texts(blocks: Iterable[Block]) -> Iterator[str]:
    """Go through what is to be read; as deep as blocks may be in one another."""
    for block in blocks:
        match block:
            case Paragraph(content=inlines) | Heading(content=inlines):
                yield "".join(_pieces(inlines))
            case CodeBlock(text=text):
                yield text
            case Rule():
                pass
            case Quote() | List() | Table():
                for inner in _inside(block):
                    yield from _texts(inner)


def _inside(block: Quote | List | Table) -> Iterator[Blocks]:
    match block:
        case Quote(content=content):
            yield content
        case List(items=items):
            yield from (item.content for item in items)
        case Table(rows=rows):
            yield from (cell.content for row in rows for cell in row)


def _pieces(inlines: Iterable[Inline]) -> Iterator[str]:
    for inline in inlines:
        match inline:
            case Text(text=text) | Code(text=text) | Image(alt=text):
                yield text
            case Break():
                yield " "
            case _:
                yield from _pieces(inline.content)
