"""Names of branches, as git allows them and as GitHub writes those of forks."""

import re
from dataclasses import dataclass

from trunkline_shared.errors import InvalidInput

_UNUSABLE = re.compile(
    r"[\x00-\x20\x7f~^:?*\[\\\ud800-\udfff]|\.\.|@\{|//|/\.|\.lock(?:/|$)|^[/.-]|[/.]$|^@$"
)
_OWNER = re.compile(r"[A-Za-z0-9_-]{1,100}")
_LONGEST = 255


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """A branch, and whose it is; an empty owner is the repository's own."""

    owner: str
    branch: str

    @property
    def label(self) -> str:
        """How GitHub writes it."""
        return f"{self.owner}:{self.branch}" if self.owner else self.branch

    def of(self, owner: str) -> str:
        """Return it with an owner, without which GitHub's filter is ignored."""
        return f"{self.owner or owner}:{self.branch}"


def branch(name: str, field: str) -> str:
    """Return a branch's name. Raises InvalidInput for one that git allows for no branch."""
    if not name or len(name.encode(errors="replace")) > _LONGEST or _UNUSABLE.search(name):
        raise _refused(name, field, "is not a name that git allows for a branch")
    return name


def head(text: str, field: str = "head") -> Head:
    """Read `branch` or `owner:branch`. Raises InvalidInput."""
    owner, colon, name = text.rpartition(":")
    if colon and not _OWNER.fullmatch(owner):
        raise _refused(text, field, "is not written branch or owner:branch")
    return Head(owner=owner, branch=branch(name, field))


def _refused(value: str, field: str, problem: str) -> InvalidInput:
    return InvalidInput(
        f"{field} {value[:120]!r} {problem}.",
        hint="Pass a branch such as 'feature/login', or 'owner:branch' for one of a fork.",
        details={"field_errors": [{"field": field, "problem": problem, "kind": "branch"}]},
    )
