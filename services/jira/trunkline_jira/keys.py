"""Issue keys: which texts are one, in the one spelling that Jira and the mesh's tags use."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

from trunkline_shared.errors import InvalidInput

DEFAULT_PATTERN = r"[A-Z][A-Z0-9_]+-\d+"

LONGEST = 255
_HARMLESS = re.compile(r"([A-Z0-9_]+)-([0-9]+)", re.ASCII)
_FIRST_WORD = re.compile(r"[\[({#]?\s*([A-Za-z0-9_-]+)(?=$|[\s\])}:;,]|[.!?](?:\s|$))", re.ASCII)
_UNHYPHENATED = re.compile(r"([A-Z0-9_]*[A-Z_])([0-9]+)", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class IssueKey:
    """A project's key and the issue's number in it."""

    project: str
    number: str

    def __str__(self) -> str:
        return f"{self.project}-{self.number}"

    @property
    def segment(self) -> str:
        """The key as one segment of a URL's path."""
        return quote(str(self), safe="")


@dataclass(frozen=True, slots=True)
class KeyRules:
    """What a key looks like at one site: Data Center's administrators may change it.

    Whatever the pattern says, a key is of letters, digits and underscores, a hyphen and digits:
    nothing else ever gets into a path.
    """

    pattern: re.Pattern[str]

    @classmethod
    def of(cls, pattern: str = DEFAULT_PATTERN) -> "KeyRules":
        """Return the rules of a pattern, a regular expression over whole upper-case keys."""
        return cls(re.compile(pattern, re.ASCII))

    def parsed(self, text: str) -> IssueKey:
        """Return the key that a text is or begins with: `me1234`, `ME-1234:`, `[ME-1234] text`.

        Raises InvalidInput.
        """
        if not text.strip():
            raise _missing()
        for candidate in _candidates(text.strip()):
            harmless = _HARMLESS.fullmatch(candidate)
            if harmless and len(candidate) <= LONGEST and self.pattern.fullmatch(candidate):
                return IssueKey(project=harmless[1], number=harmless[2])
        raise _refused(text)

    @staticmethod
    def sent(text: str) -> IssueKey | None:
        """Return the key that Jira has sent, or None for a text that is none."""
        harmless = _HARMLESS.fullmatch(text)
        return IssueKey(project=harmless[1], number=harmless[2]) if harmless else None


def _candidates(text: str) -> Iterator[str]:
    word = _FIRST_WORD.match(text)
    if word is None:
        return
    spelled = word[1].upper()
    yield spelled
    if run_together := _UNHYPHENATED.fullmatch(spelled):
        yield f"{run_together[1]}-{run_together[2]}"


def _missing() -> InvalidInput:
    return InvalidInput(
        "issue_key must be given: no issue is known for this call.",
        hint="Pass issue_key, such as 'PROJ-123'. On a laptop it is the current branch's issue "
        "when twig knows one or the branch is named after one.",
        details={
            "field_errors": [{"field": "issue_key", "problem": "is required", "kind": "missing"}]
        },
    )


def _refused(text: str) -> InvalidInput:
    return InvalidInput(
        f"issue_key {text[:60]!r} is no issue key.",
        hint="Pass a project's key, a hyphen and a number, such as 'PROJ-123'. A site with other "
        "keys sets TRUNKLINE_JIRA_KEY_PATTERN.",
        details={
            "field_errors": [
                {"field": "issue_key", "problem": "is no issue key", "kind": "issue_key"}
            ]
        },
    )
