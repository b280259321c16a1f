"""The data of the demo: a project with issues of every kind, the same each time."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from trunkline_shared.testing.jira.issues import (
    BLOCKS,
    BUG,
    DONE,
    EPIC,
    IN_PROGRESS,
    SUBTASK,
    Issue,
    Project,
    Visibility,
)
from trunkline_shared.testing.jira.people import Token, User
from trunkline_shared.testing.jira.relations import attach, link
from trunkline_shared.testing.jira.state import State

PROJECT = "WID"
BEGIN = datetime(2023, 10, 2, 9, 0, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Demo:
    """What the demo consists of; `wobbling` is the story of the demo's pull request."""

    token: Token
    project: Project
    wobbling: Issue


def seed_demo(state: State) -> Demo:
    """Fill an empty state with project WID; WID-2 is what the demo's pull request mends."""
    demo, alice = state.add_user("demo", "Demo User"), state.add_user("alice", "Alice Adams")
    bob = state.add_user("bob", "Bob Brown")
    project = state.add_project(PROJECT, "Widgets")
    points = state.add_field("Story Points", "number")
    epic = state.add_issue(
        project, "Widgets that do not wobble", type=EPIC, reporter=alice, at=_after(0)
    )
    wobbling = state.add_issue(
        project,
        "Widgets wobble under load",
        description="From 40 kg on they wobble.\n\nThe screws come loose, see pull request 2.",
        type=BUG,
        status=IN_PROGRESS,
        reporter=alice,
        assignee=demo,
        parent=epic,
        at=_after(1),
    )
    wobbling.labels += ["bench", "load"]
    wobbling.fix_versions.append("2.0")
    wobbling.custom[points.id] = 5.0
    measuring = state.add_issue(
        project, "Measure the torque", type=SUBTASK, parent=wobbling, reporter=bob, at=_after(2)
    )
    _finish(measuring, bob)
    release = state.add_issue(project, "Ship widgets 2.0", reporter=alice, at=_after(3))
    link(state, wobbling, BLOCKS, release)
    attach(state, wobbling, "bench-3.png")
    state.add_comment(wobbling, "Reproduced on 3 of 5 benches.", bob, at=_after(4))
    state.add_comment(wobbling, "12 Nm should do.", alice, at=_after(5))
    secret = Visibility(type="role", value="Developers")
    state.add_comment(wobbling, "The customer is Acme.", alice, at=_after(6), visibility=secret)
    state.add_comment(wobbling, "I saw this on the old bench too.", None, at=_after(7))
    token = state.add_token(demo, "demo")
    return Demo(token=token, project=project, wobbling=wobbling)


def _after(hours: float) -> datetime:
    return BEGIN + timedelta(hours=hours)


def _finish(issue: Issue, by: User) -> None:
    issue.status, issue.resolution, issue.assignee = DONE, "Done", by
    issue.resolved = issue.updated = _after(8)
