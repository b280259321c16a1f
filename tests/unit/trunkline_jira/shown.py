"""What a person sees of a Markdown text once GitHub's own parser has rendered it."""

from html.parser import HTMLParser

import cmarkgfm
from cmarkgfm.cmark import Options


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []

    def handle_data(self, data: str) -> None:
        self.pieces.append(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.pieces.append(" " if tag in BLOCKS else "")
        self.pieces += [value or "" for name, value in attrs if name == "alt"]


BLOCKS = frozenset({
    "br", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "table",
    "td", "th", "tr", "ul",
})  # fmt: skip


def html_of(markdown: str) -> str:
    """The text as GitHub's parser renders it, raw HTML included."""
    return str(cmarkgfm.github_flavored_markdown_to_html(markdown, Options.CMARK_OPT_UNSAFE))


def shown(markdown: str) -> str:
    """The words of the rendered text, one space between them."""
    reader = _Reader()
    reader.feed(html_of(markdown))
    reader.close()
    return " ".join("".join(reader.pieces).split())
