"""What webhooks tell of: the things of a repository, each with its state and its payload."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from trunkline_shared.testing.github.conversation import Issue, IssueComment
from trunkline_shared.testing.github.repository import Repository
from trunkline_shared.testing.github.threads import threads_of
from trunkline_shared.testing.github.workflow_runs import Job, WorkflowRun

Json = dict[str, object]
ENDED = "completed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """Something that an event is about; it has changed when its `state` has.

    `actions` are what a new one, a changed one and one that is gone is called, none for an event
    that is not sent then.
    """

    event: str
    id: object
    state: tuple[object, ...]
    payload: Json
    actions: tuple[str | None, str | None, str | None]


def things(repository: Repository) -> Iterator[Thing]:
    """Yield all that events can be about, as it is now."""
    for issue in repository.issues.values():
        yield _numbered(issue)
        yield from _said(issue)
        yield from _heads(issue)
    for label in repository.tracker.labels.values():
        yield Thing(
            event="label",
            id=label.id,
            state=(label.name, label.color, label.description),
            payload={"label": {"id": label.id, "name": label.name, "color": label.color}},
            actions=("created", "edited", "deleted"),
        )
    for run in repository.ci.runs.values():
        yield from _run(run)
    yield from _checked(repository)


def _numbered(issue: Issue) -> Thing:
    event = "issues" if issue.pull is None else "pull_request"
    state: tuple[object, ...] = (
        issue.title,
        issue.body,
        issue.state,
        issue.deleted,
        tuple(label.name for label in issue.labels),
        tuple(user.login for user in issue.assignees),
        issue.locked,
        issue.milestone.title if issue.milestone else None,
    )
    if issue.pull is not None:
        asked = tuple(user.login for user in issue.pull.reviewers)
        state = (*state, issue.pull.draft, issue.pull.base_ref, issue.pull.merged_at, asked)
    return Thing(
        event=event,
        id=issue.id,
        state=state,
        payload=_about(issue) | ({"number": issue.number} if issue.pull is not None else {}),
        actions=("opened", "edited", "deleted"),
    )


def _about(issue: Issue) -> Json:
    if issue.pull is None:
        return {"issue": _short(issue)}
    head: Json = {"ref": issue.pull.head_ref, "sha": issue.pull.head_sha}
    base: Json = {"ref": issue.pull.base_ref, "sha": issue.pull.base_sha}
    return {"pull_request": _short(issue) | {"head": head, "base": base}}


def _short(issue: Issue) -> Json:
    return {
        "id": issue.id,
        "number": issue.number,
        "title": issue.title,
        "body": issue.body,
        "state": issue.state,
        "labels": [{"id": one.id, "name": one.name} for one in issue.labels],
    }


def _said(issue: Issue) -> Iterator[Thing]:
    for comment in issue.comments:
        yield _comment(issue, comment)
    for noted in issue.review_comments:
        if noted.review is None or noted.review.state != "PENDING":
            yield Thing(
                event="pull_request_review_comment",
                id=noted.id,
                state=(noted.body, noted.line),
                payload=_about(issue) | {"comment": {"id": noted.id, "body": noted.body}},
                actions=("created", "edited", "deleted"),
            )
    for review in issue.reviews:
        if review.state != "PENDING":
            yield Thing(
                event="pull_request_review",
                id=review.id,
                state=(review.body, review.state),
                payload=_about(issue) | {"review": {"id": review.id, "state": review.state}},
                actions=("submitted", "edited", None),
            )
    for thread in threads_of(issue):
        yield Thing(
            event="pull_request_review_thread",
            id=thread.id,
            state=(thread.resolved_by is not None,),
            payload=_about(issue) | {"thread": {"node_id": f"PRRT_{thread.id}"}},
            actions=(None, "resolved" if thread.resolved_by is not None else "unresolved", None),
        )


def _comment(issue: Issue, comment: IssueComment) -> Thing:
    # The event of a pull request's own conversation names it as an issue, too.
    marked: Json = {} if issue.pull is None else {"pull_request": {"url": ""}}
    return Thing(
        event="issue_comment",
        id=comment.id,
        state=(comment.body, comment.minimized),
        payload={
            "issue": _short(issue) | marked,
            "comment": {"id": comment.id, "body": comment.body},
        },
        actions=("created", "edited", "deleted"),
    )


def _heads(issue: Issue) -> Iterator[Thing]:
    if issue.pull is None:
        return
    yield Thing(
        event="pull_request",
        id=("head", issue.id),
        state=(issue.pull.head_sha,),
        payload=_about(issue) | {"number": issue.number},
        actions=(None, "synchronize", None),
    )
    if issue.pull.head_owner is None:
        yield Thing(
            event="push",
            id=issue.id,
            state=(issue.pull.head_sha,),
            payload={"ref": f"refs/heads/{issue.pull.head_ref}", "after": issue.pull.head_sha},
            actions=("", "", None),
        )


def _run(run: WorkflowRun) -> Iterator[Thing]:
    told: Json = {
        "id": run.id,
        "head_sha": run.head_sha,
        "head_branch": run.head_branch,
        "status": run.status,
        "conclusion": run.conclusion,
        "check_suite_id": run.suite.id,
        "run_attempt": run.attempt.number,
        "pull_requests": [{"number": number} for number in run.pulls],
    }
    over = run.status == ENDED
    yield Thing(
        event="workflow_run",
        id=run.id,
        state=(run.attempt.number, run.status, run.conclusion),
        payload={"workflow_run": told},
        actions=("requested", ENDED if over else "in_progress", None),
    )
    suite = {name: told[name] for name in ("head_sha", "status", "conclusion", "pull_requests")}
    if over:
        yield Thing(
            event="check_suite",
            id=run.suite.id,
            state=(run.attempt.number, run.conclusion),
            payload={"check_suite": {"id": run.suite.id, **suite}},
            actions=(ENDED, ENDED, None),
        )
    for job in chain.from_iterable(attempt.jobs for attempt in run.attempts):
        yield from _job(run, job)


def _job(run: WorkflowRun, job: Job) -> Iterator[Thing]:
    state = (job.status, job.conclusion)
    yield Thing(
        event="workflow_job",
        id=job.id,
        state=state,
        payload={
            "workflow_job": {
                "id": job.id,
                "run_id": run.id,
                "head_sha": run.head_sha,
                "status": job.status,
                "conclusion": job.conclusion,
            }
        },
        actions=(job.status, job.status, None),
    )
    yield _check_run(job.id, run.head_sha, state, run.pulls)


def _check_run(id_: int, sha: str, state: tuple[str, str | None], pulls: list[int]) -> Thing:
    status, conclusion = state
    return Thing(
        event="check_run",
        id=id_,
        state=state,
        payload={
            "check_run": {
                "id": id_,
                "head_sha": sha,
                "status": status,
                "conclusion": conclusion,
                "check_suite": {"head_sha": sha},
                "pull_requests": [{"number": number} for number in pulls],
            }
        },
        actions=("created", ENDED if status == ENDED else "created", None),
    )


def _checked(repository: Repository) -> Iterator[Thing]:
    for check in repository.ci.checks.values():
        state = (check.status, check.conclusion)
        yield _check_run(check.id, check.suite.head_sha, state, [])
    for status in repository.ci.statuses:
        yield Thing(
            event="status",
            id=status.id,
            state=(status.state, status.description),
            payload={
                "id": status.id,
                "sha": status.head_sha,
                "state": status.state,
                "context": status.context,
                "branches": [],
            },
            actions=("", "", None),
        )
