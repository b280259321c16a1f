"""The operations of the API, one module per family of resources."""

from trunkline_shared.testing.github.call import Route
from trunkline_shared.testing.github.routes import (
    accounts,
    apps,
    graphql,
    issue_comments,
    issues,
    pulls,
    reactions,
    repositories,
    review_comments,
)

ROUTES: tuple[Route, ...] = (
    *accounts.ROUTES,
    *apps.ROUTES,
    *repositories.ROUTES,
    *issues.ROUTES,
    *issue_comments.ROUTES,
    *pulls.ROUTES,
    *review_comments.ROUTES,
    *reactions.ROUTES,
    *graphql.ROUTES,
)
