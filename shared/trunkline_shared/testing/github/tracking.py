"""What a repository's issues are sorted by: labels and milestones."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from trunkline_shared.testing.github.ledger import Ledger
from trunkline_shared.testing.github.people import User

GREY = "ededed"


@dataclass(slots=True, kw_only=True, eq=False)
class Label:
    """A label of a repository."""

    id: int
    name: str
    color: str = GREY
    description: str | None = None
    default: bool = False


@dataclass(slots=True, kw_only=True, eq=False)
class Milestone:
    """A milestone of a repository."""

    id: int
    number: int
    title: str
    created_at: datetime
    creator: User | None = None
    state: Literal["open", "closed"] = "open"


@dataclass(slots=True, kw_only=True, eq=False)
class Tracker:
    """The labels, by their names in lower case, and the milestones, by their numbers."""

    ledger: Ledger
    labels: dict[str, Label] = field(default_factory=dict)
    milestones: dict[int, Milestone] = field(default_factory=dict)

    def add_label(self, name: str, *, color: str = GREY, description: str | None = None) -> Label:
        """Add a label; grey is what GitHub gives one that nobody made on purpose."""
        label = Label(id=self.ledger.next_id(), name=name, color=color, description=description)
        self.labels[name.lower()] = label
        return label

    def add_milestone(self, title: str) -> Milestone:
        """Add a milestone with the next number."""
        milestone = Milestone(
            id=self.ledger.next_id(),
            number=max(self.milestones, default=0) + 1,
            title=title,
            created_at=self.ledger.now(),
        )
        self.milestones[milestone.number] = milestone
        return milestone

    def label(self, name: str) -> Label | None:
        """Return the label of this name; GitHub ignores case."""
        return self.labels.get(name.lower())
