"""A text as a tree of values, between the form in which a vendor keeps it and Markdown.

Each vendor's form (HTML, Atlassian documents, wiki text) has a reader that makes this tree;
`writer.to_markdown` is the only place that knows how Markdown is written and escaped. Texts are as
a person sees them: nothing in them is escaped.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Alert: TypeAlias = Literal["", "NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION"]


@dataclass(frozen=True, slots=True)
class Text:
    """Visible text; white space in it counts as HTML counts it."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """A span of code, kept as it is."""

    text: str


@dataclass(frozen=True, slots=True)
class Strong:
    """Bold."""

    content: "Inlines"


@dataclass(frozen=True, slots=True)
class Emphasis:
    """Italic."""

    content: "Inlines"


@dataclass(frozen=True, slots=True)
class Strike:
    """Crossed out."""

    content: "Inlines"


@dataclass(frozen=True, slots=True)
class Tagged:
    """What GitHub's Markdown has as HTML only: subscript, superscript, underline."""

    tag: Literal["sub", "sup", "ins"]
    content: "Inlines"


@dataclass(frozen=True, slots=True)
class Link:
    """A way to somewhere; one that would run code or read files is shown as text."""

    url: str
    content: "Inlines"


@dataclass(frozen=True, slots=True)
class Image:
    """A picture by its address; `alt` is what is seen without it."""

    url: str
    alt: str = ""


@dataclass(frozen=True, slots=True)
class Break:
    """A line break inside a paragraph."""


Inline: TypeAlias = Text | Code | Strong | Emphasis | Strike | Tagged | Link | Image | Break
Inlines: TypeAlias = tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Inlines that belong together."""

    content: Inlines


@dataclass(frozen=True, slots=True)
class Heading:
    """`level` is 1 to 6."""

    level: int
    content: Inlines


@dataclass(frozen=True, slots=True)
class Quote:
    """A quotation; with `alert` one of GitHub's alerts."""

    content: "Blocks"
    alert: Alert = ""


@dataclass(frozen=True, slots=True)
class Item:
    """An item of a list; `checked` is None for one that is no task."""

    content: "Blocks"
    checked: bool | None = None


@dataclass(frozen=True, slots=True)
class List:
    """A list of items, numbered from `start` when there is one."""

    items: tuple[Item, ...]
    start: int | None = None


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """Lines of code, kept as they are."""

    text: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table; `columns` is how many it spans."""

    content: "Blocks"
    columns: int = 1


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells; the first row is the head when `head` says so, otherwise there is none."""

    rows: tuple[tuple[Cell, ...], ...]
    head: bool = True


@dataclass(frozen=True, slots=True)
class Rule:
    """A line across the page."""


Block: TypeAlias = Paragraph | Heading | Quote | List | CodeBlock | Table | Rule
Blocks: TypeAlias = tuple[Block, ...]
