"""An execution context: the arguments that every call under it is bound to."""

import difflib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from trunkline_shared.errors import InvalidInput
from trunkline_shared.github.repository import Repository

Value = str | int

_SHOWN = 100
_LONGEST = 255
_HIGHEST = 2**63 - 1
_ISSUE_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_]*-[1-9][0-9]*")
_NO_BRANCH = re.compile(r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//|/\.|\.lock(/|$)|^[-/.]|[/.]$|^@$")
"""What git forbids in a branch's name (git-check-ref-format)."""


class InvalidContext(Exception):
    """The bindings make no context; the text names key, value and what is expected."""


def _owner(value: object) -> str | None:
    return value if isinstance(value, str) and _is_repository(value, "name") else None


def _repo(value: object) -> str | None:
    return value if isinstance(value, str) and _is_repository("owner", value) else None


def _is_repository(owner: str, name: str) -> bool:
    try:
        Repository(owner, name)
    except InvalidInput:
        return False
    return True


def _number(value: object) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= _SHOWN:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if 0 < value <= _HIGHEST else None


def _branch(value: object) -> str | None:
    if not isinstance(value, str) or not 0 < len(value) <= _LONGEST or _NO_BRANCH.search(value):
        return None
    return value if value.isprintable() else None


def _issue_key(value: object) -> str | None:
    matches = isinstance(value, str) and len(value) <= _LONGEST and _ISSUE_KEY.fullmatch(value)
    return str(value).upper() if matches else None


@dataclass(frozen=True, slots=True)
class _Kind:
    read: Callable[[object], Value | None]
    expected: str


_A_NUMBER = _Kind(_number, "a positive whole number")
_KINDS: Mapping[str, _Kind] = {
    "owner": _Kind(_owner, "a GitHub owner: letters, digits, '-', '_'"),
    "repo": _Kind(_repo, "a repository's name without its owner"),
    "pr_number": _A_NUMBER,
    "issue_number": _A_NUMBER,
    "comment_id": _A_NUMBER,
    "project_id": _A_NUMBER,
    "branch": _Kind(_branch, "a branch's name"),
    "issue_key": _Kind(_issue_key, "a Jira key such as PROJ-12"),
}
KEYS = tuple(_KINDS)


def _folded(name: str) -> str:
    return name.replace("_", "").replace("-", "").casefold()


_ALIASES = {"pull_number": "pr_number", "pull_request_number": "pr_number"}
_KEY_OF = {_folded(name): key for name, key in {**{key: key for key in KEYS}, **_ALIASES}.items()}


def key_of(name: str) -> str | None:
    """Return the key that an argument goes by, however it is spelled: `commentId`, `prNumber`."""
    return _KEY_OF.get(_folded(name))


def is_blank(value: object) -> bool:
    """Say whether an argument stands for "not given", as our servers' own defaults do."""
    return value is None or value == ""


@dataclass(frozen=True, slots=True)
class Context:
    """Bindings by key; the empty context binds nothing. Only `of` checks what it is given.

    A pull request's number is an issue's number too, so `pr_number` stands as both.
    """

    bindings: tuple[tuple[str, Value], ...] = ()

    @classmethod
    def of(cls, given: Iterable[tuple[str, object]]) -> "Context":
        """Return the context with these bindings; spellings are normalised.

        Raises InvalidContext for a key that is unknown or comes twice, for a malformed value, and
        for a pull request and an issue of different numbers.
        """
        bound: dict[str, Value] = {}
        for name, value in given:
            key, read = _read(name, value)
            if key in bound:
                raise InvalidContext(f"Context key {key} comes twice: {bound[key]!r}, {read!r}.")
            bound[key] = read
        number = bound.get("pr_number")
        if number is not None and bound.setdefault("issue_number", number) != number:
            raise InvalidContext(
                f"pr_number {number} and issue_number {bound['issue_number']} contradict each "
                "other: a pull request has one number. Give pr_number alone."
            )
        return cls(tuple((key, bound[key]) for key in KEYS if key in bound))

    def within(self, other: "Context") -> "Context":
        """Return the context that binds what either does, as `other` spells it.

        Raises InvalidContext where the two contradict each other.
        """
        if not self.bindings:
            return other
        for key, value in self.bindings:
            if not other.allows(key, value):
                raise InvalidContext(f"{key} {value} contradicts {key} {other.get(key)}.")
        return Context.of((dict(self.bindings) | dict(other.bindings)).items())

    def __bool__(self) -> bool:
        return bool(self.bindings)

    def __str__(self) -> str:
        told = self.get("pr_number") is not None
        shown = [(k, v) for k, v in self.bindings if not (told and k == "issue_number")]
        return ", ".join(f"{key} {value}" for key, value in shown)

    def get(self, key: str) -> Value | None:
        return next((value for name, value in self.bindings if name == key), None)

    def allows(self, key: str, value: object) -> bool:
        """Say whether `value` is the bound one, or `key` is not bound.

        Case counts in branches only; a number may be written as a text.
        """
        wanted = self.get(key)
        if wanted is None:
            return True
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        read = _KINDS[key].read(value)
        if isinstance(read, str) and isinstance(wanted, str) and key != "branch":
            return read.casefold() == wanted.casefold()
        return read == wanted


NOTHING = Context()


def _read(name: str, value: object) -> tuple[str, Value]:
    key = key_of(name)
    shown = f"{value!r}"[:_SHOWN]
    if key is None:
        nearest = difflib.get_close_matches(name[:_SHOWN], KEYS, n=1, cutoff=0.3)
        meant = f" Did you mean {nearest[0]!r}?" if nearest else ""
        raise InvalidContext(
            f"Unknown context key {name[:_SHOWN]!r} (={shown}).{meant} Keys: {', '.join(KEYS)}."
        )
    read = _KINDS[key].read(value)
    if read is None:
        raise InvalidContext(f"Context key {key}={shown} must be {_KINDS[key].expected}.")
    return key, read
