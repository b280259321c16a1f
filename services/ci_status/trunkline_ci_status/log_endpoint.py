"""The endpoint of a job's log: a link that holds for a minute, to a host that wants no token.

https://docs.github.com/rest/actions/workflow-jobs#download-job-logs-for-a-workflow-run . The logs
of whole runs are archives of unknown size and are never asked for.
"""

from trunkline_shared.errors import NotFound, TrunklineError, UpstreamUnavailable
from trunkline_shared.exchange import Endpoint, Request, Response
from trunkline_shared.github.reading import checked
from trunkline_shared.github.repository import Repository, path

TIMEOUT_S = 60.0
LOG_CAP = 2 * 1024 * 1024 * 1024
_LOG = "/repos/{owner}/{repo}/actions/jobs/{job_id}/logs"
_ABSENT = frozenset({404, 410})


def get_log(repository: Repository, job_id: int) -> Endpoint[Response]:
    """Stream the log of a job.

    Raises NotFound when there is none, yet or any more, and UpstreamUnavailable when the host of
    the logs refuses the link: the next attempt then gets a new one.
    """
    return Endpoint(
        request=Request(method="GET", path=path(_LOG, repository, job_id=job_id), template=_LOG),
        read=_read,
        repeatable=True,
        timeout_s=TIMEOUT_S,
        body_cap=LOG_CAP,
    )


def _read(response: Response) -> Response:
    if response.elsewhere and not 200 <= response.status < 300:  # noqa: PLR2004 - the HTTP class of successes
        raise _refused(response.status)
    return checked(response)


def _refused(status: int) -> TrunklineError:
    """Return what the host of the logs means; what it says may hold the link, and is not told."""
    details = {"http_status": status, "upstream": "github", "reason": "log_host"}
    if status in _ABSENT:
        return NotFound("The host of GitHub's logs does not have this one.", details=details)
    return UpstreamUnavailable(
        f"The host of GitHub's logs answered {status} instead of the log.", details=details
    )
