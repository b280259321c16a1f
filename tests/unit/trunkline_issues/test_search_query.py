"""Queries held inside one repository, whatever they say."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from trunkline_issues.search_query import Kind, scoped
from trunkline_shared.errors import BlockedByPolicy, InvalidInput, TrunklineError
from trunkline_shared.github.repository import Repository
from trunkline_shared.testing.fake_clock import FakeClock
from trunkline_shared.testing.github.ledger import Ledger
from trunkline_shared.testing.github.people import User
from trunkline_shared.testing.github.repository import Repository as Elsewhere
from trunkline_shared.testing.github.search_language import NotUnderstood, Query

HERE = Repository("acme", "widgets")
PIECES = st.sampled_from([
    "a", "OR", "or", "AND", "NOT", "(", ")", '"', "\\", "-", "repo:", "REPO:", "acme/secret",
    "repo:acme/secret", "org:acme", "user:acme", "is:pr", "is:issue", "is:open", "label:x",
    " ", "\n", "\u3000", "\uff1a", "\uff02", "re\u200bpo:", "\u017f", ":", ",", "*",
])  # fmt: skip
QUERIES = st.one_of(st.lists(PIECES, max_size=12).map("".join), st.text(max_size=60))


@given(query=QUERIES, kind=st.sampled_from(["issue", "pr"]))
@example(query="a) OR (b", kind="issue")
@example(query='"a" OR repo:acme/secret', kind="issue")
@example(query='a\\" repo:acme/secret "', kind="issue")
def test_no_query_that_is_let_through_reaches_another_repository(query: str, kind: Kind) -> None:
    """As GitHub's language is read by the stand-in: qualifiers, operators, parentheses, quotes."""
    try:
        asked = scoped(query, HERE, kind)
    except (InvalidInput, BlockedByPolicy):
        return
    try:
        matches, named = Query.read(asked)
    except NotUnderstood:
        return
    ledger = Ledger(clock=FakeClock())
    author = User(id=1, login="mallory")
    other = Elsewhere(
        ledger=ledger,
        id=2,
        owner=User(id=3, login="acme"),
        name="secret",
        created_at=ledger.now(),
    )
    issues = [other.add_issue("a x b", author), other.add_pull("a x b", author)]
    assert not any(matches(other, issue) for issue in issues)
    assert set(named) == {"acme/widgets"}


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        ("  crash   on\nstart ", "crash on start"),
        ("a OR b", "(a OR b)"),
        ("this or that", "(this or that)"),
        ('"a OR b" c', '"a OR b" c'),
        ("(a)", "((a))"),
        ('"repo:x/y (" z', '"repo:x/y (" z'),
        ("myrepo:x", "myrepo:x"),
        ("order by", "order by"),
    ],
)
def test_what_is_asked_begins_with_where(query: str, asked: str) -> None:
    """Parentheses only where an operator could reach out of its part."""
    assert scoped(query, HERE, "issue") == f"repo:acme/widgets is:issue {asked}"
    assert scoped(query, HERE, "pr") == f"repo:acme/widgets is:pull-request {asked}"


@pytest.mark.parametrize(
    ("query", "kind", "refused"),
    [
        ("", "issue", InvalidInput),
        ('"', "issue", InvalidInput),
        (")(", "issue", InvalidInput),
        ("type:issue", "pr", InvalidInput),
        ("is:pull-request", "issue", InvalidInput),
        ("x" * 1_001, "issue", InvalidInput),
        ("repo :x", "issue", BlockedByPolicy),
        ("\u017fer:x u\u017fer:x", "issue", BlockedByPolicy),
        ("\uff52\uff45\uff50\uff4f:x", "issue", BlockedByPolicy),
    ],
)
def test_what_cannot_be_asked_is_refused(
    query: str, kind: Kind, refused: type[TrunklineError]
) -> None:
    """With the argument that is to blame."""
    with pytest.raises(refused) as caught:
        scoped(query, HERE, kind)
    assert "query" in caught.value.message
    assert caught.value.hint


def test_a_kind_that_is_said_twice_is_no_contradiction() -> None:
    """And a word that only begins like one says nothing."""
    assert scoped("is:issue type:issue", HERE, "issue")
    assert scoped("is:private is:prs", HERE, "issue")
