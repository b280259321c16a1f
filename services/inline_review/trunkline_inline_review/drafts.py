"""The comments of a review as a caller gives them, and what is wrong with their texts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from trunkline_inline_review.anchors import Rejection, Wanted
from trunkline_inline_review.asking import Ask, asked
from trunkline_inline_review.diff_index import Side
from trunkline_inline_review.paths import LONGEST_PATH
from trunkline_inline_review.review_models import RejectedComment
from trunkline_shared.arguments import Number
from trunkline_shared.errors import BlockedByPolicy, InvalidInput, TooLarge
from trunkline_shared.secrets import find_secrets

MOST_COMMENTS = 50


class Draft(BaseModel):
    """One comment; the lines from startLine to line when both are given."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: Annotated[str, Field(min_length=1, max_length=LONGEST_PATH)]
    body: str
    line: Number | None = None
    start_line: Annotated[
        Number | None,
        Field(validation_alias=AliasChoices("startLine", "start_line")),
    ] = None
    side: Side = "RIGHT"
    start_side: Side | None = None


Drafts = Annotated[tuple[Draft, ...], Field(max_length=MOST_COMMENTS)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Worded:
    """A draft that is sound in itself."""

    index: int
    ask: Ask


@dataclass(frozen=True, slots=True, kw_only=True)
class Entries:
    """The comments of a review: those that are sound in themselves, and the rejected."""

    worded: tuple[Worded, ...] = ()
    rejected: tuple[RejectedComment, ...] = ()

    @property
    def empty(self) -> bool:
        return not self.worded and not self.rejected


def entries(drafts: Sequence[Draft]) -> Entries:
    """Return the drafts by whether they are sound in themselves; a repeated one is rejected.

    Raises BlockedByPolicy when one holds a secret: the whole review is suspect then.
    """
    _refuse_secrets(drafts)
    checked = list(_checked(drafts))
    return Entries(
        worded=tuple(one for one in checked if isinstance(one, Worded)),
        rejected=tuple(one for one in checked if isinstance(one, RejectedComment)),
    )


def _checked(drafts: Sequence[Draft]) -> Iterator[Worded | RejectedComment]:
    first: dict[Draft, int] = {}
    for index, draft in enumerate(drafts):
        earlier = first.setdefault(draft, index)
        if earlier != index:
            said = f"comments[{index}] is the same as comments[{earlier}]."
            yield RejectedComment(index=index, reason="repeated", message=said)
        else:
            yield _worded(index, draft)


def _worded(index: int, draft: Draft) -> Worded | RejectedComment:
    wanted = Wanted(
        path=draft.path,
        line=draft.line,
        start_line=draft.start_line,
        side=draft.side,
        start_side=draft.start_side,
    )
    try:
        ask = asked(draft.body, wanted, dedupe_key="", outside="error", commit_id="")
    except (InvalidInput, TooLarge) as error:
        reason = str(error.details.get("reason", "unusable_body"))
        return RejectedComment(index=index, reason=reason, message=error.message)
    return Worded(index=index, ask=ask)


def _refuse_secrets(drafts: Sequence[Draft]) -> None:
    found = {
        index: {*find_secrets(draft.body), *find_secrets(draft.path)}
        for index, draft in enumerate(drafts)
    }
    indexes = [index for index, kinds in found.items() if kinds]
    if indexes:
        kinds = sorted(set().union(*found.values()))
        where = ", ".join(f"comments[{index}]" for index in indexes)
        raise BlockedByPolicy(
            f"{where} holds what looks like a secret ({', '.join(kinds)}); nothing was posted.",
            hint="Remove the secret, or replace it by a description of it, and post again.",
            details={"reason": "secret", "kinds": kinds, "indexes": indexes},
        )


def rejected(index: int, why: Rejection) -> RejectedComment:
    """Return the rejection of an entry for where it wanted to stand."""
    details = why.details()
    nearest = None if why.nearest is None else why.nearest.to_arguments()
    ranges = details["valid_ranges"]
    assert isinstance(ranges, list)
    return RejectedComment(
        index=index,
        reason=why.reason,
        message=why.message,
        nearest=nearest,
        valid_ranges=ranges,
        nearest_path=why.nearest_path,
    )
