"""What an agent asked for: a branch, or nothing and so the one that is checked out."""

from collections.abc import Mapping
from dataclasses import dataclass

from trunkline_shared.binding import bound

CURRENT = "."


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A branch, empty for the current one, in a repository, empty for the one that is known."""

    branch: str = ""
    owner: str = ""
    repo: str = ""

    @property
    def repository(self) -> Mapping[str, str]:
        """What names the repository in a call; nothing where the router has to know it."""
        given = {"owner": self.owner, "repo": self.repo}
        return {name: value for name, value in given.items() if value}


def bound_number() -> int | None:
    """Return the pull request that the caller's context is bound to."""
    found = bound("pr_number")
    return None if found is None else int(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What the parts are about, as far as it is known before any vendor has answered."""

    branch: str = ""
    pr_number: int | None = None
    issue_key: str | None = None
    head_sha: str | None = None
