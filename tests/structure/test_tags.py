"""What the mesh's own tools declare: each write spoils every read that shows what it changes."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from trunkline_router.cache.footing import narrowed
from trunkline_router.cache.questions import Question
from trunkline_router.cache.tags import fill, is_related
from trunkline_shared import meta
from trunkline_shared.contracts import Policy

SNAPSHOTS = Path(__file__).parents[1] / "snapshots"
ONE: Mapping[str, object] = {
    "owner": "Acme",
    "repo": "Widgets",
    "issue_number": 12,
    "pr_number": 12,
    "commentId": 7,
    "comment_id": 7,
    "reaction_id": 9,
    "run_id": 5,
    "job_id": 6,
    "check_run_id": 6,
    "issue_key": "ME-1",
    "site": "jira.example",
    "account": 195,
}
"""One of everything that calls can be about; all of it hangs together."""

HEAD = ("gh:acme/widgets@abc:checks", "gh:acme/widgets:branches/main")
TOLD: Mapping[str, tuple[str, ...]] = {
    "get_ci_status": HEAD,
    "list_check_runs": HEAD,
    "github_pr_status": HEAD,
    "get_pr_status": HEAD,
    "get_pull_request": HEAD[1:],
    "github_get_pr_diff": HEAD[1:],
    "list_pr_files": HEAD[1:],
    "get_job_log": ("gh:acme/widgets:runs/5",),
    "get_jira_issue": ("jira:jira.example:ME-1", "jira:jira.example:ME-2"),
    "list_jira_comments": ("jira:jira.example:ME-1",),
}
"""What results of reads tell of themselves: then nothing else spoils them. What a write's result
tells is not counted on: one that failed has none."""

LISTS = {"github_list_issues", "list_pull_requests", "search_issues"}
ISSUE = {"github_get_issue", "get_pull_request", "get_pr_status"} | LISTS
PULL = ISSUE | {"github_pr_status"}
COMMENTS = ISSUE | {"list_comments", "get_comment"}
THREADS = {"list_review_comments", "list_review_threads"}
REVIEWS = PULL | THREADS | {"get_comment", "list_reviews"}
BY_ID = COMMENTS | THREADS
RUN = {
    "get_ci_status",
    "list_check_runs",
    "get_check_annotations",
    "list_workflow_runs",
    "get_workflow_run_details",
    "get_job_log",
    "get_failed_logs",
    "github_pr_status",
    "get_pr_status",
}
JIRA = {"get_jira_issue", "list_jira_comments", "list_jira_issues", "search_jira"}
SHOWN_BY: Mapping[str, set[str]] = {
    "create_comment": COMMENTS - {"get_comment"},
    "upsert_comment": COMMENTS,
    "update_comment": BY_ID,
    "delete_comment": BY_ID | {"list_reviews"},
    "add_reaction": {"list_comments", "get_comment", "list_review_comments"},
    "remove_reaction": {"list_comments", "get_comment", "list_review_comments"},
    "create_inline_comment": REVIEWS,
    "update_review_comment": REVIEWS,
    "delete_review_comment": REVIEWS,
    "create_review": REVIEWS,
    "start_pending_review": REVIEWS,
    "submit_pending_review": REVIEWS,
    "discard_pending_review": REVIEWS,
    "reply_to_review_comment": REVIEWS,
    "resolve_thread": REVIEWS,
    "unresolve_thread": REVIEWS,
    "github_close_issue": PULL | {"list_comments"},
    "reopen_issue": PULL,
    "create_issue": LISTS | {"list_labels"},
    "update_issue": PULL | {"list_labels"},
    "github_add_labels": ISSUE | {"list_labels"},
    "remove_label": ISSUE,
    "github_create_pr": PULL | {"list_labels", "github_get_pr_diff", "list_pr_files"} | RUN,
    "update_pull_request": PULL | {"github_get_pr_diff", "list_pr_files", "get_commentable_lines"},
    "request_reviewers": PULL,
    "set_draft": PULL,
    "rerun_failed_jobs": RUN,
    "rerun_run": RUN,
    "cancel_run": RUN,
    "add_jira_comment": JIRA,
    "transition_jira_issue": JIRA | {"get_jira_transitions"},
    # What they have other tools do, these spoil by themselves.
    "query_mcp": set(),
    "call_tool": set(),
    "reset_breaker": set(),
}
"""Each write, and the reads that show something of what it changes."""

DIFFS = {"github_get_pr_diff", "list_pr_files", "get_commentable_lines"}
UNTOUCHED: Mapping[str, set[str]] = {
    "update_comment": DIFFS | RUN - {"get_pr_status"} | {"list_labels"},
    "create_comment": DIFFS | RUN - {"get_pr_status"} | {"list_labels", "list_reviews"},
    "github_add_labels": DIFFS | {"list_comments", "get_ci_status", "list_reviews"},
    "create_review": DIFFS | {"get_ci_status", "list_labels", "list_comments"},
    "rerun_run": DIFFS | COMMENTS - {"get_pr_status"} | {"list_reviews", "list_labels"},
    "add_jira_comment": {"list_jira_projects", "get_myself"},
}
"""What writes that are often made must leave alone, or nothing would be kept for long."""

NOBODY_WRITES = ("basecamp", "twig")
KNOWN_LATER = {"head_sha", "base_ref", "account", "site"}


def _tools() -> Iterator[tuple[str, dict[str, Any]]]:
    for snapshot in sorted(SNAPSHOTS.glob("*.json")):
        for tool in json.loads(snapshot.read_text(encoding="utf-8")):
            yield snapshot.stem, tool


SERVERS = {tool["name"]: server for server, tool in _tools()}
TOOLS = {tool["name"]: tool for _, tool in _tools()}
POLICIES = {name: Policy.model_validate(tool["_meta"][meta.POLICY]) for name, tool in TOOLS.items()}
WRITES = {name for name, policy in POLICIES.items() if policy.writes is not None}
READS = {name for name, policy in POLICIES.items() if policy.reads is not None}
PAIRS = [(write, read) for write, reads in SHOWN_BY.items() for read in sorted(reads)]
APART = [(write, read) for write, reads in UNTOUCHED.items() for read in sorted(reads)]


def arguments_of(name: str) -> Mapping[str, object]:
    """Return what a call must have: nothing that the tool would rather know can be counted on."""
    schema = TOOLS[name]["inputSchema"]
    needed = {one.partition("|")[0] for one in POLICIES[name].needs} | set(
        schema.get("required", ())
    )
    known = {"site", "account"}
    return {key: value for key, value in ONE.items() if key in (needed | known)}


def spoiled_by(name: str) -> set[str]:
    """Return the tags that a write spoils, whatever comes of it."""
    policy = POLICIES[name]
    assert policy.writes is not None
    arguments = arguments_of(name)
    return {fill(tag, arguments).tag for tag in policy.writes.tags}


def depends_on(name: str, arguments: Mapping[str, object]) -> tuple[str, ...]:
    """Return the tags that an answer depends on, as narrow as its result lets them be."""
    policy = POLICIES[name]
    assert policy.reads is not None
    filled = [fill(tag, arguments) for tag in policy.reads.tags]
    asked = Question(
        key=b"",
        server=SERVERS[name],
        tool=name,
        reads=policy.reads,
        exact=tuple(one.tag for one in filled if not one.wide),
        wide=tuple(one.tag for one in filled if one.wide),
    )
    return narrowed(asked, TOLD.get(name, ()))


def meet(write: str, read: str) -> bool:
    """Say whether a write spoils a read, whatever may be left out of the read's arguments."""
    spoiled = spoiled_by(write)
    properties = TOOLS[read]["inputSchema"]["properties"]
    all_of_it = {key: value for key, value in ONE.items() if key in properties}
    return all(
        any(is_related(one, other) for one in spoiled for other in depends_on(read, arguments))
        for arguments in (arguments_of(read), {**arguments_of(read), **all_of_it})
    )


@pytest.mark.requirement("cache.tags-complete")
@pytest.mark.parametrize(("write", "read"), PAIRS)
def test_a_write_spoils_what_shows_its_change(write: str, read: str) -> None:
    """Though both say no more than they must."""
    assert meet(write, read), (spoiled_by(write), depends_on(read, arguments_of(read)))


@pytest.mark.parametrize(("write", "read"), APART)
def test_a_write_leaves_alone_what_does_not_show_its_change(write: str, read: str) -> None:
    """Ten agents comment while they read one diff."""
    assert not meet(write, read), (spoiled_by(write), depends_on(read, arguments_of(read)))


@pytest.mark.requirement("cache.tags-complete")
def test_every_write_is_judged() -> None:
    """A new one has to say which reads show what it changes."""
    assert set(SHOWN_BY) == WRITES


@pytest.mark.requirement("cache.tags-complete")
def test_every_read_is_judged() -> None:
    """It shows what some write changes, or what nobody of the mesh writes."""
    shown = set().union(*SHOWN_BY.values(), *UNTOUCHED.values())
    left = {name for name in READS - shown if SERVERS[name] not in NOBODY_WRITES}
    assert left == set()


def test_a_read_says_what_it_depends_on() -> None:
    """One without tags would be spoiled by nothing but its time; twig keeps nothing at all."""
    for name in READS:
        reads = POLICIES[name].reads
        assert reads is not None
        assert reads.tags or reads.ttl_s == 0, name


def test_what_waits_is_never_answered_by_what_was() -> None:
    """Who waits for a change wants to see it."""
    waiting = {name for name, policy in POLICIES.items() if policy.waits}
    assert waiting
    assert all(POLICIES[name].reads is None for name in waiting)


def test_what_is_found_by_an_index_settles_for_a_minute() -> None:
    """It follows the objects with a delay of its own."""
    searches = {"search_issues", "search_jira", "list_jira_issues", "search"}
    settling = {
        name
        for name in READS
        if (reads := POLICIES[name].reads) is not None and reads.settle_s >= 60
    }
    assert settling == searches


def test_tags_name_arguments_or_what_is_known_later() -> None:
    """A name that nothing fills would make the tag wide for ever."""
    for name, policy in POLICIES.items():
        declared = (policy.reads and policy.reads.tags) or (policy.writes and policy.writes.tags)
        named = set(re.findall(r"\{(\w+)\}", " ".join(declared or ())))
        assert named <= set(TOOLS[name]["inputSchema"]["properties"]) | KNOWN_LATER, name
