"""All operations of a stand-in Jira, registered in one place."""

from trunkline_shared.testing.jira.change_routes import change_routes
from trunkline_shared.testing.jira.issue_routes import issue_routes
from trunkline_shared.testing.jira.removed_routes import removed_routes
from trunkline_shared.testing.jira.search_routes import search_routes
from trunkline_shared.testing.jira.server_routes import server_routes
from trunkline_shared.testing.jira.state import State
from trunkline_shared.testing.stand_in.call import Route


def routes_of(state: State) -> list[Route]:
    """Return the routes of the state's flavour."""
    return [
        *server_routes(state),
        *issue_routes(state),
        *change_routes(state),
        *search_routes(state),
        *removed_routes(state),
    ]
