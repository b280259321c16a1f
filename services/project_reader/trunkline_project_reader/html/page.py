"""The document being read: where the next text goes, how it is set, and which blocks are open."""

from html import unescape

from trunkline_project_reader.html.formats import Setting, linked
from trunkline_project_reader.html.frames import CellFrame, CodeFrame, Flow, Frame, ListFrame
from trunkline_project_reader.html.markup import SPACE, line, shown
from trunkline_project_reader.html.runs import BREAK, EDGE, paragraphs
from trunkline_shared.markdown.document import Blocks, Heading, Image, Paragraph


class Page:
    """Text and blocks are put into it in the order of the source."""

    def __init__(self) -> None:
        self.frames: list[Frame] = [Frame("body")]
        self.flow: Flow = self.frames[0].flow
        self.setting = Setting()
        self.code: CodeFrame | None = None
        self.flattened: dict[str, int] = {}
        """How often each element is open that was too deep to be a block."""

    def text(self, written: str) -> None:
        """Add text as it stands between tags."""
        if "&" in written:
            self.put(unescape(written))
        elif (
            self.code is None
            and written.isascii()
            and written.isprintable()
            and "  " not in written
        ):
            # Most texts are so: nothing is to be done with them.
            self.flow.runs.append((self.setting.marks, written))
        else:
            self.put(written)

    def put(self, text: str) -> None:
        """Add text whose entities are decoded."""
        if self.code is not None:
            self.code.parts.append(shown(text))
            return
        runs = self.flow.runs
        if not runs:
            text = text.lstrip(SPACE)
        if text and (text := line(text)):
            runs.append((self.setting.marks, text))

    def image(self, image: Image) -> None:
        """Add an image; in code, where none can be, it follows the code."""
        self.flow.runs.append((self.setting.marks, image))

    def linked(self, url: str, content: str | Image) -> None:
        """Add a link of its own, set plainly wherever it stands."""
        self.flow.runs.append(((linked(url),) if url else (), content))

    def line_break(self) -> None:
        if self.code is not None:
            self.code.parts.append("\n")
        else:
            self.flow.runs.append(((), BREAK))

    def edge(self) -> None:
        """Begin a line of its own, without ending the paragraph."""
        if self.code is not None:
            self.code.line()
        elif self.flow.runs:
            self.flow.runs.append(((), EDGE))

    def boundary(self) -> None:
        """End the paragraph."""
        if self.code is not None:
            self.code.line()
        if self.flow.runs:
            self._flush()

    def settle(self) -> None:
        """End the paragraph, and the implied list that a block does not belong to."""
        self.boundary()
        self._leave_implied_list()

    def push(self, frame: Frame) -> None:
        """Open a block where the page stands."""
        self.frames.append(frame)
        self.flow = frame.flow

    def close(self, frame: Frame) -> None:
        """Close a block, and all that are open in it."""
        while True:
            self.boundary()
            top = self.frames.pop()
            if top is self.code:
                self.code = None
            self.flow = self.frames[-1].flow
            if isinstance(top, CellFrame) and (top.before or self.setting.marks):
                self.setting = top.before or Setting()
            top.complete(self.flow)
            if top is frame:
                return

    def finished(self) -> Blocks:
        """Close everything and return the document."""
        self.settle()
        if len(self.frames) > 1:
            self.close(self.frames[1])
        return tuple(self.flow.blocks)

    def _flush(self) -> None:
        runs = self.flow.runs
        self.flow.runs = []
        found = paragraphs(runs)
        if not found:
            return
        self._leave_implied_list()
        level = self.flow.heading
        for content in found:
            self.flow.blocks.append(Heading(level, content) if level else Paragraph(content))

    def _leave_implied_list(self) -> None:
        top = self.frames[-1]
        if isinstance(top, ListFrame) and top.implied:
            self.close(top)
