"""The benchmark's pull request, with all that belongs to it, in a stand-in of GitHub."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from bench.tokens.build import build
from bench.tokens.change import changed_files
from bench.tokens.talk import COMMENTS, ISSUES, REVIEWS, THREADS, Said
from trunkline_shared.testing.github import Demo, Issue, ReviewComment, User, seed_demo
from trunkline_shared.testing.github.anchoring import Place, hunk_shown
from trunkline_shared.testing.github.demo import BEGIN
from trunkline_shared.testing.github.state import State
from trunkline_shared.testing.github.threads import reply

BRANCH = "lock-what-is-tight"
JIRA = "WID-2"
LABELS = {
    "bench": "Touches what the bench measures",
    "good first issue": "Good for newcomers",
}
PULL_BODY = """\
Fixes #1, see {jira} and {todo}.

Parts that are tightened above 12 Nm are locked: they do not come loose under load, and `loosen`
leaves them as they are. `tighten` refuses what would break the part. A part that is loose carries
less, by the play of its material.

- [x] all modules
- [x] tests of the five that people touch
- [ ] load tables of titanium (#29)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """What the tasks are about; `thread` is the comment that began an open thread."""

    demo: Demo
    pull: Issue
    thread: ReviewComment
    run_id: int


def seed(state: State, todo: str) -> Scenario:
    """Add the pull request to the demo's repository; `todo` is the address of a to-do it names."""
    demo = seed_demo(state)
    home, people = demo.repository, state.users
    for login in ("carol", "dave"):
        home.grant(state.add_user(login), "write")
    labels = [home.tracker.add_label(name, description=said) for name, said in LABELS.items()]
    for number, title in enumerate(ISSUES):
        issue = home.add_issue(title, people["alice"], body=f"{title}.", at=_after(90 + number))
        issue.labels = [*home.tracker.labels.values()][number % 3 : number % 3 + 2]
        issue.assignees = [people["bob"]] if number % 3 == 0 else []
    pull = home.add_pull(
        "Lock what is tight",
        people["bob"],
        head=BRANCH,
        body=PULL_BODY.format(jira=JIRA, todo=todo),
        files=changed_files(),
        at=_after(120),
    )
    assert pull.pull is not None
    pull.labels, pull.assignees = labels, [people["bob"]]
    pull.pull.reviewers = [people["carol"]]
    heads = [_discuss(pull, people, said, number) for number, said in enumerate(THREADS)]
    for number, (login, text) in enumerate(COMMENTS):
        pull.add_comment(text, people[login], at=_after(121 + number))
    for number, (login, verdict, text) in enumerate(REVIEWS):
        pull.add_review(people[login], verdict, body=text, at=_after(122 + number))
    run = build(home.ci, pull, _after(140))
    return Scenario(demo=demo, pull=pull, thread=heads[0], run_id=run.id)


def _after(hours: float) -> datetime:
    return BEGIN + timedelta(hours=hours)


def _discuss(pull: Issue, people: dict[str, User], said: Said, number: int) -> ReviewComment:
    """Add a thread: reviewer and author take turns."""
    assert pull.pull is not None
    file = next(one for one in pull.pull.files if one.path == said.path)
    reviewer, author = people["carol" if number % 2 else "alice"], people["bob"]
    first, *others = said.texts
    head = pull.add_review_comment(
        first, reviewer, path=said.path, line=said.line, at=_after(122 + number)
    )
    head.diff_hunk = hunk_shown(file, Place(line=said.line, side="RIGHT"))
    head.review = pull.add_review(reviewer, at=_after(122 + number))
    for turn, text in enumerate(others):
        reply(head, text, reviewer if turn % 2 else author)
    if said.resolved:
        pull.resolved[head.id] = author
    return head
