"""Reads HTML once, from its beginning to its end, onto a page."""

import re
import sys

from trunkline_project_reader.html import attached
from trunkline_project_reader.html.attachment import Attachment, Listing
from trunkline_project_reader.html.elements import CONTAINERS, ENDS, STARTS
from trunkline_project_reader.html.hidden import VOID, Hidden, hides
from trunkline_project_reader.html.markup import TOKEN, attributes, shown, visible
from trunkline_project_reader.html.page import Page

_UNSEEN = frozenset({"script", "style", "title", "iframe", "noembed", "noframes"})
_RAW = _UNSEEN | {"xmp", "textarea", "plaintext"}
_DEEP = CONTAINERS - {"li", "pre"}
_ROWS = frozenset({"tr", "td", "th", "thead", "tbody", "tfoot"})


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

    def read(self, most: int = sys.maxsize) -> bool:
        """Read on until `most` characters of text have been seen; returns whether that is all."""
        html, match, at = self.html, TOKEN.match, 0
        while at < len(html):
            token = match(html, at)
            if token is None or most < 0:
                return False
            at = token.end()
            kind = token.lastgroup
            if kind == "text" or kind == "bare":
                if self._hidden is None:
                    self.page.text(visible(token[0]))
                    most -= len(token[0])
            elif kind == "tag":
                at = self._tag(token, at)
            elif kind == "unfinished":
                break
        return True

    def _tag(self, token: re.Match[str], at: int) -> int:
        """Do what a tag does; returns where to read on."""
        tag = token["name"].lower()
        if self._hidden is not None and self._stays_hidden(tag, closing=bool(token["closing"])):
            return at
        if token["closing"]:
            self._end(tag)
            return at
        written = token["attributes"]
        if hides(tag, written):
            if tag not in VOID:
                self._hidden = Hidden(tag, self._open)
            return at
        if tag in _RAW:
            return self._raw(tag, written, at)
        if tag in attached.TAGS:
            return self._attached(written, at)
        self._start(tag, written)
        return at

    def _stays_hidden(self, tag: str, *, closing: bool) -> bool:
        """Pass over a tag in something hidden, unless it ends it and means something after it."""
        assert self._hidden is not None
        over = self._hidden.ends(tag) if closing else self._hidden.begins(tag)
        if not over:
            return True
        own = closing and tag == self._hidden.tag
        self._hidden = None
        return own

    def _start(self, tag: str, written: str) -> None:
        if tag not in VOID:
            self._open[tag] = self._open.get(tag, 0) + 1
        page = self.page
        if page.code is not None and (tag in CONTAINERS or tag in _ROWS) and self._in_code(tag):
            page.boundary()
        elif tag in _DEEP and page.deep():
            page.flattened[tag] = page.flattened.get(tag, 0) + 1
            page.boundary()
        else:
            act = STARTS.get(tag)
            if act is not None:
                act(page, tag, written)

    def _end(self, tag: str) -> None:
        if self._open.get(tag):
            self._open[tag] -= 1
        page = self.page
        code = page.code
        if code is not None and code.within.get(tag):
            code.within[tag] -= 1
            page.boundary()
        elif page.flattened.get(tag):
            page.flattened[tag] -= 1
            page.boundary()
        else:
            act = ENDS.get(tag)
            if act is not None:
                act(page, tag, "")

    def _in_code(self, tag: str) -> bool:
        """Let blocks inside of code be lines of it; cells of a table around the code end it."""
        code = self.page.code
        assert code is not None
        if tag in _ROWS and not code.within.get("table"):
            return False
        code.within[tag] = code.within.get(tag, 0) + 1
        return True

    def _raw(self, tag: str, written: str, at: int) -> int:
        """Pass over, or show as it is, what has no tags in it."""
        end = None if tag == "plaintext" else _end_of(tag).search(self.html, at)
        stop, after = end.span() if end else (len(self.html), len(self.html))
        if tag not in _UNSEEN:
            raw = self.html[at:stop]
            self._start(tag, written)
            self.page.text(visible(raw) if tag == "textarea" else shown(raw))
            self._end(tag)
        return after

    def _attached(self, written: str, at: int) -> int:
        given = attributes(written)
        span = attached.between(self.html, at)
        stop, after = span or (at, at)
        found = attached.put(self.page, given, self.html[at:stop], self._listing.entry(given))
        if isinstance(found, Attachment):
            self.attachments.append(found)
        else:
            self.mentions[found] = None
        return after


def _end_of(tag: str) -> re.Pattern[str]:
    return re.compile(rf"</{tag}(?=[\t\n\f\r />])[^>]*+>?+", re.IGNORECASE)
