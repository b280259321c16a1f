"""The names that agents see: safe for every model, unique, and the same in any order of servers."""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Prefix = Literal["collision", "always", "never"]
Identity = tuple[str, str]
"""A server's id, and its own name for something."""

LONGEST = 48
"""With `mcp__`, a server's name and two underscores before it, a name still fits 64 characters."""

_UNSAFE = re.compile(r"[^A-Za-z0-9_-]")
_MARK = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A server's own name for something, and the name that it would like to have.

    `fixed` names belong to the mesh itself and never change. A name that the operator has given
    is `chosen`.
    """

    server: str
    name: str
    wish: str
    fixed: bool = False
    chosen: bool = False


def names_of(claims: Iterable[Claim], prefix: Prefix) -> dict[Identity, str | None]:
    """Return the exposed name of each claim; None for one that is left out.

    Clients turn `-` into `_`, so that names which differ in that alone count as the same. Fixed
    names come first, then it is the servers' ids and the names that decide, never their order.
    """
    taken: dict[str, str] = {}
    exposed: dict[Identity, str | None] = {}
    for claim in sorted(claims, key=_precedence):
        name = _free(claim, prefix, taken)
        if name is not None:
            taken[folded(name)] = claim.server
        exposed[claim.server, claim.name] = name
    return exposed


def safe(name: str) -> str:
    """Return a name in the characters that every model's API takes."""
    return _UNSAFE.sub("_", name) or "_"


def folded(name: str) -> str:
    """Return what the most careless client makes of a safe name."""
    return name.replace("-", "_")


def _precedence(claim: Claim) -> tuple[bool, str, bool, bool, str]:
    changed = safe(claim.wish) != claim.wish
    return not claim.fixed, claim.server, not claim.chosen, changed, claim.name


def _free(claim: Claim, prefix: Prefix, taken: dict[str, str]) -> str | None:
    prefixed = f"{claim.server}__{safe(claim.wish)}"
    if claim.fixed:
        first = claim.wish
    elif prefix == "always":
        first = _fitted(prefixed, claim)
    else:
        first = _fitted(safe(claim.wish), claim)
    owner = taken.get(folded(first))
    if owner is None:
        return first
    if prefix == "never" and owner != claim.server and not claim.fixed:
        return None
    second = _fitted(prefixed, claim)
    return second if folded(second) not in taken else _marked(prefixed, claim, taken)


def _fitted(name: str, claim: Claim) -> str:
    return name if len(name) <= LONGEST else _with_mark(name, claim, 0)


def _marked(name: str, claim: Claim, taken: dict[str, str]) -> str:
    attempt = 0
    while folded(marked := _with_mark(name, claim, attempt)) in taken:
        attempt += 1
    return marked


def _with_mark(name: str, claim: Claim, attempt: int) -> str:
    identity = f"{claim.server}/{claim.name}/{attempt}".encode("utf-8", "surrogatepass")
    mark = hashlib.sha256(identity).hexdigest()[:_MARK]
    return f"{name[: LONGEST - _MARK - 1]}_{mark}"
