"""What each event of GitHub spoils, and whose arrival lets answers be good for longer.

https://docs.github.com/en/webhooks/webhook-events-and-payloads
"""

from collections.abc import Mapping

REPOSITORY = "{repo}"
NUMBERED = "{repo}#{number}"
ISSUES = "{repo}:issues"
COMMENTS = "{repo}:comments"
LABELS = "{repo}:labels"
CHECKS = "{repo}@{sha}:checks"
CHECK = "{repo}:checks/{check}"
RUN = "{repo}:runs/{run}"
BRANCH = "{repo}:branches/{branch}"
BRANCHES = "{repo}:branches"

SPOILS: Mapping[str, tuple[str, ...]] = {
    "branch_protection_configuration": (BRANCHES,),
    "branch_protection_rule": (BRANCHES,),
    "check_run": (CHECKS, CHECK),
    "check_suite": (CHECKS,),
    "create": (BRANCH,),
    "delete": (BRANCH,),
    "installation": (REPOSITORY,),
    "installation_repositories": (REPOSITORY,),
    "issue_comment": (f"{NUMBERED}:comments", COMMENTS, ISSUES),
    "issues": (NUMBERED, ISSUES),
    "label": (REPOSITORY,),
    "label.created": (LABELS,),
    "member": (REPOSITORY,),
    "meta": (REPOSITORY,),
    "milestone": (REPOSITORY,),
    "milestone.created": (ISSUES,),
    "public": (REPOSITORY,),
    "pull_request": (NUMBERED, ISSUES),
    "pull_request_review": (f"{NUMBERED}:reviews", COMMENTS, ISSUES),
    "pull_request_review_comment": (
        f"{NUMBERED}:reviews",
        f"{NUMBERED}:comments",
        COMMENTS,
        ISSUES,
    ),
    "pull_request_review_thread": (f"{NUMBERED}:reviews",),
    "push": (BRANCH,),
    "repository": (REPOSITORY,),
    "repository_ruleset": (BRANCHES,),
    "status": (CHECKS,),
    "team": (REPOSITORY,),
    "team_add": (REPOSITORY,),
    "workflow_job": (RUN, CHECKS, CHECK),
    "workflow_run": (RUN, CHECKS),
}
"""By event, or by event and action where an action spoils something else than the others.

A label or a milestone that is changed is on any number of issues, which its event does not name.
"""
