"""The data of the demo: a repository with conversations of every kind, the same each time."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from trunkline_shared.testing.github.conversation import Issue, Reaction
from trunkline_shared.testing.github.demo_change import change_and_check
from trunkline_shared.testing.github.people import Token, User
from trunkline_shared.testing.github.repository import Repository
from trunkline_shared.testing.github.state import State

FULL_NAME = "acme/widgets"
MARKER = "<!-- trunkline:marker=progress -->"
BEGIN = datetime(2023, 10, 2, 9, 0, tzinfo=UTC)
EARLIER_COMMENTS = 34
TODO = "https://3.basecamp.com/5017001/buckets/1069478906/todos/1069478945"
"""A to-do of Basecamp's demo, which the pull request links as people do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Demo:
    """What the demo consists of; `token` may write, `reader` may only read."""

    token: Token
    reader: Token
    repository: Repository
    issue: Issue
    pull: Issue
    locked: Issue


@dataclass(frozen=True, slots=True, kw_only=True)
class Cast:
    """Who speaks in the demo; Grace has deleted her account and is None in what she wrote."""

    demo: User
    alice: User
    bob: User
    bot: User


def seed_demo(state: State) -> Demo:
    """Fill an empty state with `acme/widgets`: issue 1, pull request 2, locked issue 3."""
    repository = state.add_repository(FULL_NAME)
    repository.description = "Widgets that do not wobble"
    repository.created_at = BEGIN
    cast = Cast(
        demo=state.add_user("demo"),
        alice=state.add_user("alice"),
        bob=state.add_user("bob"),
        bot=state.add_user("widgets-ci[bot]", "Bot"),
    )
    repository.grant(cast.demo, "write")
    repository.grant(cast.alice, "maintain")
    demo = Demo(
        repository=repository,
        issue=_wobbling(repository, cast),
        pull=_tightening(repository, cast),
        locked=_settled(repository, cast),
        token=state.add_token(cast.demo, "demo"),
        reader=state.add_token(cast.demo, "reader", permissions={"issues": "read"}),
    )
    change_and_check(repository, demo.pull, _after(55))
    return demo


def _after(hours: float) -> datetime:
    return BEGIN + timedelta(hours=hours)


def _wobbling(repository: Repository, cast: Cast) -> Issue:
    """Return an issue with more comments than a page has, of every kind of author."""
    issue = repository.add_issue(
        "Widgets wobble under load", cast.alice, body="From 40 kg on they wobble.", at=_after(1)
    )
    for number in range(1, EARLIER_COMMENTS + 1):
        author = cast.bob if number % 2 else cast.alice
        issue.add_comment(f"Measurement {number}: {40 + number} kg.", author, at=_after(1 + number))
    issue.add_comment("I saw this on the old bench too.", None, at=_after(40))
    issue.add_comment("CHEAP WIDGETS here!", cast.bob, at=_after(41), minimized="spam")
    issue.add_comment("Build 17 reproduces it on 3 of 5 benches.", cast.bot, at=_after(42))
    newest = issue.add_comment("Reproduced, the screws come loose.", cast.alice, at=_after(43))
    newest.reactions.append(
        Reaction(id=issue.ledger.next_id(), user=cast.bob, content="heart", created_at=_after(44))
    )
    return issue


def _tightening(repository: Repository, cast: Cast) -> Issue:
    pull = repository.add_pull(
        "WID-2: Tighten the screws",
        cast.bob,
        head="tighten-screws",
        body=f"Fixes #1. Before we launch: {TODO}",
        at=_after(50),
    )
    pull.add_comment("All benches pass.", cast.bot, at=_after(51))
    pull.add_comment(f"{MARKER}\nReview of 1 of 2 files done.", cast.demo, at=_after(51.5))
    pull.add_comment("Nice and short.", cast.alice, at=_after(52))
    pull.add_review_comment("Why 12 Nm?", cast.alice, path="src/screws.py", line=7, at=_after(53))
    outdated = pull.add_review_comment(
        "This constant wants a name.", cast.alice, path="src/screws.py", line=3, at=_after(54)
    )
    outdated.line = None
    return pull


def _settled(repository: Repository, cast: Cast) -> Issue:
    issue = repository.add_issue(
        "Which colour shall widgets have?", cast.bob, body=None, at=_after(60)
    )
    issue.add_comment("Blue, and that is that.", cast.alice, at=_after(61))
    issue.close(at=_after(62))
    issue.locked = True
    return issue
