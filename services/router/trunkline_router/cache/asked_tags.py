"""Tags as people write them: checked, and spelled as the mesh spells them."""

import re
from collections.abc import Iterable

from trunkline_router.cache.tags import ancestors
from trunkline_router.wire.refusal import nearest_to

_LONGEST = 300
_SHOWN = 60
_EXAMPLE = "gh:acme/widgets#12"
_GITHUB = re.compile(r"gh:[^:#@]+")
_ISSUE = re.compile(r"(jira:[^:]+:)([A-Za-z][A-Za-z0-9_]*-\d+)")


class NoTag(Exception):
    """What was asked for is no tag: what is wrong with it, and the fix."""

    def __init__(self, problem: str, fix: str) -> None:
        super().__init__(problem)
        self.problem = problem
        self.fix = fix


def asked_tag(text: str) -> str:
    """Return the tag that is meant. Raises NoTag."""
    tag = text.strip()
    if not tag:
        raise NoTag("The tag is empty.", f"Write one such as {_EXAMPLE}.")
    shown = repr(tag[:_SHOWN])
    if len(tag) > _LONGEST:
        raise NoTag(
            f"{shown}… has {len(tag)} characters; a tag has at most {_LONGEST}.",
            "Name one above it, such as gh:acme/widgets: that covers all beneath.",
        )
    if not tag.isprintable():
        raise NoTag(f"The tag {shown} has invisible characters.", "Write it without them.")
    if not tag[0].isalnum() or tag[-1] in ":#@/":
        raise NoTag(
            f"{shown} is no tag: one begins with whose it is and ends with a name or a number.",
            f"Write one such as {_EXAMPLE}.",
        )
    return _spelled(tag)


def _spelled(tag: str) -> str:
    """Fold what tags fold: owner and repository of GitHub down, the keys of Jira's issues up."""
    tag = _GITHUB.sub(lambda found: found[0].lower(), tag, count=1)
    return _ISSUE.sub(lambda found: found[1] + found[2].upper(), tag, count=1)


def doubt_of(tag: str, declared: Iterable[str]) -> str:
    """Say it when a tag is of a kind that none of the declared ones is: it may be misspelt."""
    roots = {root for root in map(_root, declared) if "{" not in root}
    root = _root(tag)
    if root in roots:
        return ""
    nearest = nearest_to(root, roots)
    meant = f" Did you mean {nearest!r}?" if nearest else ""
    known = ", ".join(sorted(roots)) or "nothing"
    return f"Nothing that is listed is read under {root!r}.{meant} Tags begin with {known}."


def _root(tag: str) -> str:
    return (*ancestors(tag), tag)[0]
