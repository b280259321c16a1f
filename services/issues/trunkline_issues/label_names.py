"""Which labels were meant: names compared as GitHub does, without regard to case."""

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from trunkline_shared.errors import InvalidInput
from trunkline_shared.postable import require_clean
from trunkline_shared.untrusted import sanitize

_NEAREST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Matched:
    """Names as the repository spells them, and names that it lacks."""

    known: tuple[str, ...]
    missing: tuple[str, ...]


def distinct(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names without blanks around them, each once.

    Raises InvalidInput for a blank one, BlockedByPolicy for a secret.
    """
    found: dict[str, str] = {}
    for name in names:
        require_clean(name, "labels")
        if not name.strip():
            raise InvalidInput(
                "labels holds a blank name.",
                details={"field_errors": [{"field": "labels", "problem": "must not be blank"}]},
            )
        found.setdefault(_folded(name), name.strip())
    return tuple(found.values())


def match(wanted: Iterable[str], existing: Iterable[str]) -> Matched:
    """Find the wanted names among the existing ones."""
    by_fold = {_folded(name): name for name in existing}
    known = {_folded(name): by_fold[_folded(name)] for name in wanted if _folded(name) in by_fold}
    missing = tuple(name for name in wanted if _folded(name) not in by_fold)
    return Matched(known=tuple(known.values()), missing=missing)


def nearest(missing: Iterable[str], existing: Sequence[str]) -> Mapping[str, list[str]]:
    """Return the existing names that each missing one is nearest to, if any is near."""
    by_fold = {_folded(name): name for name in existing}
    found = {
        name: [by_fold[one] for one in difflib.get_close_matches(_folded(name), by_fold, _NEAREST)]
        for name in missing
    }
    return {name: [sanitize(one) for one in near] for name, near in found.items() if near}


def unknown(missing: Sequence[str], existing: Sequence[str]) -> InvalidInput:
    """Return the refusal of labels that the repository lacks."""
    near = nearest(missing, existing)
    meant = "; ".join(f"{name!r}: did you mean {', '.join(near[name])}?" for name in near)
    return InvalidInput(
        f"The repository has no label {', '.join(map(repr, missing))}; nothing was changed.",
        hint=(meant + " " if meant else "")
        + "List them with list_labels, or pass create_missing=true to make new ones.",
        details={"reason": "unknown_labels", "missing": list(missing), "suggestions": dict(near)},
    )


def _folded(name: str) -> str:
    return sanitize(name).strip().casefold()
