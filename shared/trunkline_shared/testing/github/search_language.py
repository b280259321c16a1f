"""The language of issue search: terms, qualifiers, AND, OR, NOT, `-` and parentheses.

https://docs.github.com/search-github/searching-on-github/searching-issues-and-pull-requests
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from trunkline_shared.testing.github.conversation import Issue
from trunkline_shared.testing.github.repository import Repository

Matches = Callable[[Repository, Issue], bool]
_TOKEN = re.compile(r'\s*([()]|(?:[^\s()"]|"[^"]*")+)')
_QUALIFIER = re.compile(r"(\w+):(.+)", re.DOTALL)
_KINDS = {"issue": False, "pr": True, "pull-request": True}


class NotUnderstood(Exception):
    """The query is none; the text says why."""


@dataclass(slots=True)
class Query:
    """A query read from its tokens; `repositories` are those that it names."""

    tokens: list[str]
    repositories: list[str]

    @classmethod
    def read(cls, text: str) -> tuple[Matches, list[str]]:
        """Return what an issue must be, and the repositories that the query names."""
        if text.count('"') % 2:
            raise NotUnderstood("a quotation mark is missing")
        query = cls(tokens=[found[1] for found in _TOKEN.finditer(text)], repositories=[])
        matches = query._any()
        if query.tokens:
            raise NotUnderstood("a parenthesis is missing")
        return matches, query.repositories

    def _any(self) -> Matches:
        parts = [self._all()]
        while self.tokens and self.tokens[0] == "OR":
            self.tokens.pop(0)
            parts.append(self._all())
        return lambda home, issue: any(one(home, issue) for one in parts)

    def _all(self) -> Matches:
        parts: list[Matches] = []
        while self.tokens and self.tokens[0] not in {"OR", ")"}:
            if self.tokens[0] == "AND":
                self.tokens.pop(0)
                continue
            parts.append(self._one())
        return lambda home, issue: all(one(home, issue) for one in parts)

    def _one(self) -> Matches:
        word = self.tokens.pop(0)
        if word == "NOT":
            return _not(self._one())
        if word != "(":
            return self._term(word)
        inner = self._any()
        if not self.tokens or self.tokens.pop(0) != ")":
            raise NotUnderstood("a parenthesis is missing")
        return inner

    def _term(self, word: str) -> Matches:
        if word.startswith("-") and len(word) > 1:
            return _not(self._term(word[1:]))
        qualifier = _QUALIFIER.fullmatch(word)
        if qualifier is None:
            return _says(word)
        name, value = qualifier[1].lower(), qualifier[2].replace('"', "").lower()
        if name == "repo":
            self.repositories.append(value)
        known = _QUALIFIERS.get(name)
        return _says(word) if known is None else known(value)


def _not(inner: Matches) -> Matches:
    return lambda home, issue: not inner(home, issue)


def _says(token: str) -> Matches:
    words = token.replace('"', "").lower()
    return lambda _, issue: words in f"{issue.title}\n{issue.body or ''}".lower()


def _is(value: str) -> Matches:
    if value in _KINDS:
        return lambda _, issue: (issue.pull is not None) is _KINDS[value]
    return lambda _, issue: issue.state == value


def _repo(value: str) -> Matches:
    return lambda home, _: home.full_name.lower() == value


def _owned(value: str) -> Matches:
    return lambda home, _: home.owner.login.lower() == value


def _label(value: str) -> Matches:
    return lambda _, issue: value in {one.name.lower() for one in issue.labels}


def _author(value: str) -> Matches:
    return lambda _, issue: issue.author is not None and issue.author.login.lower() == value


def _anything(_: str) -> Matches:
    return lambda _home, _issue: True


_QUALIFIERS: dict[str, Callable[[str], Matches]] = {
    "repo": _repo,
    "org": _owned,
    "user": _owned,
    "is": _is,
    "type": _is,
    "state": _is,
    "label": _label,
    "author": _author,
    "sort": _anything,
    "in": _anything,
}
