"""The repositories that a mesh may touch at all: TRUNKLINE_ALLOWED_REPOS."""

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Annotated

from pydantic import AfterValidator

from trunkline_shared.errors import BlockedByPolicy

_ANY = "*"
_PARTS = re.compile(r"[a-z0-9._-]*")
"""What owners and names consist of: a slash would lead on to another repository."""


@dataclass(frozen=True, slots=True)
class AllowedRepositories:
    """Globs `owner/repo`, compared without regard to case; none allows any repository."""

    globs: tuple[str, ...] = ()

    @classmethod
    def of(cls, text: str) -> "AllowedRepositories":
        """Read a comma list. Raises ValueError for a glob that no repository can match."""
        globs = tuple(re.findall(r"[^,\s]+", text))
        for glob in globs:
            if glob != _ANY and glob.count("/") != 1:
                raise ValueError(
                    f"{glob!r} is no glob over owner/repo: write acme/*, or acme/widgets"
                )
        return cls(globs)

    def __bool__(self) -> bool:
        return bool(self.globs)

    def admit(self, owner: str, name: str) -> bool:
        """Say whether a repository is among them; an empty part stands for any."""
        if not self.globs:
            return True
        return any(_admits(glob.lower(), owner.lower(), name.lower()) for glob in self.globs)

    def refusal(self, owner: str, name: str) -> BlockedByPolicy:
        """Return the refusal of a repository that is not among them; a part may be empty."""
        return BlockedByPolicy(
            f"Repository {owner or '*'}/{name or '*'} is outside what this mesh may touch.",
            hint=f"TRUNKLINE_ALLOWED_REPOS allows {', '.join(self.globs)}.",
            details={"reason": "repository_not_allowed"},
        )


def _checked(text: str) -> str:
    AllowedRepositories.of(text)
    return text


RepositoryGlobs = Annotated[str, AfterValidator(_checked)]
"""The variable's text, in the settings of whoever keeps to it."""


def _admits(glob: str, owner: str, name: str) -> bool:
    if glob == _ANY:
        return True
    if not _PARTS.fullmatch(owner) or not _PARTS.fullmatch(name):
        return False
    of_owner, _, of_name = glob.partition("/")
    return (not owner or fnmatchcase(owner, of_owner)) and (not name or fnmatchcase(name, of_name))
