"""Which fields of an issue are asked for: ours by name, the site's own by name or id."""

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from trunkline_jira.endpoints import list_fields
from trunkline_jira.models import JiraIssue
from trunkline_jira.sent import SentField
from trunkline_jira.site.client import Jira
from trunkline_shared.errors import InvalidInput
from trunkline_shared.vendor.callers_own import PerCredential

KEPT_S = 300.0
ALWAYS = "key"
_CUSTOM_ID = re.compile(r"customfield_\d+", re.ASCII)
_READ_FROM: Mapping[str, str] = {
    "summary": "summary",
    "description": "description",
    "status": "status",
    "status_category": "status",
    "assignee": "assignee",
    "assignee_id": "assignee",
    "type": "issuetype",
    "priority": "priority",
    "reporter": "reporter",
    "labels": "labels",
    "parent": "parent",
    "fix_versions": "fixVersions",
    "created": "created",
    "updated": "updated",
    "resolution": "resolution",
    "links": "issuelinks",
    "subtasks": "subtasks",
    "attachments": "attachment",
}
"""Jira's fields by ours; the rest of ours is made of the key, or of comments."""
_SHOWN_AS = {theirs: ours for ours, theirs in reversed(tuple(_READ_FROM.items()))}
"""Ours by Jira's. Links, parent and subtasks as Jira sends them would tell of issues that the
mesh may not touch.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """`shown` are our fields (all when empty), `asked` Jira's, `custom` those beyond ours."""

    shown: tuple[str, ...]
    asked: tuple[str, ...]
    custom: tuple[str, ...] = ()


@dataclass(slots=True)
class _Known:
    fields: tuple[SentField, ...] = ()
    until: float = float("-inf")


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldSelector:
    """Knows the site's fields by name, asked for when a name needs it, and every five minutes."""

    jira: Jira
    known: PerCredential[_Known] = field(default_factory=lambda: PerCredential("jira", _Known))

    async def selected(self, fields: Sequence[str]) -> Selection:
        """Return what a caller's list of names comes to; an empty one is all of ours.

        Raises InvalidInput for a name that is nobody's.
        """
        names = [name.strip() for name in fields if name.strip()]
        if not names:
            return Selection(shown=(), asked=_distinct(_READ_FROM.values()))
        found = [one for name in names for one in await self._meant(name)]
        ours = [name for name in found if name in JiraIssue.model_fields]
        custom = [name for name in found if name not in JiraIssue.model_fields]
        needed = [*ours, *(["attachments"] if "description" in ours else [])]
        asked = [_READ_FROM[name] for name in needed if name in _READ_FROM]
        extra = ["custom"] if custom else []
        lossy = ["lossy"] if {"description", "comments"} & {*ours} else []
        return Selection(
            shown=_distinct([ALWAYS, *ours, *extra, *lossy]),
            asked=_distinct([*asked, *custom]) or ("summary",),
            custom=_distinct(custom),
        )

    async def _meant(self, name: str) -> list[str]:
        """Return our fields of a name, else the ids of the site's."""
        if name in JiraIssue.model_fields or _CUSTOM_ID.fullmatch(name):
            return [name]
        fields = await self._fields()
        wanted = name.casefold()
        found = [one.id for one in fields if wanted in {one.id.casefold(), one.name.casefold()}]
        if not found:
            raise _unknown(name, fields)
        return [_SHOWN_AS.get(one, one) for one in found]

    async def _fields(self) -> tuple[SentField, ...]:
        now = self.jira.clock.monotonic()
        known = self.known.current()
        if now >= known.until:
            flavour = (await self.jira.deployment()).flavour
            known.fields = await self.jira.fetch(list_fields(flavour))
            known.until = now + KEPT_S
        return known.fields


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _unknown(name: str, fields: Iterable[SentField]) -> InvalidInput:
    known = [*JiraIssue.model_fields, *(one.name for one in fields)]
    nearest = difflib.get_close_matches(name, known, n=1)
    return InvalidInput(
        f"fields: {name[:80]!r} is neither a field of the answer nor one of this Jira.",
        hint=f"Did you mean {nearest[0]!r}?"
        if nearest
        else f"Fields of the answer: {', '.join(JiraIssue.model_fields)}.",
        details={
            "field_errors": [
                {"field": "fields", "problem": f"{name[:80]!r} is unknown", "kind": "unknown_field"}
            ]
        },
    )
