"""A promise and its source."""

from typing import NamedTuple


class Requirement(NamedTuple):
    """A promise and where it comes from."""

    source: str
    promise: str


COMMENTS = "GitHub REST: issue comments, pull request review comments, reactions"
CHECKS = "GitHub REST: workflow runs, check runs, commit statuses; how people use them"
REVIEWS = "GitHub REST: pull request reviews and review comments"
ISSUES = "GitHub REST: issues, labels, search"
PULLS = "GitHub REST: pull requests, review requests; GraphQL: drafts"
BASECAMP = "Basecamp API: how it pages, refuses and writes; how its users were let down"
JIRA = "Jira Cloud and Data Center REST APIs; the Atlassian document format"
TWIG = "twig's state file and command line"
MCP = "MCP specification 2026-07-28 and its predecessors"
CLIENTS = "what real MCP clients send and need"
USERS = "what the engineer who starts it expects"
OPERATORS = "what the operator who is paged expects"
