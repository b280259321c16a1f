"""The operations of the API, one module per family of resources."""

from trunkline_shared.testing.github.call import Route
from trunkline_shared.testing.github.routes import (
    accounts,
    apps,
    branch_rules,
    check_runs,
    commits,
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
    workflow_runs,
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
    *commits.ROUTES,
    *check_runs.ROUTES,
    *workflow_runs.ROUTES,
    *branch_rules.ROUTES,
    *graphql.ROUTES,
)
