"""Rich texts on their way to an agent: Markdown, an excerpt, or nothing."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from trunkline_project_reader.arguments import BodyForm
from trunkline_project_reader.html.attachment import Attachment, ListedAttachment
from trunkline_project_reader.html.conversion import to_document
from trunkline_project_reader.html.excerpt import excerpt
from trunkline_shared.markdown.writer import to_markdown
from trunkline_shared.trimming import cut

LARGE = 200_000
"""Characters of HTML from which on a conversion would hold up other calls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RichText:
    """A text as Basecamp sends it, with the files that are listed beside it."""

    html: str
    attachments: Sequence[ListedAttachment] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """A text as an agent reads it, with what is attached to it and whom it mentions."""

    markdown: str = ""
    attachments: tuple[Attachment, ...] = ()
    mentions: tuple[str, ...] = ()


def form_in(fields: Sequence[str], name: str, form: BodyForm = "full") -> BodyForm:
    """Return how to read the texts of a list whose entries have only `fields`; empty is all."""
    return form if not fields or name in fields else "none"


async def markdown_of(html: str, attachments: Sequence[ListedAttachment] = ()) -> Body:
    """Return a text as Markdown; a large one is read beside the event loop."""
    (body,) = await bodies_of([RichText(html=html, attachments=attachments)])
    return body


async def bodies_of(texts: Iterable[RichText], form: BodyForm = "full") -> list[Body]:
    """Return texts as Markdown, as excerpts in plain text, or as nothing, in their order."""
    given = list(texts)
    if form == "none":
        return [Body() for _ in given]
    if form == "excerpt":
        return [Body(markdown=_excerpt(text.html)) for text in given]
    if sum(len(text.html) for text in given) > LARGE:
        return await asyncio.to_thread(_converted, given)
    return _converted(given)


def _excerpt(html: str) -> str:
    short = excerpt(html)
    cut(html, short)
    return short


def _converted(texts: Sequence[RichText]) -> list[Body]:
    return [_body(text) for text in texts]


def _body(text: RichText) -> Body:
    converted = to_document(text.html, text.attachments)
    return Body(
        markdown=to_markdown(converted.blocks),
        attachments=converted.attachments,
        mentions=converted.mentions,
    )
