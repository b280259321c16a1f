"""`/repos/{owner}/{repo}`: the repository itself."""

from trunkline_shared.testing.github.access import at_least, repository_of
from trunkline_shared.testing.github.call import Answer, Call, Route
from trunkline_shared.testing.github.payloads.repositories import repository
from trunkline_shared.testing.github.repository import ROLES

REPOSITORY = "/repos/{owner}/{repo}"


def get_repository(call: Call) -> Answer:
    """Return the repository."""
    found = repository_of(call)
    granted = frozenset(one for one in ROLES if at_least(call, found, one))
    return Answer(
        json=repository(found, call.urls, granted),
        last_modified=found.created_at,
    )


ROUTES = (Route(method="GET", path=REPOSITORY, handle=get_repository),)
