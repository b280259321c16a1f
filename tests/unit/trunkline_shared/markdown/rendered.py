"""Markdown as GitHub's own parser renders it, told as shapes."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

import cmarkgfm
from cmarkgfm.cmark import Options
from markdown_it import MarkdownIt

from tests.unit.trunkline_shared.markdown.shapes import (
    Fenced,
    Grid,
    Line,
    Lines,
    Listing,
    Quoted,
    Shape,
    Writing,
    before,
    encoded,
    target,
)

_VOID = {"br", "hr", "img", "input"}
_MARKS = {"strong", "em", "del", "sub", "sup", "ins"}
_BLOCKS = {"p", "blockquote", "ul", "ol", "pre", "table", "hr", "h1", "h2", "h3", "h4", "h5", "h6"}


@dataclass(slots=True)
class Element:
    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: "list[Element | str]" = field(default_factory=list)

    def text(self) -> str:
        return "".join(child if isinstance(child, str) else child.text() for child in self.children)

    def all(self, *tags: str) -> "list[Element]":
        return [
            child for child in self.children if isinstance(child, Element) and child.tag in tags
        ]


class _Reading(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [Element("body")]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in _VOID:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        if tag not in _VOID:
            assert self.open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def rendered(markdown: str) -> tuple[Shape, ...]:
    """What github.com would show."""
    options = Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_FOOTNOTES
    return _shapes(_body(cmarkgfm.github_flavored_markdown_to_html(markdown, options)))


def rendered_elsewhere(markdown: str) -> str:
    """The visible text in a renderer of CommonMark with tables and strikethrough, without gaps."""
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    return "".join(_body(parser.render(markdown)).text().split())


def _body(html: str) -> Element:
    reading = _Reading()
    reading.feed(html)
    reading.close()
    (body,) = reading.open
    return body


def _shapes(parent: Element) -> tuple[Shape, ...]:
    shapes: list[Shape] = []
    loose: list[Element | str] = []
    for child in [*parent.children, Element("hr")]:
        if isinstance(child, Element) and child.tag in _BLOCKS:
            if (lines := _lines(loose)).glyphs or lines.code:
                shapes.append(lines)
            loose = []
            shapes.append(_block(child))
        else:
            loose.append(child)
    return tuple(shapes[:-1])


def _block(element: Element) -> Shape:
    match element.tag:
        case "p":
            return _lines(element.children)
        case "blockquote":
            return Quoted(_shapes(element))
        case "ul" | "ol" | "table":
            return _rows(element)
        case "pre":
            code = element.text()
            return Fenced(code.removesuffix("\n"), element.attributes.get("lang", ""))
        case "hr":
            return Line()
        case heading:
            return _lines(element.children, int(heading[1]))


def _rows(element: Element) -> Listing | Grid:
    if element.tag == "table":
        rows = [
            row.all("th", "td") for part in element.all("thead", "tbody") for row in part.all("tr")
        ]
        return Grid(tuple(tuple(_lines(cell.children) for cell in row) for row in rows))
    start = int(element.attributes.get("start", "1")) if element.tag == "ol" else None
    return Listing(tuple(map(_entry, element.all("li"))), start)


def _entry(item: Element) -> tuple[Shape, ...]:
    """Read an item; a box counts as text, for this parser sees none in a list in a quotation."""
    boxes = item.all("input")
    shapes = _shapes(item)
    if not boxes:
        return shapes
    box = "[x]" if "checked" in boxes[0].attributes else "[ ]"
    return before(f"{box} ", shapes)


def _lines(children: "list[Element | str]", level: int = 0) -> Lines:
    writing = Writing()
    _write(children, writing, frozenset())
    return writing.lines(level)


def _write(children: "list[Element | str]", writing: Writing, looks: frozenset[str]) -> None:
    for child in children:
        if isinstance(child, str):
            writing.put(child, looks)
        elif child.tag == "input":
            pass
        elif child.tag == "code":
            writing.put_code(child.text(), looks)
        elif child.tag == "a":
            url = child.attributes["href"]
            _write(child.children, writing, looks | target(url, child.text()))
        elif child.tag == "img":
            source = encoded(child.attributes["src"])
            writing.put(
                child.attributes["alt"] or "\N{FRAME WITH PICTURE}", looks | {f"of {source}"}
            )
        elif child.tag == "br":
            writing.put(" ", looks)
        else:
            assert child.tag in _MARKS, child.tag
            _write(child.children, writing, looks | {child.tag})
