"""Check runs of a commit, one check run, its annotations."""

from trunkline_shared.testing.github.access import Area, repository_of, require_read
from trunkline_shared.testing.github.call import Answer, Call, Refusal, Route
from trunkline_shared.testing.github.check_runs import CheckRun
from trunkline_shared.testing.github.paging import page_of
from trunkline_shared.testing.github.payloads.checks import annotation, check_run
from trunkline_shared.testing.github.repository import Repository
from trunkline_shared.testing.github.routes.commits import commit_of
from trunkline_shared.testing.github.routes.repositories import REPOSITORY

OF_COMMIT = REPOSITORY + "/commits/{ref}/check-runs"
ONE = REPOSITORY + "/check-runs/{check_run_id}"
CHECKS: tuple[Area, ...] = ("checks",)


def list_check_runs(call: Call) -> Answer:
    """Return a page of a commit's check runs; `latest` keeps the newest per suite and name."""
    home = repository_of(call)
    require_read(call, home, CHECKS)
    sha = commit_of(call, home)
    found = home.ci.check_runs(sha)
    if call.query.get("filter", "latest") == "latest":
        found = _latest(found)
    wanted = [one for one in found if _matches(call, one)]
    address = f"{call.urls.permanent(home)}/commits/{sha}/check-runs"
    shown, links = page_of(call, wanted, address)
    checks = [check_run(one, home, call.urls) for one in shown]
    return Answer(json={"total_count": len(wanted), "check_runs": checks}, headers=links)


def _latest(newest_first: list[CheckRun]) -> list[CheckRun]:
    latest: dict[tuple[int, str], CheckRun] = {}
    for one in newest_first:
        latest.setdefault((one.suite.id, one.name), one)
    return list(latest.values())


def _matches(call: Call, check: CheckRun) -> bool:
    facts = {"check_name": check.name, "status": check.status}
    return all(call.query.get(name, fact) == fact for name, fact in facts.items())


def get_check_run(call: Call) -> Answer:
    """Return one check run."""
    home, found = _one(call)
    return Answer(json=check_run(found, home, call.urls))


def list_annotations(call: Call) -> Answer:
    """Return a page of a check run's annotations."""
    home, found = _one(call)
    address = f"{call.urls.permanent(home)}/check-runs/{found.id}/annotations"
    shown, links = page_of(call, found.annotations, address)
    return Answer(json=[annotation(one, home, call.urls) for one in shown], headers=links)


def _one(call: Call) -> tuple[Repository, CheckRun]:
    home = repository_of(call)
    require_read(call, home, CHECKS)
    found = home.ci.check_run(int(call.path["check_run_id"]))
    if found is None:
        raise Refusal(404, "Not Found")
    return home, found


ROUTES = (
    Route(method="GET", path=OF_COMMIT, handle=list_check_runs),
    Route(method="GET", path=ONE, handle=get_check_run),
    Route(method="GET", path=ONE + "/annotations", handle=list_annotations),
)
