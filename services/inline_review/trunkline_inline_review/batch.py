"""The entries of a review against one state of the diff: the good ones, and the rest."""

from dataclasses import dataclass

from trunkline_inline_review.anchors import Anchor, Rejection
from trunkline_inline_review.diff_index import DiffIndex
from trunkline_inline_review.drafts import Entries, Worded, rejected
from trunkline_inline_review.placing import place
from trunkline_inline_review.review_models import RejectedComment
from trunkline_shared.errors import InvalidInput, LineNotInDiff, TrunklineError


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """An entry that can be posted at `anchor`."""

    entry: Worded
    anchor: Anchor

    def to_json(self) -> dict[str, object]:
        """Return it as GitHub takes the comments of a review."""
        return self.anchor.to_json() | {"body": self.entry.ask.body}


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """What of a review can be posted, and what cannot."""

    placed: tuple[Placed, ...]
    rejected: tuple[RejectedComment, ...]


def placed(index: DiffIndex, entries: Entries) -> Batch:
    """Return where each entry stands in a diff; those that stand nowhere are rejected."""
    good: list[Placed] = []
    bad = list(entries.rejected)
    for entry in entries.worded:
        found = place(index, entry.ask.wanted)
        if isinstance(found, Rejection):
            bad.append(rejected(entry.index, found))
        else:
            good.append(Placed(entry=entry, anchor=found))
    return Batch(placed=tuple(good), rejected=tuple(sorted(bad, key=lambda one: one.index)))


def nothing_left(batch: Batch, entries: Entries) -> TrunklineError:
    """Return the failure of a review whose every comment was rejected.

    It is about lines unless all were rejected for themselves, whatever the diff shows.
    """
    count = len(batch.rejected)
    kind = InvalidInput if count == len(entries.rejected) else LineNotInDiff
    first = batch.rejected[0].message
    said = first if count == 1 else f"All {count} comments were rejected; the first: {first}"
    return kind(
        f"{said} Nothing was posted.",
        hint="details.rejected says of each entry what would be valid; correct them and call "
        "again.",
        details={
            "reason": "all_rejected",
            "rejected": [one.model_dump(mode="json") for one in batch.rejected],
        },
    )
