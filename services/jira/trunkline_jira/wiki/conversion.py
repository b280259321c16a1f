"""Wiki text as a document.

Source: Jira's own help page, "Text Formatting Notation"
(`/secure/WikiRendererHelpAction.jspa?section=all` on every server).
"""

from dataclasses import dataclass

from trunkline_jira.wiki.lines import blocks_of
from trunkline_jira.wiki.macros import without_block_macros
from trunkline_jira.wiki.shelf import Shelf
from trunkline_shared.markdown.document import Blocks
from trunkline_shared.untrusted import sanitize


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiki:
    """What a wiki text says; `lossy` names what lost its form, sorted and once each."""

    blocks: Blocks
    lossy: tuple[str, ...] = ()


def to_document(text: str) -> Wiki:
    """Read wiki text; every visible word of it stays, and nothing in it makes this fail."""
    shelf = Shelf()
    clean = sanitize(text).replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    blocks = blocks_of(without_block_macros(clean, shelf), shelf)
    return Wiki(blocks=blocks, lossy=tuple(sorted(shelf.lossy)))
