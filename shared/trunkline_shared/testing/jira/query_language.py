"""As much of JQL as the stand-in understands, written apart from what the server knows of it."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from trunkline_shared.testing.jira.answers import refused
from trunkline_shared.testing.jira.issues import Issue
from trunkline_shared.testing.jira.people import User
from trunkline_shared.testing.jira.state import State

Holds = Callable[[Issue], bool]

_WORDS = re.compile(
    r"\s*(\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|>=|<=|!=|[=~<>(),]|[^\s=~<>!(),\"']+)"
)
_ESCAPE = re.compile(r"\\(.)")
_AGO = re.compile(r"-(\d+)([mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


@dataclass(slots=True)
class Query:
    """A query that is being read; `asker` is whom `currentUser()` means."""

    state: State
    asker: User | None
    words: list[str]
    at: int = 0

    def issues(self, among: Sequence[Issue]) -> list[Issue]:
        """Return the issues that the query finds, in its order. Raises Refusal."""
        holds = None if self._is("order") or self.at == len(self.words) else self._either()
        found = [issue for issue in among if holds is None or holds(issue)]
        if self._took("order"):
            self._need("by")
            found = self._sorted(found)
        if self.at < len(self.words):
            raise wrong(f"Error in the JQL Query: Expecting 'ORDER BY' but got '{self._word()}'.")
        return found

    @property
    def is_bounded(self) -> bool:
        return bool(self.words) and self.words[0].lower() != "order"

    def _either(self) -> Holds:
        parts = [self._all()]
        while self._took("or"):
            parts.append(self._all())
        return lambda issue: any(part(issue) for part in parts)

    def _all(self) -> Holds:
        parts = [self._one()]
        while self._took("and"):
            parts.append(self._one())
        return lambda issue: all(part(issue) for part in parts)

    def _one(self) -> Holds:
        if self._took("not"):
            inner = self._one()
            return lambda issue: not inner(issue)
        if self._took("("):
            inner = self._either()
            self._need(")")
            return inner
        return self._clause()

    def _clause(self) -> Holds:
        field, operator = self._taken().lower(), self._taken().lower()
        if operator == "is":
            negated = self._took("not")
            self._need("empty")
            return lambda issue: (self._value(field, issue) in {None, ""}) is not negated
        if operator in {"in", "not"}:
            if operator == "not":
                self._need("in")
            wanted = self._operands()
            return lambda issue: self._equal(field, issue, wanted) is (operator == "in")
        return self._compared(field, operator, self._operand())

    def _compared(self, field: str, operator: str, operand: str) -> Holds:
        if operator == ">=" and field in {"updated", "created"}:
            since = self.state.now() - _ago(operand)
            return lambda issue: (issue.updated if field == "updated" else issue.created) >= since
        if operator == "~":
            return lambda issue: operand.lower() in str(self._value(field, issue)).lower()
        if operator in {"=", "!="}:
            self._check(field, operand)
            return lambda issue: self._equal(field, issue, [operand]) is (operator == "=")
        raise wrong(f"Error in the JQL Query: The operator '{operator}' is not supported.")

    def _equal(self, field: str, issue: Issue, wanted: Sequence[str]) -> bool:
        known = self._value(field, issue)
        if field == "project":
            names = {issue.project.key.lower(), issue.project.name.lower()}
            return any(one.lower() in names for one in wanted)
        return str(known or "").lower() in {one.lower() for one in wanted}

    def _value(self, field: str, issue: Issue) -> str | None:
        if field in {"assignee", "reporter"}:
            user = issue.assignee if field == "assignee" else issue.reporter
            return None if user is None else self.account(user)
        if field not in _VALUES:
            raise wrong(f"Field '{field}' does not exist or you do not have permission to view it.")
        return _VALUES[field](issue)

    def _check(self, field: str, operand: str) -> None:
        known = {
            "project": {n.lower() for p in self.state.projects.values() for n in (p.key, p.name)},
            "status": {issue.status.name.lower() for issue in self.state.issues.values()},
        }
        if field in known and operand.lower() not in known[field]:
            raise wrong(f"The value '{operand}' does not exist for the field '{field}'.")

    def account(self, user: User) -> str:
        return user.account_id if self.state.is_cloud else user.name

    def _operand(self) -> str:
        word = self._taken()
        if self._took("("):
            self._need(")")
            if word.lower() == "currentuser":
                return self.account(self.asker) if self.asker is not None else ""
            raise wrong(f"Unable to find JQL function '{word}()'.")
        return _ESCAPE.sub(r"\1", word[1:-1]) if word[0] in "\"'" else word

    def _operands(self) -> list[str]:
        self._need("(")
        found = [self._operand()]
        while self._took(","):
            found.append(self._operand())
        self._need(")")
        return found

    def _sorted(self, found: list[Issue]) -> list[Issue]:
        terms = [(self._taken().lower(), self._way())]
        while self._took(","):
            terms.append((self._taken().lower(), self._way()))
        for field, descending in reversed(terms):
            found = sorted(found, key=_SORTS.get(field, _SORTS["key"]), reverse=descending)
        return found

    def _way(self) -> bool:
        return self._took("desc") or (self._took("asc") and False)

    def _word(self) -> str:
        return self.words[self.at] if self.at < len(self.words) else ""

    def _is(self, word: str) -> bool:
        return self._word().lower() == word

    def _took(self, word: str) -> bool:
        taken = self._is(word)
        self.at += taken
        return taken

    def _taken(self) -> str:
        word = self._word()
        if not word:
            raise wrong("Error in the JQL Query: The query ends too early.")
        self.at += 1
        return word

    def _need(self, word: str) -> None:
        if not self._took(word):
            raise wrong(f"Error in the JQL Query: Expecting '{word}' but got '{self._word()}'.")


_VALUES: dict[str, Callable[[Issue], str]] = {
    "project": lambda issue: issue.project.key,
    "key": lambda issue: issue.key,
    "status": lambda issue: issue.status.name,
    "issuetype": lambda issue: issue.type.name,
    "type": lambda issue: issue.type.name,
    "summary": lambda issue: issue.summary,
    "text": lambda issue: issue.summary,
    "labels": lambda issue: ", ".join(issue.labels),
}
_SORTS: dict[str, Callable[[Issue], tuple[object, ...]]] = {
    "updated": lambda issue: (issue.updated, issue.number),
    "created": lambda issue: (issue.created, issue.number),
    "summary": lambda issue: (issue.summary, issue.number),
    "key": lambda issue: (issue.project.key, issue.number),
}


def query_of(state: State, asker: User | None, jql: str) -> Query:
    """Return a query, ready to be read. Raises Refusal for what has no words."""
    words: list[str] = []
    at = 0
    text = jql.rstrip()
    while at < len(text):
        match = _WORDS.match(text, at)
        if match is None:
            raise wrong(f"Error in the JQL Query: Error at character {at}.")
        words.append(match[1])
        at = match.end()
    return Query(state=state, asker=asker, words=words)


def wrong(message: str) -> Exception:
    """Return the refusal of a query."""
    return refused(400, [message])


def _ago(operand: str) -> timedelta:
    match = _AGO.fullmatch(operand)
    if match is None:
        raise wrong(f"Date value '{operand}' is invalid.")
    return timedelta(**{_UNITS[match[2]]: int(match[1])})
