"""Tags as people write them: checked, and spelled as the mesh spells them."""

import re
from collections.abc import Iterable

from trunkline_router.cache.tags import ancestors
from trunkline_router.wire.refusal import nearest_to

_LONGEST = 300
_EXAMPLE = "gh:acme/widgets#12"
_GITHUB = re.compile(r"gh:[^:#@]+")
_ISSUE = re.compile(r"(jira:[^:]+:)([A-Za-z][A-Za-z0-9_]*-\d+)")


def asked_tag(text: str) -> str:
    """Return the tag that is meant. Raises ValueError, which names the fix."""
    tag = text.strip()
    if not tag:
        raise ValueError(f"The tag is empty; write one such as {_EXAMPLE}.")
    if len(tag) > _LONGEST:
        raise ValueError(
            f"The tag has {len(tag)} characters, {tag[:40]!r} and so on; a tag has at most "
            f"{_LONGEST}. One above it, such as gh:acme/widgets, covers all beneath."
        )
    if not tag.isprintable():
        raise ValueError(f"The tag {tag[:100]!r} has invisible characters; write it without them.")
    if not tag[0].isalnum() or tag[-1] in ":#@/":
        raise ValueError(
            f"{tag[:100]!r} is no tag: one begins with whose it is and ends with a name or a "
            f"number, such as {_EXAMPLE}."
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
