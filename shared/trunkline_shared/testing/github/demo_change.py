"""What the demo's pull request changes, and what its CI says of it."""

from datetime import datetime, timedelta

from trunkline_shared.testing.github.changes import ChangedFile
from trunkline_shared.testing.github.conversation import Issue
from trunkline_shared.testing.github.repository import Repository
from trunkline_shared.testing.github.workflow_runs import Step

_BEFORE = '''"""The screws of a widget."""

TORQUE_NM = 8


def tighten(screw: Screw) -> None:
    screw.turn(until=TORQUE_NM)


def loosen(screw: Screw) -> None:
    screw.turn(until=0)
'''
_AFTER = '''"""The screws of a widget."""

TORQUE_NM = 12


def tighten(screw: Screw) -> None:
    screw.turn(until=TORQUE_NM)
    screw.lock()


def loosen(screw: Screw) -> None:
    screw.turn(until=0)
'''
FILES = (
    ChangedFile(path="src/screws.py", before=_BEFORE, after=_AFTER),
    ChangedFile(path="docs/screws.md", after="# Screws\n\nThey are tightened to 12 Nm.\n"),
)
_LOG = """\
##[group]Run pytest -q
pytest -q
##[endgroup]
tests/test_screws.py ..F
=================================== FAILURES ===================================
    def test_a_screw_can_be_loosened():
>       loosen(screw)
E       LockedScrew: the screw is locked
1 failed, 2 passed in 0.41s
##[error]Process completed with exit code 1.
"""


def change_and_check(repository: Repository, pull: Issue, at: datetime) -> None:
    """Give the demo's pull request its files, and a run of which one job fails."""
    assert pull.pull is not None
    pull.pull.files = list(FILES)
    head, ci = pull.pull.head_sha, repository.ci
    ci.commits[head] = at
    run = ci.add_run(
        head,
        conclusion="failure",
        branch=pull.pull.head_ref,
        pulls=[pull.number],
        at=at,
        jobs=False,
    )
    ci.add_job(
        run, "lint", steps=[Step(name="Run ruff check")], log=_stamped("All checks passed!\n", at)
    )
    ci.add_job(
        run,
        "test (3.13)",
        conclusion="failure",
        steps=[Step(name="Set up job"), Step(name="Run pytest -q", conclusion="failure")],
        log=_stamped(_LOG, at),
    )
    run.finish("failure", at + timedelta(minutes=2))
    ci.add_check(head, "coverage", title="97 % of the lines", at=at)
    ci.add_status(head, "benches", "success", description="5 of 5 benches pass", at=at)
    for name in ("bug", "documentation", "hardware"):
        repository.tracker.add_label(name)


def _stamped(text: str, at: datetime) -> bytes:
    stamp = at.strftime("%Y-%m-%dT%H:%M:%S.0000000Z")
    return "".join(f"{stamp} {line}\n" for line in text.splitlines()).encode()
