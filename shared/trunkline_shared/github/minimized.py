"""Which comments are hidden (minimised), where REST does not say it (older Enterprise Servers).

https://docs.github.com/graphql/reference/interfaces#minimizable
"""

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from trunkline_shared.exchange import Endpoint
from trunkline_shared.github import graphql

MOST = 100
_QUERY = (
    "query($ids: [ID!]!) { nodes(ids: $ids) { id "
    "... on IssueComment { isMinimized minimizedReason } "
    "... on PullRequestReviewComment { isMinimized minimizedReason } } }"
)


class Minimizable(BaseModel):
    """A comment's node id, whether it is hidden, and why."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    is_minimized: bool = Field(default=False, alias="isMinimized")
    reason: str | None = Field(default=None, alias="minimizedReason")


def _present(nodes: object) -> object:
    return [node for node in nodes if node] if isinstance(nodes, list) else nodes


class Minimizables(BaseModel):
    """Those of the asked nodes that exist."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    nodes: Annotated[tuple[Minimizable, ...], BeforeValidator(_present)] = ()


def minimizables(node_ids: Sequence[str]) -> Endpoint[Minimizables]:
    """Ask for up to 100 comments, by their node ids, whether they are hidden."""
    return graphql.query(_QUERY, {"ids": list(node_ids[:MOST])}, Minimizables)
