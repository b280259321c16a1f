"""From what counts on a commit to what an agent reads: failures first, and no list without end."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from pydantic import BaseModel

from trunkline_ci_status.commit_target import Target
from trunkline_ci_status.status_models import Check, CiStatus, Run, Status, Summary
from trunkline_shared.github.check_models import CheckRun, CommitStatus, WorkflowRun
from trunkline_shared.github.commit_ci import CommitCi, System, of_check, of_run, of_status
from trunkline_shared.github.verdict import BUCKETS, Bucket, Verdict, bucket
from trunkline_shared.trimming import cut_entries
from trunkline_shared.untrusted import sanitize

MOST_LISTED = 100
_FIRST: tuple[Bucket, ...] = ("failed", "cancelled", "action_required", "pending", "other")
_ORDER = {each: place for place, each in enumerate((*_FIRST, *sorted(set(BUCKETS) - set(_FIRST))))}

StatusFilter = Literal[
    "completed",
    "action_required",
    "cancelled",
    "failure",
    "neutral",
    "skipped",
    "stale",
    "success",
    "timed_out",
    "in_progress",
    "queued",
    "requested",
    "waiting",
    "pending",
]

T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What counts on a commit, and what it comes to; `required` None judges everything."""

    ci: CommitCi
    target: Target
    include: frozenset[System]
    required: frozenset[str] | None
    required_known: bool
    young: bool

    @property
    def verdict(self) -> Verdict:
        found = self.ci.verdict(self.required)
        return "pending" if found == "none" and self.young else found

    @property
    def buckets(self) -> tuple[Bucket, ...]:
        """What the verdict rests on."""
        return self.ci.buckets(self.required)

    @property
    def is_over(self) -> bool:
        """Whether nothing of it will change by itself."""
        return self.verdict != "none" and not self.young and "pending" not in self.buckets


def report(judged: Judged, status: StatusFilter | None) -> CiStatus:
    """Return what the agent reads; `status` chooses what is listed and never what is counted."""
    runs = [run for run in _runs(judged) if _is(status, run.status, run.conclusion)]
    checks = [one for one in _checks(judged) if _is(status, one.status, one.conclusion)]
    statuses = [one for one in _statuses(judged) if _is(status, one.state, None)]
    cut = max(len(runs), len(checks), len(statuses)) > MOST_LISTED
    return CiStatus(
        head_sha=judged.ci.head_sha,
        pr_number=judged.target.pr_number,
        summary=_summary(judged),
        runs=[_run(one) for one in _listed(runs, of_run)],
        checks=[_check(one, judged.ci.latest.run_of) for one in _listed(checks, of_check)],
        statuses=[_status(one) for one in _listed(statuses, of_status)],
        required=None if judged.required is None else sorted(judged.required),
        notes=list(_notes(judged, cut=cut)),
        truncated=judged.ci.truncated or cut,
        head_moved=False,
    )


def _is(wanted: str | None, status: str | None, conclusion: str | None) -> bool:
    return wanted is None or wanted in {status, conclusion}


def _runs(judged: Judged) -> Sequence[WorkflowRun]:
    runs = judged.ci.latest.runs
    if judged.required is None:
        return runs
    of_required = {judged.ci.latest.run_of.get(check.id) for check in _checks(judged)}
    return [run for run in runs if run.id in of_required]


def _checks(judged: Judged) -> Sequence[CheckRun]:
    checks = judged.ci.latest.checks
    required = judged.required
    return [one for one in checks if required is None or one.name in required]


def _statuses(judged: Judged) -> Sequence[CommitStatus]:
    required = judged.required
    return [one for one in judged.ci.statuses if required is None or one.context in required]


def _listed(items: Sequence[T], of: Callable[[T], Bucket]) -> Sequence[T]:
    ordered = sorted(items, key=lambda item: _ORDER[of(item)])
    cut_entries(ordered[MOST_LISTED:])
    return ordered[:MOST_LISTED]


def _summary(judged: Judged) -> Summary:
    counts = Counter(of_run(run) for run in _runs(judged))
    return Summary(
        total=counts.total(),
        total_runs=counts.total(),
        superseded=judged.ci.latest.superseded,
        verdict=judged.verdict,
        **{each: counts[each] for each in BUCKETS},
    )


def _run(run: WorkflowRun) -> Run:
    return Run(
        id=run.id,
        name=sanitize(run.name or run.path),
        status=run.status,
        conclusion=run.conclusion,
        url=run.html_url,
        html_url=run.html_url,
        created_at=run.created_at,
        run_attempt=run.run_attempt,
        event=run.event,
        workflow_id=run.workflow_id,
        path=run.path,
        head_branch=sanitize(run.head_branch) if run.head_branch else None,
    )


def _check(check: CheckRun, run_of: dict[int, int]) -> Check:
    title = check.output.title
    return Check(
        id=check.id,
        name=sanitize(check.name),
        app=check.app_slug,
        status=check.status,
        conclusion=check.conclusion,
        title=sanitize(title) if title else None,
        html_url=check.html_url,
        run_id=run_of.get(check.id),
    )


def _status(status: CommitStatus) -> Status:
    description = status.description
    return Status(
        context=sanitize(status.context),
        state=status.state,
        description=sanitize(description) if description else None,
        url=status.target_url,
    )


def _notes(judged: Judged, *, cut: bool) -> Iterable[str]:
    """Yield what the numbers alone would leave misunderstood."""
    ci = judged.ci
    said = [(run.status, run.conclusion) for run in ci.latest.runs]
    said += [(check.status, check.conclusion) for check in ci.latest.independent]
    words = Counter(conclusion or status for status, conclusion in said)
    if count := words["action_required"]:
        yield f"{count} wait for a maintainer's approval or action; no code has failed there."
    if count := words["waiting"]:
        yield f"{count} wait for an environment's approval or timer; no code has failed there."
    if odd := sorted({str(one[1] or one[0]) for one in said if bucket(*one) == "other"}):
        yield f"No verdict is known for: {', '.join(odd)[:200]}."
    if judged.young:
        yield "There is no CI yet; the commit is less than a minute old."
    yield from _notes_on_limits(judged, cut=cut)


def _notes_on_limits(judged: Judged, *, cut: bool) -> Iterable[str]:
    if left := sorted({"runs", "checks", "statuses"} - judged.include):
        yield f"Not looked at: {', '.join(left)}."
    if not judged.required_known:
        yield (
            "Which checks are required is unknown: the branch's protection is hidden from the "
            "credential. All were judged."
        )
    named = {one.name for one in _checks(judged)} | {one.context for one in _statuses(judged)}
    if missing := sorted((judged.required or frozenset()) - named):
        yield f"Required, and not reported yet: {', '.join(missing)[:300]}."
    if cut:
        yield f"Lists show {MOST_LISTED} entries, failures first; the summary counts all."
    if judged.ci.truncated:
        yield "GitHub lists no more than these; older ones were not seen."
