"""Reads HTML once, from its beginning to its end, onto a page."""

import re
import sys

from trunkline_project_reader.html import attached
from trunkline_project_reader.html.attachment import Attachment, Listing
from trunkline_project_reader.html.elements import ACTS, Act
from trunkline_project_reader.html.hidden import MAYBE_UNSEEN, VOID, Hidden, hides
from trunkline_project_reader.html.markup import TOKEN, attributes
from trunkline_project_reader.html.page import Page

# Most tags have no attributes: they need no second look.
_BARE: dict[str | None, tuple[Act, str]] = {
    tag: known for tag, known in ACTS.items() if tag not in MAYBE_UNSEEN
}
_RAW_BUT_SEEN = frozenset({"xmp", "textarea"})


class Reader:
    """One text being read."""

    def __init__(self, html: str, listing: Listing) -> None:
        self.html = html.replace("\r\n", "\n").replace("\r", "\n") if "\r" in html else html
        self.page = Page()
        self.attachments: list[Attachment] = []
        self.mentions: dict[str, None] = {}
        self._listing = listing
        self._hidden: Hidden | None = None
        self._open: dict[str, int] = {}
        self._counted = 0

    def read(self, most: int = sys.maxsize) -> bool:
        """Read on until `most` characters of text have been seen; returns whether that is all."""
        page, add, bare = self.page, self.page.text, _BARE.get
        for token in TOKEN.finditer(self.html):
            text, tag, written = token[1], token[2], token[3]
            if self._hidden is not None:
                self._pass_over(token)
                continue
            if text:
                add(text)
                most -= len(text)
            known = bare(tag)
            if known is not None and not written:
                known[0](page, known[1], "")
            else:
                self._read_other(token, tag, written)
            if most < 0:
                return False
        return True

    def _read_other(self, token: re.Match[str], tag: str | None, written: str) -> None:
        if tag is None:
            self._read_whole(token)
        elif hides(tag.lower(), written):
            self._hide(tag.lower(), token.start())
        else:
            self._act(tag, written)

    def _act(self, tag: str, written: str) -> None:
        known = ACTS.get(tag) or ACTS.get(tag.lower())
        if known is not None:
            known[0](self.page, known[1], written)

    def _hide(self, tag: str, at: int) -> None:
        if tag not in VOID:
            self._hidden = Hidden(tag, self._open_before(at))

    def _pass_over(self, token: re.Match[str]) -> None:
        """Pass over a token in something hidden, unless it ends it and means something after it."""
        hidden, tag = self._hidden, (token["tag"] or "").lower()
        if hidden is None or not tag or not hidden.ended_by(tag):
            return
        self._hidden = None
        if tag != f"/{hidden.tag}":
            self._act(tag, token["written"])

    def _open_before(self, stop: int) -> dict[str, int]:
        """Count what is open before a place; looks at each tag once, whatever is hidden."""
        for token in TOKEN.finditer(self.html, self._counted, stop):
            tag = (token["tag"] or "").lower()
            name = tag.removeprefix("/")
            self._open[name] = max(0, self._open.get(name, 0) + (1 if name == tag else -1))
        self._counted = stop
        return self._open

    def _read_whole(self, token: re.Match[str]) -> None:
        """Read what is no tag: an attachment, an element without tags in it, a lonely bracket."""
        raw, text, attachment = token.group("raw", "raw_text", "attached")
        if attachment is not None:
            self._attached(attachment, token["inside"] or "")
        elif raw is not None and raw.lower() in _RAW_BUT_SEEN:
            self._act(raw, token["raw_written"])
            self.page.put(text) if raw.lower() == "xmp" else self.page.text(text)
            self._act(f"/{raw}", "")
        elif token["bare"]:
            self.page.put("<")

    def _attached(self, written: str, inside: str) -> None:
        given = attributes(written)
        found = attached.put(self.page, given, inside, self._listing.entry(given))
        if isinstance(found, Attachment):
            self.attachments.append(found)
        else:
            self.mentions[found] = None
