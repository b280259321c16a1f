"""The Jira key in a branch's name: `feature/PROJ-12-title`, `proj-12`.

A key in capitals is one wherever a word begins. In small letters it is one only where a part of the
name begins, with ten letters and digits at most (Jira's own limit), since `login-step-3` looks the
same; words that such names are made of (`fix-12`, `release-2024`) are never taken for a project,
nor are those of well-known standards (`UTF-8`, `sha-256`), however they are written. What goes on
like a version (`node-20.1`) is none.
"""

import re
from collections.abc import Iterator

_NUMBER = r"[1-9][0-9]{0,9}(?![0-9A-Za-z])(?!\.[0-9])"
_CAPITALS = re.compile(rf"(?<![0-9A-Za-z])([A-Z][A-Z0-9_]+)-({_NUMBER})")
_SMALL = re.compile(rf"(?:^|/)([A-Za-z][A-Za-z0-9]{{1,9}})-({_NUMBER})")
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_]*-[1-9][0-9]*")

_STANDARD = re.compile("AES|COVID|CVE|ECMA|ES|GH|GL|HTTP|ISO|MD|MR|PEP|PR|RFC|RSA|SHA|TLS|UTF")
_WORD = re.compile(
    "add|attempt|batch|bug|bugfix|build|bump|chore|cleanup|day|dev|docs|draft|drop|feat|feature|"
    "fix|fixes|gen|go|hotfix|issue|iteration|java|jdk|keep|level|make|merge|milestone|month|next|"
    "node|option|pack|page|part|patch|phase|php|pin|plan|pre|py|python|rc|refactor|release|remove|"
    "revert|review|round|ruby|rust|set|sprint|stage|step|task|temp|tests?|ticket|tmp|top|try|"
    "update|upgrade|use|ver|version|vue|week|wip|year",
    re.IGNORECASE,
)


def issue_key_of(branch: str | None, linked: str | None) -> str | None:
    """Return the issue that twig links to a branch, else the first key in the branch's name."""
    if linked:
        return linked.upper() if _KEY.fullmatch(linked) else linked
    return next(_keys_in(branch or ""), None)


def _keys_in(name: str) -> Iterator[str]:
    for project, number in _CAPITALS.findall(name):
        if not _STANDARD.fullmatch(project):
            yield f"{project}-{number}"
    for project, number in _SMALL.findall(name):
        known = _STANDARD.fullmatch(project.upper()) or _WORD.fullmatch(project)
        if not known:
            yield f"{project.upper()}-{number}"
