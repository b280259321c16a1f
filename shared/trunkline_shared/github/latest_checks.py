"""Which runs and checks of a commit still count, and which ones a newer one has superseded.

GitHub's `filter=latest` looks at one check suite only. A second run of a workflow on the same
commit (an edited title, a reopened pull request, a dispatch) has a suite of its own, and the old
failure would stay for ever.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeVar

from trunkline_shared.github.check_models import CheckRun, WorkflowRun

ACTIONS = "github-actions"
_LONG_AGO = datetime.min.replace(tzinfo=UTC)

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Latest:
    """What counts, in the order in which it came, and how many were superseded.

    `run_of` maps a check run of Actions to its workflow run, when that was read.
    """

    runs: tuple[WorkflowRun, ...]
    checks: tuple[CheckRun, ...]
    run_of: dict[int, int]
    superseded: int

    @property
    def independent(self) -> tuple[CheckRun, ...]:
        """The checks for which no workflow run speaks."""
        return tuple(check for check in self.checks if check.id not in self.run_of)


def latest(runs: Sequence[WorkflowRun], checks: Sequence[CheckRun]) -> Latest:
    """Keep the newest of each (app, workflow path, event, job name); a running one beats all.

    Newest by start, then by id. The checks of a superseded run go with it. Checks of other apps
    are told apart by app and name. One that two pages both showed, because the list grew
    meanwhile, is one.
    """
    runs = list({run.id: run for run in runs}.values())
    checks = list({check.id: check for check in checks}.values())
    kept = _newest(runs, key=_run_key, order=_run_order)
    left_out = {run.check_suite_id for run in runs} - {run.check_suite_id for run in kept} - {None}
    by_suite = {run.check_suite_id: run for run in kept}
    by_suite.pop(None, None)
    current = [check for check in checks if check.suite_id not in left_out]
    found = _newest(current, key=lambda check: _check_key(check, by_suite), order=_check_order)
    run_of = {check.id: by_suite[s].id for check in found if (s := check.suite_id) in by_suite}
    independent = sum(check.suite_id not in by_suite for check in current)
    gone = independent - sum(check.id not in run_of for check in found)
    return Latest(
        runs=tuple(kept),
        checks=tuple(found),
        run_of=run_of,
        superseded=len(runs) - len(kept) + gone,
    )


def _newest(
    items: Iterable[T],
    *,
    key: Callable[[T], Hashable],
    order: Callable[[T], tuple[bool, datetime, int]],
) -> list[T]:
    best: dict[Hashable, T] = {}
    listed = list(items)
    for item in listed:
        known = best.get(key(item))
        if known is None or order(item) > order(known):
            best[key(item)] = item
    chosen = {id(item) for item in best.values()}
    return [item for item in listed if id(item) in chosen]


def _run_key(run: WorkflowRun) -> Hashable:
    return (run.path or run.workflow_id, run.event)


def _run_order(run: WorkflowRun) -> tuple[bool, datetime, int]:
    return (run.conclusion is None, run.started_at, run.id)


def _check_key(check: CheckRun, by_suite: dict[int | None, WorkflowRun]) -> Hashable:
    run = by_suite.get(check.suite_id)
    if run is not None:
        return (ACTIONS, _run_key(run), check.name)
    if check.app_slug == ACTIONS:
        return (ACTIONS, check.suite_id, check.name)
    return (check.app_slug, None, check.name)


def _check_order(check: CheckRun) -> tuple[bool, datetime, int]:
    return (check.conclusion is None, check.started_at or _LONG_AGO, check.id)
