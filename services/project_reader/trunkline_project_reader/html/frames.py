"""The open blocks around a place of the text: each gathers what is in it and becomes one block."""

from dataclasses import dataclass, field

from trunkline_project_reader.html.formats import Setting
from trunkline_project_reader.html.runs import Run
from trunkline_project_reader.html.tables import GridCell, table
from trunkline_shared.markdown.document import Block, CodeBlock, Item, List, Quote

_PARTS_OF_TABLE = frozenset({"tr", "td", "th", "thead", "tbody", "tfoot"})


class Flow:
    """Where text goes: the blocks that are complete, and the runs of the next one."""

    __slots__ = ("blocks", "heading", "runs")

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.runs: list[Run] = []
        self.heading = 0
        """The level of the heading that is open here, or 0."""


@dataclass(slots=True)
class Frame:
    """An open block; this one is the body itself."""

    tag: str
    flow: Flow = field(default_factory=Flow)

    def complete(self, parent: Flow) -> None:
        """Put what the block became into its parent."""
        parent.blocks.extend(self.flow.blocks)


@dataclass(slots=True)
class QuoteFrame(Frame):
    """A quotation."""

    def complete(self, parent: Flow) -> None:
        if self.flow.blocks:
            parent.blocks.append(Quote(tuple(self.flow.blocks)))


@dataclass(slots=True)
class ItemFrame(Frame):
    """An item; its list has it from the beginning."""

    checked: bool | None = None

    def complete(self, parent: Flow) -> None:
        """Leave it to the list, which may still get blocks that belong to its last item."""


@dataclass(slots=True)
class ListFrame(Frame):
    """A list; an implied one holds items that stand outside of any, and ends at the next text."""

    start: int | None = None
    implied: bool = False
    items: list[ItemFrame] = field(default_factory=list)

    def adopt(self) -> None:
        """Give what stands between items, as a list within the list, to the item before it."""
        if self.flow.blocks:
            if not self.items:
                self.items.append(ItemFrame("li"))
            self.items[-1].flow.blocks.extend(self.flow.blocks)
            self.flow.blocks.clear()

    def complete(self, parent: Flow) -> None:
        self.adopt()
        if self.items:
            items = (Item(tuple(item.flow.blocks), item.checked) for item in self.items)
            parent.blocks.append(List(tuple(items), self.start))


@dataclass(slots=True)
class CellFrame(Frame):
    """A cell; how text was set before it is so again after it."""

    before: Setting | None = None
    place: GridCell = field(default_factory=GridCell)

    def complete(self, parent: Flow) -> None:  # noqa: ARG002 - its row has its place already
        self.place.content = tuple(self.flow.blocks)


@dataclass(slots=True)
class TableFrame(Frame):
    """A table; text in it but in no cell goes before it, as in a browser: it shares that flow."""

    rows: list[list[GridCell]] = field(default_factory=list)
    heads: bool = False
    in_row: bool = False

    def complete(self, parent: Flow) -> None:
        whole = table(self.rows, head=self.heads)
        if whole:
            parent.blocks.append(whole)


@dataclass(slots=True)
class CodeFrame(Frame):
    """Preformatted text, kept as it is; what cannot stand in code comes after it."""

    language: str = ""
    parts: list[str] = field(default_factory=list)
    within: dict[str, int] = field(default_factory=dict)
    """How often each element is open inside."""

    def line(self) -> None:
        """Begin a line, unless one has just begun."""
        if self.parts and not self.parts[-1].endswith("\n"):
            self.parts.append("\n")

    def takes(self, tag: str) -> bool:
        """Take note of a block that begins; cells of a table around the code are not inside."""
        inside = tag not in _PARTS_OF_TABLE or self.within.get("table", 0) > 0
        if inside:
            self.within[tag] = self.within.get(tag, 0) + 1
        return inside

    def gives(self, tag: str) -> bool:
        """Take note of a block that ends; returns whether it began inside."""
        if not self.within.get(tag):
            return False
        self.within[tag] -= 1
        return True

    def complete(self, parent: Flow) -> None:
        text = "".join(self.parts).removeprefix("\n").rstrip("\n")
        if text.strip():
            parent.blocks.append(CodeBlock(text, self.language))
        parent.blocks.extend(self.flow.blocks)
