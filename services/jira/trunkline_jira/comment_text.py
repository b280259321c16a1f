"""A comment's text on its way out: what it must be, and the form in which Jira keeps it."""

import asyncio

from trunkline_jira.site.flavour import Flavour
from trunkline_jira.writing.markdown_to_adf import markdown_to_adf
from trunkline_jira.writing.markdown_to_wiki import markdown_to_wiki
from trunkline_shared.errors import TooLarge
from trunkline_shared.postable import require_clean, unusable

MOST_CHARACTERS = 32_767
"""Jira's own limit of a text: jira.text.field.character.limit."""


async def written_comment(flavour: Flavour, markdown: str, field: str = "body") -> object:
    """Return a comment as the flavour keeps it: a document, or wiki text.

    Raises InvalidInput for a blank text, BlockedByPolicy for a secret, TooLarge.
    """
    if not markdown.strip():
        raise unusable(field, "is blank", "must not be blank")
    require_clean(markdown, field)
    _require_short(markdown, field)
    # Some texts take the Markdown parser seconds: other calls go on meanwhile.
    if flavour.is_cloud:
        return await asyncio.to_thread(markdown_to_adf, markdown)
    wiki = await asyncio.to_thread(markdown_to_wiki, markdown)
    _require_short(wiki, field)
    return wiki


def _require_short(text: str, field: str) -> None:
    if len(text) > MOST_CHARACTERS:
        raise TooLarge(
            f"{field} has {len(text):,} characters; Jira takes {MOST_CHARACTERS:,}.",
            hint="Shorten it, or add several comments.",
            details={
                "reason": "too_long",
                "characters": len(text),
                "max_characters": MOST_CHARACTERS,
            },
        )
