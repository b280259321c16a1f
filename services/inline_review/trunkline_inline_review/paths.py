"""Finding the file that a caller means among those that a pull request changes."""

import difflib
import heapq
from collections.abc import Iterable
from dataclasses import dataclass

from trunkline_inline_review.diff_index import DiffIndex, FileLines

LONGEST_PATH = 4_096
_LEADING = ("a/", "b/")
_COMPARED = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """The file that a path names; `note` says so when it was found under another name."""

    file: FileLines
    note: str = ""


def normal(path: str) -> str | None:
    """Return a path as git writes it: slashes, no `.`; None for one that leaves the repository."""
    parts = [part for part in path.replace("\\", "/").split("/") if part not in {"", "."}]
    return None if ".." in parts or not parts else "/".join(parts)


def find(index: DiffIndex, path: str) -> Match | None:
    """Return the file with this path, or the one that was renamed from it."""
    exact = index.files.get(path)
    if exact is not None:
        return Match(file=exact)
    wanted = normal(path)
    if wanted is None:
        return None
    if wanted in index.files:
        return Match(file=index.files[wanted])
    renamed = (
        file
        for file in index.files.values()
        if file.status == "renamed" and file.previous_path == wanted
    )
    file = next(renamed, None)
    return Match(file=file, note=f"{wanted} is renamed to {file.path}.") if file else None


def closest(path: str, known: Iterable[str]) -> str:
    """Return the known path that is most likely meant; empty when none is like it.

    Other case first, then the same file below or above another folder, then a similar name.
    """
    paths = list(known)
    wanted = (normal(path.replace("..", "")) or "").casefold()
    folded = {one.casefold(): one for one in paths}
    for candidate in (wanted, *(wanted.removeprefix(lead) for lead in _LEADING)):
        if candidate in folded:
            return folded[candidate]
    ends = [one for low, one in folded.items() if _one_ends_with_other(low, wanted)]
    if ends:
        return min(ends, key=len)
    similar = difflib.get_close_matches(wanted, _likely(wanted, folded), n=1)
    return folded[similar[0]] if similar else ""


def _likely(wanted: str, known: Iterable[str]) -> list[str]:
    """Return the known paths that share most pairs of letters: to compare all takes too long."""
    pairs = _pairs(wanted)
    return heapq.nlargest(_COMPARED, known, key=lambda one: len(pairs & _pairs(one)))


def _pairs(text: str) -> set[str]:
    return {text[at : at + 2] for at in range(len(text) - 1)}


def _one_ends_with_other(one: str, other: str) -> bool:
    return bool(other) and (one.endswith("/" + other) or other.endswith("/" + one))
