"""Giving a comment another text without losing somebody else's."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from trunkline_comment.families import AnyComment, AskedKind, find, update
from trunkline_comment.markdown_blocks import blocks
from trunkline_comment.models import Updated
from trunkline_comment.outgoing_text import OnTooLong, checked, fitted
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.comment_finding import same_text
from trunkline_shared.github.lost_update import refuse_lost_update
from trunkline_shared.github.markers import marker_of, without_marker
from trunkline_shared.github.repository import Repository


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What a comment shall say."""

    body: str
    mode: Literal["replace", "append"] = "replace"
    on_too_long: OnTooLong = "error"
    if_unmodified_since: datetime | None = None


async def change(
    github: GitHub, repository: Repository, comment_id: int, kind: AskedKind, wanted: Change
) -> Updated:
    """Give a comment another text; an equal one is not sent.

    Our marker at its head stays. Raises Conflict when it was modified after
    `if_unmodified_since`: GitHub has no conditional PATCH, so the time is compared before.
    """
    text = checked(wanted.body)
    found = await find(github, repository, comment_id, kind)
    before = found.comment
    refuse_lost_update(before, wanted.if_unmodified_since)
    marker = marker_of(before.body) or marker_of(wanted.body)
    if wanted.mode == "append":
        text = _appended(without_marker(before.body), text)
    body, truncated = fitted(text, wanted.on_too_long, marker)
    edited = not same_text(body, before.body)
    after: AnyComment = before
    if edited:
        after = await github.fetch(update(repository, found, body))
    return Updated(
        comment_id=after.id,
        html_url=after.html_url,
        updated_at=after.updated_at,
        kind=found.kind,
        truncated=truncated,
        edited=edited,
    )


def _appended(before: str, text: str) -> str:
    """Put `text` below `before`, outside of whatever that leaves open."""
    if not before.strip():
        return text
    closing = blocks(before).open_before[-1].close
    end = f"\n{closing}" if closing else ""
    return f"{before.rstrip()}{end.rstrip()}\n\n{text}"
