"""From the tokens of a line of Markdown to text with its spans."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from markdown_it.token import Token

from trunkline_shared.markdown.document import (
    Break,
    Code,
    Emphasis,
    Image,
    Inline,
    Inlines,
    Link,
    Strike,
    Strong,
    Tagged,
    Text,
)

DEEPEST = 30
"""Spans within spans that are kept; below, there is the text without more of them."""

LINE_BREAKS = frozenset({"<br>", "<br/>", "<br />"})


@dataclass(slots=True)
class Open:
    """A span that has begun: its opening token and what it holds so far."""

    token: Token
    content: list[Inline] = field(default_factory=list)

    def add(self, piece: Inline) -> None:
        """Add a piece; text joins the text before it."""
        before = self.content[-1] if self.content else None
        if isinstance(piece, Text) and isinstance(before, Text):
            self.content[-1] = Text(before.text + piece.text)
        elif piece != Text(""):
            self.content.append(piece)


_SPANS: dict[str, Callable[[Token, Inlines], Inline]] = {
    "em_close": lambda _, content: Emphasis(content),
    "strong_close": lambda _, content: Strong(content),
    "s_close": lambda _, content: Strike(content),
    "link_close": lambda token, content: Link(str(token.attrs.get("href", "")), content),
}
_HTML_SPANS: dict[str, Callable[[Token, Inlines], Inline]] = {
    "<strong>": lambda _, content: Strong(content),
    "<em>": lambda _, content: Emphasis(content),
    "<del>": lambda _, content: Strike(content),
    "<code>": lambda _, content: Code(_words(content)),
    "<ins>": lambda _, content: Tagged("ins", content),
    "<sub>": lambda _, content: Tagged("sub", content),
    "<sup>": lambda _, content: Tagged("sup", content),
}
"""The tags that our own Markdown has where no sign would work; all others are text."""


def inlines(tokens: Sequence[Token]) -> Inlines:
    """Return the text of a line with its spans."""
    spans = [Open(Token("root", "", 1))]
    for token in tokens:
        if token.nesting == 1:
            spans.append(Open(token))
        elif token.nesting == -1:
            _leave_html(spans)
            _close(spans, _SPANS[token.type])
        elif token.type == "html_inline":
            _html(spans, token)
        else:
            spans[-1].add(_piece(token))
    _leave_html(spans)
    return tuple(spans[0].content)


def _close(spans: list[Open], make: Callable[[Token, Inlines], Inline]) -> None:
    """End the innermost span; too deep or empty, it leaves what it holds."""
    ended = spans.pop()
    content = tuple(ended.content)
    if len(spans) > DEEPEST:
        for piece in content:
            spans[-1].add(piece)
    elif content or "href" in ended.token.attrs:
        spans[-1].add(make(ended.token, content))


def _html(spans: list[Open], token: Token) -> None:
    tag = token.content.lower()
    innermost = spans[-1].token.content.lower()
    if tag in LINE_BREAKS:
        spans[-1].add(Break())
    elif tag in _HTML_SPANS:
        spans.append(Open(token))
    elif innermost and tag == innermost.replace("<", "</"):
        _close(spans, _HTML_SPANS[innermost])
    else:
        spans[-1].add(Text(token.content))


def _leave_html(spans: list[Open]) -> None:
    """Make text of the tags that were opened last and never closed."""
    while spans[-1].token.type == "html_inline":
        ended = spans.pop()
        for piece in (Text(ended.token.content), *ended.content):
            spans[-1].add(piece)


def _piece(token: Token) -> Inline:
    match token.type:
        case "softbreak":
            return Text(" ")
        case "hardbreak":
            return Break()
        case "code_inline":
            return Code(token.content)
        case "image":
            return Image(str(token.attrs.get("src", "")), _plain(token.children or ()))
        case _:
            return Text(token.content)


def _words(content: Inlines) -> str:
    """Return the text of a span without the spans in it."""
    words = []
    for piece in content:
        match piece:
            case Text(text) | Code(text):
                words.append(text)
            case Break():
                words.append(" ")
            case Image(url, alt):
                words.append(alt or url)
            case _:
                words.append(_words(piece.content))
    return "".join(words)


def _plain(tokens: Sequence[Token]) -> str:
    """Return the words of an image's description."""
    return "".join(
        _plain(token.children or ()) if token.type == "image" else token.content or " "
        for token in tokens
        if token.nesting == 0
    )
