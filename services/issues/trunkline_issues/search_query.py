"""What may be searched: a caller's query, held inside one repository.

GitHub reads words, "phrases", qualifiers such as `label:bug`, and AND, OR, NOT with parentheses.
Whatever of it could reach beyond the repository is refused; the same words in quotes are text.

https://docs.github.com/search-github/searching-on-github/searching-issues-and-pull-requests
"""

import re
import unicodedata
from typing import Literal

from trunkline_shared.errors import BlockedByPolicy, InvalidInput
from trunkline_shared.github.repository import Repository
from trunkline_shared.postable import require_clean

Kind = Literal["issue", "pr"]

LONGEST = 1_000
_PHRASE = re.compile(r'"[^"]*"')
_SCOPE = re.compile(r"(?<!\w)(repo|org|user|owner|enterprise)\s*:", re.IGNORECASE)
_KIND = re.compile(r"(?<!\w)(?:is|type)\s*:\s*(pr|pull-request|issue)(?![\w-])", re.IGNORECASE)
_BOOLEAN = re.compile(r"[()]|(?<!\S)(?:AND|OR|NOT)(?!\S)", re.IGNORECASE)
_IS: dict[Kind, str] = {"issue": "is:issue", "pr": "is:pull-request"}


def scoped(query: str, repository: Repository, kind: Kind) -> str:
    """Return what to ask GitHub: the query, within the repository and of the kind.

    Raises InvalidInput for a query that cannot be held together, BlockedByPolicy for one that
    names where to search.
    """
    text = " ".join(query.split())
    require_clean(text, "query")
    if not text:
        raise _refused("is blank", "Search for words or qualifiers; github_list_issues lists all.")
    if len(text) > LONGEST:
        raise _refused(f"has more than {LONGEST} characters", "GitHub takes 256 without operators.")
    for reading in (text, unicodedata.normalize("NFKC", text)):
        _check(reading, kind)
    inside = f"({text})" if _BOOLEAN.search(_without_phrases(text)) else text
    return f"repo:{repository.slug} {_IS[kind]} {inside}"


def _check(text: str, kind: Kind) -> None:
    if text.count('"') % 2 or '\\"' in text:
        raise _refused(
            "has a quotation mark that closes nothing", "Quote whole phrases, without escapes."
        )
    words = _without_phrases(text)
    if scope := _SCOPE.search(words):
        raise BlockedByPolicy(
            f"query holds {scope[1]}:, and a search stays within the repository of the call.",
            hint="Leave it out and pass owner and repo; to search for the words, quote them.",
            details={"reason": "search_scope", "qualifier": scope[1].lower()},
        )
    _check_parentheses(words)
    for said in _KIND.finditer(words):
        meant: Kind = "issue" if said[1].lower() == "issue" else "pr"
        if meant != kind:
            raise _refused(f"says {said[0]}, and kind is {kind!r}", f"Pass kind={meant!r}.")


def _without_phrases(text: str) -> str:
    """Return the text with a space in place of each quoted phrase."""
    return _PHRASE.sub(' "" ', text)


def _check_parentheses(words: str) -> None:
    depth = 0
    for character in words:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth < 0:
            break
    if depth:
        raise _refused("has parentheses that do not match", "Close each one that is opened.")


def _refused(problem: str, hint: str) -> InvalidInput:
    return InvalidInput(
        f"query {problem}.",
        hint=hint,
        details={"field_errors": [{"field": "query", "problem": problem, "kind": "query"}]},
    )
