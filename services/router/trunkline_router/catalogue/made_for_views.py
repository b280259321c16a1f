"""What was made of a directory for each view, as long as that directory stands."""

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from trunkline_router.catalogue.directory import Directory
from trunkline_router.view import View

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeForViews(Generic[T]):
    """Keeps what was asked for last, `most` at the most."""

    most: int
    _made: "OrderedDict[View, tuple[Directory, T]]" = field(default_factory=OrderedDict)

    def get(self, directory: Directory, view: View) -> T | None:
        """Return what was made of this directory, and not of one before it."""
        known = self._made.get(view)
        if known is None or known[0] is not directory:
            return None
        self._made.move_to_end(view)
        return known[1]

    def put(self, directory: Directory, view: View, made: T) -> T:
        """Keep and return what is made of it."""
        self._made[view] = (directory, made)
        self._made.move_to_end(view)
        while len(self._made) > self.most:
            self._made.popitem(last=False)
        return made
