"""Who is asked for a review: people by login, teams as `organization/team`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from trunkline_shared.errors import InvalidInput

_LOGIN = re.compile(r"@?([A-Za-z0-9_-]{1,100}(?:\[bot\])?)", re.ASCII)
_TEAM = re.compile(r"@?[A-Za-z0-9_-]{1,100}/([\w.-]{1,255})", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewers:
    """People's logins and teams' slugs."""

    people: tuple[str, ...] = ()
    teams: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.people or self.teams)


def reviewers(names: Sequence[str]) -> Reviewers:
    """Tell people from teams. Raises InvalidInput for what names neither."""
    people: dict[str, None] = {}
    teams: dict[str, None] = {}
    for name in names:
        if login := _LOGIN.fullmatch(name):
            people[login[1]] = None
        elif team := _TEAM.fullmatch(name):
            teams[team[1]] = None
        else:
            problem = "holds what is neither a login nor organization/team"
            raise InvalidInput(
                f"reviewers {problem}: {name[:120]!r}.",
                details={"field_errors": [{"field": "reviewers", "problem": problem}]},
            )
    return Reviewers(people=tuple(people), teams=tuple(teams))
