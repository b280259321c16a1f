"""Reading pull requests: one, a list, the files, the diff."""

from collections.abc import Sequence

from trunkline_shared.testing.github.access import repository_of, require_read
from trunkline_shared.testing.github.call import Answer, Call, Refusal, Route
from trunkline_shared.testing.github.changes import ChangedFile
from trunkline_shared.testing.github.conversation import Issue, Pull
from trunkline_shared.testing.github.paging import page_of
from trunkline_shared.testing.github.payloads.files import changed_file
from trunkline_shared.testing.github.payloads.issues import pull_request
from trunkline_shared.testing.github.repository import Repository
from trunkline_shared.testing.github.routes.repositories import REPOSITORY

ONE = REPOSITORY + "/pulls/{pull_number}"
MOST_FILES, MOST_LINES, MOST_LISTED = 300, 20_000, 3_000
DIFF = "application/vnd.github.diff; charset=utf-8"


def pull_of(call: Call, home: Repository) -> tuple[Issue, Pull]:
    """Return the pull request that the path names."""
    found = home.issues.get(int(call.path["pull_number"]))
    if found is None or found.pull is None:
        raise Refusal(404, "Not Found")
    return found, found.pull


def get_pull(call: Call) -> Answer:
    """Return a pull request, or its diff when that is asked for."""
    home = repository_of(call)
    require_read(call, home, ("pull_requests",))
    found, pull = pull_of(call, home)
    if "diff" in call.accept:
        return _diff(pull.files)
    shown = pull_request(found, pull, home, call.urls)
    pull.computing = max(0, pull.computing - 1)
    return Answer(json=shown, last_modified=found.updated_at)


def _diff(files: Sequence[ChangedFile]) -> Answer:
    lines = sum(one.additions + one.deletions for one in files)
    if len(files) > MOST_FILES or lines > MOST_LINES:
        limit = f"files ({MOST_FILES})" if len(files) > MOST_FILES else f"lines ({MOST_LINES})"
        raise Refusal(
            406,
            "Sorry, the diff exceeded the maximum number of "
            f"{limit}. Consider using 'List pull requests files' API or locally cloning the "
            "repository instead.",
            errors=[{"resource": "PullRequest", "field": "diff", "code": "too_large"}],
        )
    text = "".join(one.diff() for one in files)
    return Answer(text=text, headers={"content-type": DIFF})


def list_files(call: Call) -> Answer:
    """Return a page of the files; the list ends at 3,000."""
    home = repository_of(call)
    require_read(call, home, ("pull_requests",))
    found, pull = pull_of(call, home)
    address = f"{call.urls.permanent(home)}/pulls/{found.number}/files"
    shown, links = page_of(call, pull.files[:MOST_LISTED], address)
    return Answer(
        json=[changed_file(one, home, pull.head_sha, call.urls) for one in shown], headers=links
    )


ROUTES = (
    Route(method="GET", path=ONE, handle=get_pull),
    Route(method="GET", path=ONE + "/files", handle=list_files),
)
