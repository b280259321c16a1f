"""The parts of a context as lines of a prompt: texts of strangers stand in quotes, as data."""

import re
from collections.abc import Iterator

from trunkline_branch_context.names import shown
from trunkline_branch_context.parts import Parts
from trunkline_branch_context.subject import Subject
from trunkline_shared.work.part import DataT, Part
from trunkline_shared.work.summaries import CiSummary, IssueSummary, PullSummary, Signal

MOST_SAID = 160
_ABSENT = "NOT_FOUND"
_WORD = re.compile(r"[A-Za-z0-9_.\[\]-]{1,40}")
_NAME = re.compile(r"[^\s\"'`\\]{1,250}")


def quoted(text: str) -> str:
    """Return a stranger's text between quotes that it cannot end, without what is invisible."""
    cut = text if len(text) <= MOST_SAID else f"{text[: MOST_SAID - 1]}…"
    return '"{}"'.format(shown(cut).replace("\\", "\\\\").replace('"', '\\"'))


def word(text: str) -> str:
    """Return a single word as it is, such as a state or a login, and anything else quoted."""
    return text if _WORD.fullmatch(text) else quoted(text)


def name(text: str) -> str:
    """Return a branch's name or an issue's key as it is, and what can be neither quoted."""
    told = shown(text)
    return told if _NAME.fullmatch(told) else quoted(text)


def part_lines(subject: Subject, parts: Parts) -> Iterator[str]:
    """Yield one line for each part, or why it is missing and which tool has it."""
    pull, ci, jira = parts.pull_request, parts.ci, parts.jira
    yield _pull(pull.data) if pull.data else _missing("pull request", pull, _pull_tool(subject))
    yield _ci(ci.data, subject) if ci.data else _missing("CI", ci, _ci_tool(subject, pull.data))
    yield _jira(jira.data) if jira.data else _missing("Jira", jira, _jira_tool(subject))


def lacks_any(parts: Parts) -> bool:
    """Say whether a part is missing that a tool may still have."""
    each = (parts.pull_request, parts.ci, parts.jira)
    return any(not part.available and part.error_code != _ABSENT for part in each)


def _pull(pull: PullSummary) -> str:
    said = [word(pull.state), *(["draft"] if pull.draft else [])]
    if pull.state == "open" and pull.mergeable is not None:
        said.append("mergeable" if pull.mergeable else "cannot be merged now")
    if pull.review_decision:
        said.append(f"review {word(pull.review_decision)}")
    said += [f"{word(each.author or 'somebody')} {word(each.state)}" for each in pull.reviews]
    return f"pull request #{pull.number} {quoted(pull.title)}: {', '.join(said)}"


def _ci(ci: CiSummary, subject: Subject) -> str:
    text = f"CI: {word(ci.verdict)}"
    if ci.failed:
        text += f"; failed: {_names(ci.failed, ci.failed_count)}"
    if ci.pending:
        text += f"; pending: {_names(ci.pending, ci.pending_count)}"
    if subject.head_sha and ci.head_sha and ci.head_sha != subject.head_sha:
        text += f" (at commit {word(ci.head_sha[:12])}, which is not the local one)"
    return text


def _names(signals: list[Signal], count: int) -> str:
    more = f" and {count - len(signals)} more" if count > len(signals) else ""
    return ", ".join(quoted(each.name) for each in signals) + more


def _jira(issue: IssueSummary) -> str:
    status = quoted(issue.status) if issue.status else "no status"
    whose = f"assigned to {quoted(issue.assignee)}" if issue.assignee else "unassigned"
    return f"Jira {word(issue.key)} {quoted(issue.summary)}: {status}, {whose}"


def _missing(what: str, part: Part[DataT], tool: str) -> str:
    message = quoted(part.message or "")
    if part.error_code == _ABSENT:
        return f"{what}: none ({message})"
    return f"{what}: not known ({part.error_code}: {message}); {tool} may have it"


def _pull_tool(subject: Subject) -> str:
    if subject.pr_number is not None:
        return f"`get_pr_status` with pr_number {subject.pr_number}"
    return f"`get_pr_status` with branch {name(subject.branch)}"


def _ci_tool(subject: Subject, pull: PullSummary | None) -> str:
    number = subject.pr_number or (pull.number if pull else None)
    if number is not None:
        return f"`get_ci_status` with pr_number {number}"
    return f"`get_ci_status` with ref {subject.head_sha or name(subject.branch)}"


def _jira_tool(subject: Subject) -> str:
    return f"`get_jira_issue` with issue_key {name(subject.issue_key or '')}"
