"""Adding labels to an issue, and taking one off."""

from collections.abc import Sequence
from dataclasses import dataclass

from trunkline_issues.before_write import present
from trunkline_issues.label_endpoints import add_labels, list_labels, remove_label
from trunkline_issues.label_models import LabelRemoved, LabelsAdded
from trunkline_issues.label_names import distinct, match, nearest, unknown
from trunkline_shared.errors import InvalidInput, NotFound
from trunkline_shared.github.client import GitHub
from trunkline_shared.github.repository import Repository
from trunkline_shared.untrusted import sanitize
from trunkline_shared.vendor.paging import PAGE_CAP

_EVERY = PAGE_CAP * 100


async def existing_labels(github: GitHub, repository: Repository) -> tuple[str, ...]:
    """Return the names of all labels that the repository has."""
    found = await github.collect(list_labels(repository), limit=_EVERY)
    return tuple(label.name for label in found.items)


async def spelled(
    github: GitHub, repository: Repository, labels: Sequence[str], *, create_missing: bool
) -> tuple[str, ...]:
    """Return the names as the repository spells them; new ones only when they may be made.

    Raises InvalidInput for labels that it lacks.
    """
    wanted = distinct(labels)
    if not wanted:
        return ()
    existing = await existing_labels(github, repository)
    matched = match(wanted, existing)
    if matched.missing and not create_missing:
        raise unknown(matched.missing, existing)
    return (*matched.known, *matched.missing)


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelling:
    """The labels of one issue or pull request."""

    github: GitHub
    repository: Repository
    number: int

    async def add(self, labels: Sequence[str], *, create_missing: bool) -> LabelsAdded:
        """Add the labels that the repository has, and make the others if that is asked for.

        Raises InvalidInput when it has none of them.
        """
        wanted = distinct(labels)
        issue = await present(self.github, self.repository, self.number)
        existing = await existing_labels(self.github, self.repository)
        matched = match(wanted, existing)
        missing = () if create_missing else matched.missing
        if missing and not matched.known:
            raise unknown(missing, existing)
        chosen = (*matched.known, *(matched.missing if create_missing else ()))
        had = match(chosen, issue.label_names)
        after = issue.label_names
        if had.missing:
            sent = add_labels(self.repository, self.number, had.missing)
            after = tuple(label.name for label in await self.github.fetch(sent))
        return LabelsAdded(
            issue_number=self.number,
            labels_added=[sanitize(name) for name in had.missing],
            already_present=[sanitize(name) for name in had.known],
            missing=list(missing),
            suggestions=dict(nearest(missing, existing)),
            labels=[sanitize(name) for name in after],
        )

    async def remove(self, name: str) -> LabelRemoved:
        """Take a label off; one that is off already stays off."""
        wanted = distinct([name])
        issue = await present(self.github, self.repository, self.number)
        there = match(wanted, issue.label_names).known
        remaining = [one for one in issue.label_names if one not in there]
        if there:
            remaining = await self._removed(there[0], remaining)
        return LabelRemoved(
            issue_number=self.number,
            existed=bool(there),
            labels=[sanitize(one) for one in remaining],
        )

    async def _removed(self, name: str, remaining: list[str]) -> list[str]:
        if name in {".", ".."}:
            raise InvalidInput(
                f"Label {name!r} cannot be named in an address, so GitHub's API cannot remove it.",
                hint="Rename the label, or set the other labels with update_issue.",
            )
        try:
            after = await self.github.fetch(remove_label(self.repository, self.number, name))
        except NotFound:
            # It was read there a moment ago: somebody else, or our own cut request, took it off.
            return remaining
        return [label.name for label in after]
