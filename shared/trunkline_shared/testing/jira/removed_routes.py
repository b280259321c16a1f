"""What Cloud had once: it answers that it is gone."""

from trunkline_shared.testing.jira.answers import refused
from trunkline_shared.testing.jira.state import State
from trunkline_shared.testing.stand_in.call import Answer, Call, Route

_GONE = (
    "The requested API has been removed. Please migrate to the /rest/api/3/search/jql API. A full "
    "migration guideline is available at https://developer.atlassian.com/changelog/#CHANGE-2046"
)


def removed_routes(state: State) -> list[Route]:
    """Return the routes of this module."""

    def gone(_: Call) -> Answer:
        raise refused(410, [_GONE])

    methods = ("GET", "POST") if state.is_cloud else ()
    return [Route(method=method, path=f"{state.api}/search", handle=gone) for method in methods]
