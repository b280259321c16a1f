"""Tags: what a read depends on and a write changes, in one hierarchy over all servers.

`gh:acme/widgets#12:comments` lies beneath `gh:acme/widgets#12`, and that beneath
`gh:acme/widgets`. A read and a write have to do with each other when the tag of one is the tag of
the other, lies beneath it, or above it.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from trunkline_router.context import is_blank, key_of

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_SEPARATORS = re.compile(r"[:#@/]")
_FOLDED = frozenset({"owner", "repo"})
_LONGEST = 300
_ISSUE_KEY = re.compile(r"[A-Za-z0-9_]+-[1-9][0-9]*")
_NUMBER = re.compile(r"\+?([0-9][0-9_]*)(?:\.0*)?")
"""Whatever servers read as a whole number: `7`, `007`, `+7`, `1_000`, `7.0`."""
OWN, BENEATH = "=", ">"


@dataclass(frozen=True, slots=True)
class Filled:
    """A declared tag with the values of one call; `wide` where a value is missing.

    A wide tag ends above the first name that the call has no value for: it holds for all that the
    declaration could have meant.
    """

    tag: str
    wide: bool


def fill(template: str, arguments: Mapping[str, object]) -> Filled:
    """Fill a declared tag with arguments, spelled in any way that a context knows."""
    values = _values(arguments)
    parts: list[str] = []
    at = 0
    for found in _PLACEHOLDER.finditer(template):
        parts.append(template[at : found.start()])
        value = values.get(key_of(found[1]) or found[1])
        if value is None or len(value) > _LONGEST:
            return Filled(_above("".join(parts)), wide=True)
        parts.append(value)
        at = found.end()
    parts.append(template[at:])
    return Filled("".join(parts), wide=False)


def _above(beginning: str) -> str:
    """Return the tag above all that begin so; empty where there is none."""
    *_, end = (0, *(found.start() for found in _SEPARATORS.finditer(beginning)))
    return beginning[:end]


def _values(arguments: Mapping[str, object]) -> dict[str, str]:
    values = {}
    for name, value in arguments.items():
        if is_blank(value) or isinstance(value, dict | list | bool):
            continue
        key = key_of(name) or name
        spelled = _canonical(key, value)
        if spelled is not None:
            values[key] = spelled
    owner, slash, repo = values.get("repo", "").rpartition("/")
    if slash:
        values |= {"owner": owner, "repo": repo}
    number = values.get("pr_number") or values.get("issue_number")
    if number is not None:
        # Issues and pull requests share their numbers, and so their tags.
        values = {"pr_number": number, "issue_number": number} | values
    return values


def _canonical(key: str, value: object) -> str | None:
    """Return a value as all spell it; None for one of which only its server knows what it means."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = str(value).strip()
    if key in _FOLDED:
        return text.lower()
    if key == "issue_key":
        # Jira's server takes `me12` and `[ME-12] text` for ME-12.
        return text.upper() if _ISSUE_KEY.fullmatch(text) else None
    number = _NUMBER.fullmatch(text)
    return str(int(number[1].replace("_", ""))) if number and len(text) < _LONGEST else text


def ancestors(tag: str) -> tuple[str, ...]:
    """Return the tags above a tag, the highest first."""
    return tuple(tag[: found.start()] for found in _SEPARATORS.finditer(tag))


def is_beneath(tag: str, other: str) -> bool:
    """Say whether a tag lies beneath another one."""
    return tag.startswith(other) and tag != other and bool(_SEPARATORS.match(tag, len(other)))


def is_related(tag: str, other: str) -> bool:
    """Say whether a change under one tag concerns what depends on the other."""
    return tag == other or is_beneath(tag, other) or is_beneath(other, tag)


def names_to_read(tags: Iterable[str]) -> tuple[str, ...]:
    """Return the generations that reads under these tags depend on, each once, in order.

    Those are the tag's own, those of all above it, and the one that stands for all beneath it.
    """
    names: dict[str, None] = {}
    for tag in tags:
        for above in ancestors(tag):
            names[OWN + above] = None
        names[OWN + tag] = None
        names[BENEATH + tag] = None
    return tuple(names)


def names_to_bump(tags: Iterable[str]) -> tuple[str, ...]:
    """Return the generations that a change under these tags spoils, each once, in order."""
    names: dict[str, None] = {}
    for tag in tags:
        for above in ancestors(tag):
            names[BENEATH + above] = None
        names[OWN + tag] = None
    return tuple(names)
