"""What is open at each line of a Markdown text: fences, `<details>`, comments and other raw HTML.

Blocks are those of CommonMark, as markdown-it reads them; inline text is not parsed.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from markdown_it import MarkdownIt
from markdown_it.token import Token

_PARSER = MarkdownIt("commonmark").enable("table").disable("inline")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_DETAILS = re.compile(r"<(/?)details\b[^>]*>", re.IGNORECASE)
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
_CONTAINERS = re.compile(r"[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]*)*")
_LIST_MARKER = re.compile(r"[^>\s]")
_RAW_HTML = re.compile(
    r"\s*(<!--|<\?|<!\[CDATA\[|<!(?=[a-z])|<(?:pre|script|style|textarea)(?=[\s>]))", re.IGNORECASE
)
_RAW_ENDS = {"<!--": "-->", "<?": "?>", "<![cdata[": "]]>", "<!": ">"}
_LONGEST_OPENER = 100
_DEEPEST = 20
_DEEPEST_FENCE = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A block of lines [`first`, `end`): what closes it in its midst, and what opens it again."""

    first: int
    end: int
    close: str
    reopen: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """The span and the number of `<details>` elements around a place between two lines."""

    inside: Span | None
    depth: int

    @property
    def nothing(self) -> bool:
        return self.inside is None and self.depth == 0

    @property
    def close(self) -> str:
        """Return what ends all of it; begins at the start of a line."""
        inner = self.inside.close if self.inside else ""
        return inner + ("\n" + "</details>\n" * self.depth if self.depth else "")

    @property
    def reopen(self) -> str:
        """Return what begins all of it again; ends with a line break."""
        outer = "<details open>\n" * self.depth + "\n" if self.depth else ""
        return outer + (self.inside.reopen if self.inside else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocks:
    """The lines of a text and what they lie in.

    `borders` are the lines at which a top-level block begins, `code` those of code blocks;
    `open_before[n]` is what a cut before line n leaves open, up to the text's end.
    """

    lines: tuple[str, ...]
    borders: frozenset[int]
    code: frozenset[int]
    open_before: tuple[Open, ...]


def split_lines(text: str) -> tuple[str, ...]:
    """Return the lines of `text` with their ends, by CommonMark's idea of a line."""
    return tuple(_LINE.findall(text))


def blocks(text: str) -> Blocks:
    """Read the blocks of `text`."""
    lines = split_lines(text)
    tokens = _PARSER.parse(text)
    borders = {t.map[0] for t in tokens if t.level == 0 and t.map is not None}
    return Blocks(
        lines=lines,
        borders=frozenset(borders),
        code=frozenset(number for token in tokens for number in _code(token)),
        open_before=_open_before(tokens, lines),
    )


def _open_before(tokens: Sequence[Token], lines: Sequence[str]) -> tuple[Open, ...]:
    inside: list[Span | None] = [None] * (len(lines) + 1)
    steps = [0] * len(lines)
    for token in tokens:
        if (span := _span(token, lines)) is not None:
            for number in range(span.first + 1, span.end):
                inside[number] = span
        for line, step in _details(token):
            steps[line] += step
    depths = accumulate(steps, lambda depth, step: max(0, depth + step), initial=0)
    return tuple(
        Open(inside=span, depth=min(depth, _DEEPEST))
        for span, depth in zip(inside, depths, strict=True)
    )


def _span(token: Token, lines: Sequence[str]) -> Span | None:
    if token.map is None:
        return None
    first, end = token.map
    if token.type == "fence":
        if _unclosed(token, lines):
            end = len(lines) + 1 if token.level == 0 else end + 1
        return _fence(token, lines[first].rstrip("\r\n"), first, end)
    if token.type == "html_block":
        return _raw_html(token, lines)
    return None


def _raw_html(token: Token, lines: Sequence[str]) -> Span | None:
    """Return the span of HTML that goes on until its own end, blank lines or not."""
    match = _RAW_HTML.match(token.content)
    if match is None:
        return None
    assert token.map is not None
    first, end = token.map
    opener = match.group(1).lower()
    opening = opener if opener in _RAW_ENDS else f"{opener}>"
    close = _RAW_ENDS.get(opener, f"</{opener[1:]}>")
    if close not in token.content.lower():
        end = len(lines) + 1 if token.level == 0 else end + 1
    return Span(first=first, end=end, close=f"{close}\n", reopen=f"{opening}\n")


def _fence(token: Token, opener: str, first: int, end: int) -> Span | None:
    """Return the span of a fence; one with an absurd opening line is not worth closing."""
    if len(opener) > _LONGEST_OPENER:
        return None
    fence = _indent(opener) + token.markup
    return Span(first=first, end=end, close=f"{fence}\n", reopen=f"{fence}{token.info}\n")


def _unclosed(token: Token, lines: Sequence[str]) -> bool:
    """Say whether a fence runs to the end of the text, or of its container, without an end."""
    assert token.map is not None
    first, end = token.map
    last = lines[end - 1].expandtabs(4).rstrip()
    if token.level == 0:
        shown = last.lstrip(" ")
        indented = len(last) - len(shown) > _DEEPEST_FENCE
    else:
        shown, indented = last.lstrip(" >"), False
    is_end = shown.startswith(token.markup) and not shown.strip(shown[0])
    return end - 1 == first or indented or not is_end


def _indent(opener: str) -> str:
    """Return what puts a line into the opener's containers: quotes stay, list markers are blank."""
    match = _CONTAINERS.match(opener)
    return _LIST_MARKER.sub(" ", match.group() if match else "")


def _code(token: Token) -> Iterable[int]:
    if token.type in {"fence", "code_block"} and token.map is not None:
        return range(*token.map)
    return ()


def _details(token: Token) -> Iterator[tuple[int, int]]:
    if token.map is None or token.type not in {"html_block", "inline"}:
        return
    text = token.content
    if token.type == "inline":
        text = _CODE_SPAN.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)
    if text.lstrip().startswith("<!--"):
        return
    for match in _DETAILS.finditer(text):
        line = token.map[0] + text.count("\n", 0, match.start())
        yield line, -1 if match.group(1) else 1
