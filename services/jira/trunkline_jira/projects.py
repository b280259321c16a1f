"""Which projects the operator lets the mesh touch; a caller can narrow that and never widen it."""

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase

from trunkline_jira.keys import IssueKey
from trunkline_shared.errors import BlockedByPolicy

VARIABLE = "TRUNKLINE_JIRA_PROJECTS"
_WILD = re.compile(r"[*?]")


@dataclass(frozen=True, slots=True)
class AllowedProjects:
    """Globs over project keys, in upper case; without any, every project is allowed."""

    globs: tuple[str, ...] = ()

    @classmethod
    def of(cls, comma_list: str) -> "AllowedProjects":
        """Return the projects of a comma list of keys and globs."""
        return cls(tuple(re.findall(r"[^,\s]+", comma_list.upper())))

    @property
    def limited(self) -> bool:
        """Whether there are projects that are not allowed."""
        return bool(self.globs) and "*" not in self.globs

    @property
    def keys(self) -> tuple[str, ...]:
        """The allowed keys that are spelled out, without the globs."""
        return tuple(glob for glob in self.globs if not _WILD.search(glob))

    @property
    def wildcards(self) -> tuple[str, ...]:
        """The globs that stand for several keys."""
        return tuple(glob for glob in self.globs if _WILD.search(glob))

    def allows(self, project: str) -> bool:
        """Whether a project, by its key in any case, may be touched."""
        return not self.globs or any(fnmatchcase(project.upper(), glob) for glob in self.globs)

    def require(self, project: str) -> None:
        """Raise BlockedByPolicy for a project that may not be touched."""
        if not self.allows(project):
            raise BlockedByPolicy(
                f"Project {project} is not on this mesh's list of Jira projects.",
                hint=f"Allowed: {', '.join(self.globs)}. The operator sets {VARIABLE}.",
                details={"reason": "project_not_allowed", "project": project},
            )

    def require_key(self, key: IssueKey) -> None:
        """Raise BlockedByPolicy for an issue of a project that may not be touched."""
        self.require(key.project)
