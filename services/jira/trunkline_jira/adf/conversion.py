"""From an Atlassian document to the tree that Markdown is written from.

A document that breaks the rules of its format is read as far as there is text in it: nothing that
was sent makes reading fail.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from trunkline_jira.adf.blocks import BLOCKS
from trunkline_jira.adf.inlines import INLINES
from trunkline_jira.adf.reader import Reader
from trunkline_shared.markdown.document import Blocks

_BETWEEN_PARAGRAPHS = re.compile(r"\n[^\S\n]*(?:\n[^\S\n]*)+")
_NO_FILES: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Converted:
    """A document's tree; `lossy` names the types of nodes and marks that lost some of their form.

    Their text is there. Names are sorted, each once.
    """

    blocks: Blocks
    lossy: tuple[str, ...] = ()


def to_document(adf: object, media: Mapping[str, str] = _NO_FILES) -> Converted:
    """Return the tree of a document, of anything that is none, or of plain text.

    `media` names files by their media id; nothing is fetched.
    Source: https://developer.atlassian.com/cloud/jira/platform/apis/document/structure/.
    """
    reader = Reader(inline_forms=INLINES, block_forms=BLOCKS, media=media, lossy=set())
    blocks = reader.blocks(_parts(adf))
    return Converted(blocks=blocks, lossy=tuple(sorted(reader.lossy)))


def _parts(adf: object) -> list[object]:
    if isinstance(adf, str):
        parts = _BETWEEN_PARAGRAPHS.split(adf.strip("\n"))
        return [{"type": "paragraph", "content": [part]} for part in parts]
    return list(adf) if isinstance(adf, list | tuple) else [adf]
