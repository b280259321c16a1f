"""What an agent does with a pull request, once by the vendors' APIs and once by our tools.

The APIs' side is an agent that knows them well: REST with pages of a hundred, GraphQL where REST
does not say it, the diff as text, each call once. Ours is an agent that asks for what it needs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bench.tokens.costs import GRAPHQL, THREADS
from bench.tokens.scenario import BRANCH, JIRA, Scenario

HOME = "repos/acme/widgets"
FILE = "src/widgets/screw.py"
DIFF = "application/vnd.github.diff"
QUERY = (
    "{ repository(owner: $owner, name: $repo) { pullRequest(number: $number) { reviewThreads("
    "first: 100) { nodes { id isResolved isOutdated path line comments(first: 50) { nodes { "
    "databaseId body createdAt url author { login } } } } } } } }"
)
ASKED_FOR = frozenset({
    "data", "repository", "pullRequest", "reviewThreads", "nodes", "id", "isResolved", "isOutdated",
    "path", "line", "comments", "databaseId", "body", "createdAt", "url", "author", "login",
})  # fmt: skip
"""The fields that the query names."""
REMARK = (
    "Is `>` meant here? At 12 Nm exactly the screw stays loose, and the docs say that it locks."
)
REPLY = "Done: the limit comes from the material now, 12 Nm for steel and 4 for nylon."
NEWS = "All remarks are in. The failing test compared units with a number; that is mended too."


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A call of a vendor's API; `path` is what follows the base, or a whole URL's."""

    path: str
    method: str = "GET"
    accept: str = ""
    body: Mapping[str, object] = field(default_factory=dict)
    vendor: str = "github"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call of one of our tools."""

    tool: str
    arguments: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What an agent wants to know or do, and the calls of both sides that do it."""

    name: str
    raw: Sequence[Request]
    ours: Sequence[Call]
    of_logs: bool = False


def tasks(of: Scenario, todo: Mapping[str, object]) -> Sequence[Task]:
    """Return them in the order of a working day."""
    return (_start(of, todo), *_reading(of), *_failing(of), *_writing(of), _issues())


def _start(of: Scenario, todo: Mapping[str, object]) -> Task:
    pull, head = _pull(of), _head(of)
    return Task(
        name="start: branch, pull request, CI, threads, Jira issue, to-do",
        raw=(
            Request(path=f"{HOME}/pulls?head=acme:{BRANCH}"),
            Request(path=f"{pull}/reviews?per_page=100"),
            Request(path=f"{HOME}/commits/{head}/check-runs?per_page=100"),
            _threads(of),
            Request(path=f"rest/api/3/issue/{JIRA}", vendor="jira"),
            Request(path=f"todos/{todo['todo_id']}.json", vendor="basecamp"),
        ),
        ours=(Call(tool="get_work_context", arguments=_REPOSITORY),),
    )


def _reading(of: Scenario) -> Sequence[Task]:
    pull, number = _pull(of), of.pull.number
    files = Request(path=f"{pull}/files?per_page=100")
    this = {**_REPOSITORY, "pr_number": number}
    return (
        Task(
            name="overview of the pull request and its issue",
            raw=(
                Request(path=pull),
                Request(path=f"{pull}/reviews?per_page=100"),
                Request(path=f"{HOME}/commits/{_head(of)}/check-runs?per_page=100"),
                Request(path=f"{HOME}/commits/{_head(of)}/status"),
                Request(path=f"{HOME}/issues/1"),
            ),
            ours=(
                Call(tool="get_pr_status", arguments=this),
                Call(tool="github_get_issue", arguments={**_REPOSITORY, "issue_number": 1}),
            ),
        ),
        Task(
            name="the conversation below it",
            raw=(Request(path=f"{HOME}/issues/{number}/comments?per_page=100"),),
            ours=(
                Call(
                    tool="list_comments",
                    arguments={
                        **_REPOSITORY,
                        "issue_number": number,
                        "fields": ["id", "author", "created_at", "body"],
                    },
                ),
            ),
        ),
        Task(
            name="which files change",
            raw=(files,),
            ours=(Call(tool="list_pr_files", arguments=this),),
        ),
        Task(
            name="one file's diff",
            raw=(Request(path=pull, accept=DIFF),),
            ours=(Call(tool="github_get_pr_diff", arguments={**this, "paths": [FILE]}),),
        ),
        Task(
            name=THREADS,
            raw=(Request(path=f"{pull}/comments?per_page=100"), _threads(of)),
            ours=(
                Call(tool="list_review_threads", arguments=this),
                Call(
                    tool="list_review_comments",
                    arguments={**this, "fields": ["in_reply_to_id", "author", "body"]},
                ),
            ),
        ),
    )


def _failing(of: Scenario) -> Sequence[Task]:
    run = f"{HOME}/actions/runs/{of.run_id}"
    jobs = of.demo.repository.ci.jobs()
    failed = [job.id for job in jobs if job.conclusion == "failure" and job.run.id == of.run_id]
    this = {**_REPOSITORY, "pr_number": of.pull.number}
    return (
        Task(
            name="why CI fails",
            raw=(
                Request(path=f"{HOME}/actions/runs?head_sha={_head(of)}"),
                Request(path=f"{run}/jobs?per_page=100"),
            ),
            ours=(
                Call(tool="get_ci_status", arguments=this),
                Call(
                    tool="get_workflow_run_details",
                    arguments={**_REPOSITORY, "run_id": of.run_id, "only_failed": True},
                ),
            ),
        ),
        Task(
            name="the lines of the logs that say it",
            raw=[Request(path=f"{HOME}/actions/jobs/{one}/logs") for one in failed],
            ours=(Call(tool="get_failed_logs", arguments={**_REPOSITORY, "run_id": of.run_id}),),
            of_logs=True,
        ),
    )


def _writing(of: Scenario) -> Sequence[Task]:
    pull, number = _pull(of), of.pull.number
    this = {**_REPOSITORY, "pr_number": number}
    place: Mapping[str, object] = {"path": FILE, "line": 53, "body": REMARK}
    return (
        Task(
            name="where an inline comment may stand",
            raw=(Request(path=f"{pull}/files?per_page=100"),),
            ours=(Call(tool="get_commentable_lines", arguments={**this, "path": FILE}),),
        ),
        Task(
            name="write an inline comment",
            raw=(
                Request(
                    path=f"{pull}/comments",
                    method="POST",
                    body={**place, "side": "RIGHT", "commit_id": _head(of)},
                ),
            ),
            ours=(Call(tool="create_inline_comment", arguments={**this, **place}),),
        ),
        Task(
            name="reply in a thread",
            raw=(
                Request(
                    path=f"{pull}/comments/{of.thread.id}/replies",
                    method="POST",
                    body={"body": REPLY},
                ),
            ),
            ours=(
                Call(
                    tool="reply_to_review_comment",
                    arguments={**this, "comment_id": of.thread.id, "body": REPLY},
                ),
            ),
        ),
        Task(
            name="comment on the pull request",
            raw=(
                Request(
                    path=f"{HOME}/issues/{number}/comments", method="POST", body={"body": NEWS}
                ),
            ),
            ours=(
                Call(
                    tool="create_comment",
                    arguments={**_REPOSITORY, "issue_number": number, "body": NEWS},
                ),
            ),
        ),
    )


def _issues() -> Task:
    return Task(
        name="list the open issues",
        raw=(Request(path=f"{HOME}/issues"),),
        ours=(Call(tool="github_list_issues", arguments=_REPOSITORY),),
    )


_REPOSITORY: Mapping[str, object] = {"owner": "acme", "repo": "widgets"}


def _pull(of: Scenario) -> str:
    return f"{HOME}/pulls/{of.pull.number}"


def _head(of: Scenario) -> str:
    assert of.pull.pull is not None
    return of.pull.pull.head_sha


def _threads(of: Scenario) -> Request:
    names = {"owner": "acme", "repo": "widgets", "number": of.pull.number}
    query = f"query($owner: String!, $repo: String!, $number: Int!) {QUERY}"
    return Request(path=GRAPHQL, method="POST", body={"query": query, "variables": names})
