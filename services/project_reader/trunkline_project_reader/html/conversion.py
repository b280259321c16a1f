"""Rich text as a document, with what is attached to it and who is mentioned."""

from collections.abc import Iterable
from dataclasses import dataclass

from trunkline_project_reader.html.attachment import Attachment, ListedAttachment, Listing
from trunkline_project_reader.html.reader import Reader
from trunkline_shared.markdown.document import Blocks


@dataclass(frozen=True, slots=True, kw_only=True)
class Converted:
    """A text: its blocks, its attachments in their order, and each name that is mentioned."""

    blocks: Blocks
    attachments: tuple[Attachment, ...] = ()
    mentions: tuple[str, ...] = ()


def to_document(html: str, attachments: Iterable[ListedAttachment] = ()) -> Converted:
    """Read rich text; `attachments` is what the API lists beside it, which knows better than tags.

    No text that a browser would show is lost. Linear in the length of the text, whatever it is.
    """
    reader = Reader(html, Listing(attachments))
    reader.read()
    return Converted(
        blocks=reader.page.finished(),
        attachments=tuple(reader.attachments),
        mentions=tuple(reader.mentions),
    )
