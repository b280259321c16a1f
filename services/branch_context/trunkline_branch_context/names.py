"""Branch names that callers give: what is meant, what is close, how they are shown."""

import difflib
from collections.abc import Collection

from trunkline_branch_context.git import Git
from trunkline_branch_context.heads import LOCAL
from trunkline_shared.errors import BranchNotFound, InvalidInput, NotFound, TrunklineError
from trunkline_shared.untrusted import visible_escapes

CURRENT = "."
_CLOSE = 5
_CLOSE_AMONG = 5000


def shown(name: str) -> str:
    """Return a name for people: what cannot be seen, and line breaks, as visible escapes."""
    text, _ = visible_escapes(name)
    return text if text.isprintable() else "".join(map(_printable, text))


def _printable(character: str) -> str:
    if character.isprintable() or character in "\u200d\ufe0f":
        return character
    return f"\\u{{{ord(character):X}}}"


def close_names(name: str, known: Collection[str]) -> list[str]:
    """Return the nearest known names, one that differs by case only first."""
    folded = name.casefold()
    same = sorted(each for each in known if each.casefold() == folded)
    near = difflib.get_close_matches(name, sorted(known)[:_CLOSE_AMONG], n=_CLOSE, cutoff=0.6)
    parts = sorted(each for each in known if len(folded) > 1 and folded in each.casefold())
    return list(dict.fromkeys([*same, *near, *parts]))[:_CLOSE]


async def unknown_branch(git: Git, name: str, known: Collection[str]) -> TrunklineError:
    """Return why `name` cannot be answered: it is no branch name at all, or none that exists."""
    if not await _is_branch_name(git, name):
        return InvalidInput(
            f"branch: {shown(name)!r} cannot be the name of a branch",
            hint="Pass a local branch by its name, or '.' for the current one.",
            details={"field_errors": [{"field": "branch", "problem": "is not a branch name"}]},
        )
    close = close_names(name, known)
    hint = f"Did you mean {shown(close[0])!r}?" if close else "list_branches has the tracked ones."
    return BranchNotFound(
        f"There is no branch {shown(name)!r}, neither in git nor in twig's state",
        hint=hint,
        details={"close_names": close},
    )


async def _is_branch_name(git: Git, name: str) -> bool:
    """Ask git itself; the prefix makes an option of it impossible."""
    if "\0" in name or name.startswith("-") or not _encodable(name):
        return False
    verdict = await git.run("check-ref-format", f"{LOCAL}{name}", accept=frozenset({0, 1}))
    return verdict.code == 0


def _encodable(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def detached_head() -> NotFound:
    """Return the error for a question about the current branch when there is none."""
    return NotFound(
        "HEAD is detached: there is no current branch",
        hint="Pass a branch, or check one out.",
        details={"reason": "detached_head"},
    )


def gone_branch(name: str) -> BranchNotFound:
    """Return the error for a question that needs commits, about a branch that has none here."""
    return BranchNotFound(
        f"The branch {shown(name)!r} is in twig's state, but git has no such branch",
        hint="It was deleted or renamed in git, or has no commit yet; get_branch_metadata has "
        "what twig recorded of it.",
        details={"reason": "not_in_git"},
    )
