"""`/user` and `/rate_limit`: who the token is and what it has left."""

from trunkline_shared.testing.github.call import Answer, Call, Refusal, Route
from trunkline_shared.testing.github.payloads.users import JOINED, own_user
from trunkline_shared.testing.github.people import Budget, new_budget


def get_user(call: Call) -> Answer:
    """Return the account of a personal token; an App's token has none."""
    if call.token is None:
        raise Refusal(401, "Requires authentication")
    if call.token.installation is not None:
        raise Refusal(403, "Resource not accessible by integration")
    return Answer(json=own_user(call.token.user, call.urls), last_modified=JOINED)


def get_rate_limit(call: Call) -> Answer:
    """Return the caller's budgets; asking costs nothing."""
    core = _shown(call.state.anonymous if call.token is None else call.token.budget)
    untouched = _shown(new_budget(30))
    return Answer(
        json={
            "resources": {"core": core, "search": untouched, "graphql": _shown(new_budget())},
            "rate": core,
        }
    )


def _shown(budget: Budget) -> dict[str, int]:
    return {
        "limit": budget.limit,
        "used": budget.used,
        "remaining": budget.remaining,
        "reset": int(budget.resets_at),
    }


ROUTES = (
    Route(method="GET", path="/user", handle=get_user),
    Route(method="GET", path="/rate_limit", handle=get_rate_limit),
)
