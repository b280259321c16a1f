"""The order of a list: fields with their directions, in a form that cannot be anything else."""

import re

from trunkline_jira.jql.quoting import quoted
from trunkline_shared.errors import InvalidInput

_TERM = re.compile(
    r"""
      \s* (?: "(?P<name>[^,"'\\]+)" | (?P<field>[^\s,"'()=!<>~\\][^,"'()=!<>~\\]*?) )
      (?: \s+ (?P<way>asc|desc) )? \s*
    """,
    re.IGNORECASE | re.VERBOSE,
)
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*", re.ASCII)


def ordering(order: str) -> str:
    """Return `order` (such as `updated DESC, key`) as JQL writes it. Raises InvalidInput."""
    terms = [_TERM.fullmatch(term) for term in order.split(",")]
    found = [_term(match) for match in terms if match is not None]
    if len(found) < len(terms):
        raise InvalidInput(
            f"order {order[:100]!r} is no list of fields.",
            hint="Write a field and a direction, such as 'updated DESC' or 'priority ASC, key'.",
            details={"field_errors": [{"field": "order", "problem": "is no list of fields"}]},
        )
    return ", ".join(found)


def _term(match: re.Match[str]) -> str:
    name, field, way = match.group("name", "field", "way")
    written = field if field and _PLAIN.fullmatch(field) else quoted(name or field)
    return f"{written} {(way or '').upper()}".rstrip()
