"""A JQL query in its two parts, and what narrows it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from trunkline_jira.jql.quoting import quoted_list
from trunkline_jira.jql.tokens import Token, tokens, unreadable
from trunkline_shared.errors import InvalidInput

LONGEST = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What is looked for and how it is sorted; either may be empty.

    `where` is whole in itself: put into parentheses, it can be joined with anything.
    """

    where: str = ""
    order: str = ""

    @property
    def text(self) -> str:
        order = f"ORDER BY {self.order}" if self.order else ""
        return " ".join(part for part in (self.where, order) if part)

    def narrowed(self, condition: str) -> "Query":
        """Return the query among what `condition` allows, however either of them is written."""
        where = f"{condition} AND ({self.where})" if self.where else condition
        return replace(self, where=where)

    def within(self, projects: tuple[str, ...]) -> "Query":
        """Return the query among the issues of these projects; none stands for all."""
        return self.narrowed(f"project in {quoted_list(projects)}") if projects else self

    def sorted_by(self, order: str) -> "Query":
        """Return the query in this order unless it has one of its own."""
        return self if self.order else replace(self, order=order)


def parsed(jql: str, field: str = "jql") -> Query:
    """Return the parts of a query, the argument `field`.

    Raises InvalidInput for one that is no JQL.
    """
    if len(jql) > LONGEST:
        raise InvalidInput(
            f"{field} has {len(jql):,} characters; {LONGEST:,} are taken.",
            hint="Ask for less at once.",
            details={"field_errors": [{"field": field, "problem": "is too long"}]},
        )
    found = list(tokens(jql, field))
    begins = _order_begins(found)
    if begins is None:
        return Query(where=jql.strip())
    by = found[begins + 1]
    order = jql[by.end :].strip()
    if not order:
        raise unreadable("ORDER BY names no field", by.end, field)
    return Query(where=jql[: found[begins].start].strip(), order=order)


def condition(jql: str, field: str) -> str:
    """Return a query that is part of another: it has no order of its own. Raises InvalidInput."""
    query = parsed(jql, field)
    if query.order:
        raise unreadable(
            "ORDER BY has no place here", len(query.where), field, hint="Sort with order."
        )
    return query.where


def _order_begins(found: Sequence[Token]) -> int | None:
    """Return which token is the `ORDER` of the query's own `ORDER BY`."""
    for at, token in enumerate(found[:-1]):
        if token.depth == 0 and token.says("order") and found[at + 1].says("by"):
            return at
    return None
