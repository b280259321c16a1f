"""The projects that this mesh may touch, as Jira lists them."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from trunkline_jira.search_endpoints import SentProject, find_projects
from trunkline_jira.site.client import Jira
from trunkline_shared.errors import BlockedByPolicy
from trunkline_shared.vendor.callers_own import PerCredential

KEPT_S = 300.0
PAGE_CAP = 100


@dataclass(slots=True)
class _Known:
    keys: tuple[str, ...] = ()
    until: float = float("-inf")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectDirectory:
    """Lists projects; the keys that the operator's globs stand for are kept for five minutes."""

    jira: Jira
    known: PerCredential[_Known] = field(default_factory=lambda: PerCredential("jira", _Known))

    async def each(self, text: str = "") -> AsyncIterator[SentProject]:
        """Yield the allowed projects whose key or name holds `text`, by key.

        Raises a TrunklineError.
        """
        flavour = (await self.jira.deployment()).flavour
        start = 0
        for _ in range(PAGE_CAP):
            page = await self.jira.fetch(find_projects(flavour, text, start))
            for project in sorted(page.values, key=lambda one: one.key):
                if self.jira.projects.allows(project.key) and _holds(project, text):
                    yield project
            start = page.startAt + len(page.values)
            if not page.values or start >= (page.total or 0):
                return

    async def allowed_keys(self) -> tuple[str, ...]:
        """Return the keys that a search is narrowed to; none stands for all.

        Raises BlockedByPolicy when the operator's list names no project that there is.
        """
        allowed = self.jira.projects
        if not allowed.limited:
            return ()
        keys = (*allowed.keys, *(await self._behind_globs() if allowed.wildcards else ()))
        if not keys:
            raise BlockedByPolicy(
                f"No project of this Jira is on the mesh's list ({', '.join(allowed.globs)}).",
                hint="The operator sets TRUNKLINE_JIRA_PROJECTS.",
                details={"reason": "project_not_allowed"},
            )
        return tuple(dict.fromkeys(keys))

    async def _behind_globs(self) -> tuple[str, ...]:
        now = self.jira.clock.monotonic()
        known = self.known.current()
        if now >= known.until:
            known.keys = tuple([project.key async for project in self.each()])
            known.until = now + KEPT_S
        return known.keys


def _holds(project: SentProject, text: str) -> bool:
    wanted = text.casefold()
    return wanted in project.key.casefold() or wanted in project.name.casefold()
