"""The operations of the API, one module per family of resources."""

from trunkline_shared.testing.github.call import Route
from trunkline_shared.testing.github.routes import (
    accounts,
    apps,
    graphql,
    issue_changes,
    issue_comments,
    issue_lists,
    issues,
    labels,
    pulls,
    reactions,
    repositories,
    review_comments,
    search,
)

ROUTES: tuple[Route, ...] = (
    *accounts.ROUTES,
    *apps.ROUTES,
    *repositories.ROUTES,
    *issues.ROUTES,
    *issue_lists.ROUTES,
    *issue_changes.ROUTES,
    *labels.ROUTES,
    *search.ROUTES,
    *issue_comments.ROUTES,
    *pulls.ROUTES,
    *review_comments.ROUTES,
    *reactions.ROUTES,
    *graphql.ROUTES,
)
