"""One issue."""

from trunkline_shared.testing.github.access import issue_of, repository_of, require_read
from trunkline_shared.testing.github.call import Answer, Call, Route
from trunkline_shared.testing.github.payloads.issues import issue
from trunkline_shared.testing.github.routes.repositories import REPOSITORY


def get_issue(call: Call) -> Answer:
    """Return an issue, or a pull request as an issue."""
    home = repository_of(call)
    require_read(call, home)
    found = issue_of(call, home)
    return Answer(json=issue(found, home, call.urls), last_modified=found.updated_at)


ROUTES = (Route(method="GET", path=REPOSITORY + "/issues/{issue_number}", handle=get_issue),)
