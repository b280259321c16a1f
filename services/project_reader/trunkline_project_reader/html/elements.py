"""What each element does to the page when it begins and when it ends."""

from collections.abc import Callable
from typing import TypeAlias

from trunkline_project_reader.html.cells import CELLS
from trunkline_project_reader.html.formats import FORMATS
from trunkline_project_reader.html.frames import CodeFrame, ItemFrame, ListFrame, QuoteFrame
from trunkline_project_reader.html.markup import attributes, shown
from trunkline_project_reader.html.nesting import ends_flattened, innermost, open_frame
from trunkline_project_reader.html.page import Page
from trunkline_project_reader.html.urls import address
from trunkline_shared.markdown.document import Image, Rule

Act: TypeAlias = Callable[[Page, str, str], None]
"""Given the page, the element's name and its attributes as they are written."""

LISTS = frozenset({"ul", "ol", "menu", "dir"})
# fmt: off
BLOCKS = frozenset({
    "address", "article", "aside", "bc-attachment-gallery", "body", "caption", "center", "dd",
    "details", "dialog", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form",
    "header", "hgroup", "html", "legend", "main", "nav", "optgroup", "option", "p", "search",
    "section", "select", "summary", "textarea",
})
# fmt: on
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_ABOVE_LIST = frozenset({"table", "td"})
_AROUND_ITEM = _ABOVE_LIST | LISTS
_LISTING = LISTS | {"implied", "li"}
_ABOVE_ITEM = _ABOVE_LIST | {"blockquote"}
_MOST_DIGITS = 9
_LANGUAGE = "language-"


def _boundary(page: Page, _tag: str, _written: str) -> None:
    page.boundary()


def _format(page: Page, tag: str, _written: str) -> None:
    page.setting.begin(FORMATS[tag])


def _unformat(page: Page, tag: str, _written: str) -> None:
    page.setting.end(FORMATS[tag])


def _code_language(page: Page, tag: str, written: str) -> None:
    """Begin code; inside preformatted text it often says the language."""
    if page.code is not None and written and not page.code.language:
        page.code.language = _language(attributes(written))
    page.setting.begin(FORMATS[tag])


def _anchor(page: Page, _tag: str, written: str) -> None:
    page.setting.link(address(attributes(written).get("href", "")))


def _unanchor(page: Page, _tag: str, _written: str) -> None:
    page.setting.link("")


def _break(page: Page, _tag: str, _written: str) -> None:
    page.line_break()


def _rule(page: Page, _tag: str, _written: str) -> None:
    page.settle()
    page.flow.blocks.append(Rule())


def _heading(page: Page, tag: str, _written: str) -> None:
    page.boundary()
    page.flow.heading = _HEADINGS[tag]


def _unheading(page: Page, _tag: str, _written: str) -> None:
    page.boundary()
    page.flow.heading = 0


def _quote(page: Page, tag: str, _written: str) -> None:
    open_frame(page, QuoteFrame(tag))


def _list(page: Page, tag: str, written: str) -> None:
    start = attributes(written).get("start", "") if written else ""
    number = int(start) if start.isdecimal() and len(start) <= _MOST_DIGITS else 1
    open_frame(page, ListFrame(tag, start=number if tag == "ol" else None))


def _item(page: Page, tag: str, _written: str) -> None:
    page.boundary()
    around = innermost(page, _LISTING, _ABOVE_ITEM)
    if isinstance(around, ItemFrame):
        page.close(around)
    elif around is None:
        page.settle()
        page.push(ListFrame("implied", implied=True))
    top = page.frames[-1]
    item = ItemFrame(tag)
    if isinstance(top, ListFrame):
        top.adopt()
        top.items.append(item)
    page.push(item)


def _end(page: Page, tag: str, _written: str) -> None:
    """End the innermost such block; one that is not open here ends nothing but the paragraph."""
    page.boundary()
    if page.flattened and ends_flattened(page, tag):
        return
    frame = page.frames[-1]
    if frame.tag != tag:
        around = _AROUND_ITEM if tag == "li" else _ABOVE_LIST
        frame = innermost(page, {tag}, around) or page.frames[0]
    if frame.tag == tag:
        page.close(frame)


def _preformatted(page: Page, _tag: str, written: str) -> None:
    code = CodeFrame("pre", language=_language(attributes(written)) if written else "")
    page.settle()
    page.push(code)
    page.code = code


def _end_preformatted(page: Page, _tag: str, _written: str) -> None:
    page.boundary()
    if page.code is not None:
        page.close(page.code)


def _language(given: dict[str, str]) -> str:
    classes = given.get("class", "").split()
    named = [c[len(_LANGUAGE) :] for c in classes if c.startswith(_LANGUAGE)]
    language = given.get("language") or given.get("data-language") or "".join(named[:1])
    return language if language.isprintable() and language.isascii() else ""


def _image(page: Page, _tag: str, written: str) -> None:
    """Show an image, unless it is one point that says nothing: those count who reads."""
    given = attributes(written)
    alt = " ".join(shown(given.get("alt", "")).split())
    if not alt and {given.get("width"), given.get("height")} <= {"0", "1", "0px", "1px"}:
        return
    url = address(given.get("src", ""))
    if url:
        page.image(Image(url, alt))
    elif alt or "src" in given:
        page.put(alt or "[image]")


def _input(page: Page, _tag: str, written: str) -> None:
    """Make an item with a box to tick a task."""
    given = attributes(written)
    top = page.frames[-1]
    if isinstance(top, ItemFrame) and given.get("type", "").lower() == "checkbox":
        top.checked = "checked" in given


def _outside_code(act: Act) -> Act:
    """Let a block inside of preformatted text be no more than lines of it."""

    def outside(page: Page, tag: str, written: str) -> None:
        if page.code is not None and page.code.takes(tag):
            page.boundary()
        else:
            act(page, tag, written)

    return outside


def _unless_in_code(act: Act) -> Act:
    def unless(page: Page, tag: str, written: str) -> None:
        if page.code is not None and page.code.gives(tag):
            page.boundary()
        else:
            act(page, tag, written)

    return unless


_STARTS: dict[str, Act] = {
    **dict.fromkeys(BLOCKS, _boundary),
    **dict.fromkeys(FORMATS, _format),
    **dict.fromkeys(_HEADINGS, _heading),
    **dict.fromkeys(LISTS, _outside_code(_list)),
    **dict.fromkeys(("pre", "listing", "xmp", "plaintext"), _outside_code(_preformatted)),
    **{tag: _outside_code(act) for tag, (act, _) in CELLS.items()},
    "code": _code_language,
    "a": _anchor,
    "br": _break,
    "hr": _rule,
    "blockquote": _outside_code(_quote),
    "li": _outside_code(_item),
    "img": _image,
    "image": _image,
    "input": _input,
}
_ENDS: dict[str, Act] = {
    **dict.fromkeys(BLOCKS, _boundary),
    **dict.fromkeys(FORMATS, _unformat),
    **dict.fromkeys(_HEADINGS, _unheading),
    **dict.fromkeys((*LISTS, "blockquote", "li"), _unless_in_code(_end)),
    **dict.fromkeys(("pre", "listing", "xmp"), _unless_in_code(_end_preformatted)),
    **{tag: _unless_in_code(act) for tag, (_, act) in CELLS.items()},
    "a": _unanchor,
    "br": _break,
}
ACTS: dict[str, tuple[Act, str]] = {
    **{tag: (act, tag) for tag, act in _STARTS.items()},
    **{f"/{tag}": (act, tag) for tag, act in _ENDS.items()},
}
"""What each tag does, end tags with their slash, and the name of its element."""
