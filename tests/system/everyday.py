"""What agents ask of the demo: a read of each server, and reads that no cache can answer."""

import itertools
import secrets
from collections.abc import Iterator, Mapping
from typing import Any

from tests.system.agents import Ask

HERE: Mapping[str, Any] = {"owner": "acme", "repo": "widgets"}
PULL: Mapping[str, Any] = {**HERE, "pr_number": 2}


def ask(server: str, tool: str, timeout_s: float = 30, **arguments: object) -> Ask:
    """Return a call."""
    return Ask(server=server, tool=tool, arguments=arguments, timeout_s=timeout_s)


READS: Mapping[str, Ask] = {
    "github_comment": ask("github_comment", "list_comments", **HERE, issue_number=1),
    "github_inline_comment": ask("github_inline_comment", "get_commentable_lines", 60, **PULL),
    "github_ci": ask("github_ci", "get_ci_status", **PULL),
    "github": ask("github", "github_get_issue", **HERE, issue_number=1),
    "basecamp": ask("basecamp", "list_projects"),
    "jira": ask("jira", "get_jira_issue", issue_key="WID-2"),
    "twig": ask("twig", "get_current_branch", 10),
    "bridge": ask("bridge", "is_server_available", serverName="twig"),
}
UNKEPT = frozenset({"twig", "bridge"})
"""Whose answers no cache keeps: each of their reads is a fresh one."""
"""A read of each server, which the demo's own data answers."""


def fresh(server: str, turn: int) -> Ask:
    """Return a read that no cache has an answer to, as long as `turn` is another each time."""
    name = f"none-{turn}"
    return {
        "github_comment": ask(
            "github_comment",
            "list_comments",
            **HERE,
            issue_number=1,
            since=f"20{turn % 90 + 10}-10-02T{turn // 90 % 24:02}:{turn // 2160 % 60:02}:00Z",
        ),
        "github_inline_comment": ask(
            "github_inline_comment", "list_review_comments", **PULL, path=name
        ),
        "github_ci": ask("github_ci", "list_workflow_runs", **HERE, branch=name),
        "github": ask("github", "github_get_issue", **HERE, issue_number=1, max_body=1000 + turn),
        "basecamp": ask("basecamp", "list_projects", query=name),
        "jira": ask("jira", "search_jira", jql=f"project = WID AND key != WID-{turn + 100}"),
        **{name: READS[name] for name in UNKEPT},
    }[server]


def reading(place: int) -> Iterator[Ask]:
    """Yield what one of many readers asks: what others ask as well, and what nobody has asked."""
    servers = list(READS)
    begin = secrets.randbelow(100_000_000)
    for turn in itertools.count():
        server = servers[(place + turn) % len(servers)]
        if server not in UNKEPT:
            yield READS[server]
        yield fresh(server, begin + turn)
