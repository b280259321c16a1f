"""One issue, one pull request."""

from trunkline_shared.testing.github.access import issue_of, repository_of, require_read
from trunkline_shared.testing.github.call import Answer, Call, Refusal, Route
from trunkline_shared.testing.github.payloads.issues import issue, pull_request
from trunkline_shared.testing.github.routes.repositories import REPOSITORY


def get_issue(call: Call) -> Answer:
    """Return an issue, or a pull request as an issue."""
    home = repository_of(call)
    require_read(call, home)
    found = issue_of(call, home)
    return Answer(json=issue(found, home, call.urls), last_modified=found.updated_at)


def get_pull(call: Call) -> Answer:
    """Return a pull request."""
    home = repository_of(call)
    require_read(call, home, ("pull_requests",))
    found = home.issues.get(int(call.path["pull_number"]))
    if found is None or found.pull is None:
        raise Refusal(404, "Not Found")
    shown = pull_request(found, found.pull, home, call.urls)
    return Answer(json=shown, last_modified=found.updated_at)


ROUTES = (
    Route(method="GET", path=REPOSITORY + "/issues/{issue_number}", handle=get_issue),
    Route(method="GET", path=REPOSITORY + "/pulls/{pull_number}", handle=get_pull),
)
