"""JQL: what is written is safe, what is given is narrowed and never widened."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_jira.jql.ordering import ordering
from trunkline_jira.jql.query import LONGEST, Query, condition, parsed
from trunkline_jira.jql.quoting import quoted, quoted_list
from trunkline_jira.jql.tokens import tokens
from trunkline_shared.errors import InvalidInput

PIECES = st.sampled_from([
    *("project", "=", "in", "(", ")", '"', "'", "\\", " ", "\n", "\t", ",", "!", "~", "<", ">"),
    *("ORDER", "by", "order by", "OR", "AND", "not", "SECRET", "1", '"a b"', "'x'", "\\'", '\\"'),
    *("is", "EMPTY", "currentUser()", "-5d", "\u00a0", "\x00", "é", "cf[10010]"),
])
HOSTILE = st.lists(PIECES, max_size=25).map("".join)
ALLOWED = ("WID", "OPS")


@given(st.text())
def test_a_quoted_value_is_one_string(value: str) -> None:
    """Whatever it holds: quotes, backslashes, line breaks."""
    found = list(tokens(quoted(value)))
    assert [token.kind for token in found] == ["string"]


@pytest.mark.parametrize("word", ["order", "123", "AND", "WID", 'a"b', "a\\b", "a) OR (b"])
def test_reserved_words_and_numbers_are_quoted(word: str) -> None:
    """A project may be called `order`, and another one 123."""
    assert quoted(word).startswith('"')
    assert quoted(word).endswith('"')


def test_values_of_a_list_are_quoted() -> None:
    """As the operand of `in`."""
    assert quoted_list(("WID", 'a"b')) == '("WID", "a\\"b")'


@pytest.mark.parametrize(
    ("jql", "where", "order"),
    [
        ("project = WID", "project = WID", ""),
        ("project = WID order by updated desc", "project = WID", "updated desc"),
        ("ORDER BY key", "", "key"),
        ('summary ~ "order by x"', 'summary ~ "order by x"', ""),
        ("summary ~ 'it\\'s' Order  By\n rank", "summary ~ 'it\\'s'", "rank"),
        ('labels = "order" AND x = by', 'labels = "order" AND x = by', ""),
        ("", "", ""),
    ],
)
def test_the_order_is_split_off(jql: str, where: str, order: str) -> None:
    """Only the query's own, outside of quotes and parentheses."""
    assert parsed(jql) == Query(where=where, order=order)


@pytest.mark.requirement("jira.allowlist")
def test_a_query_is_narrowed_to_the_allowed_projects() -> None:
    """The order stays last, and an OR stays inside."""
    query = parsed("project = SECRET OR text ~ x ORDER BY created")
    assert query.within(ALLOWED).text == (
        'project in ("WID", "OPS") AND (project = SECRET OR text ~ x) ORDER BY created'
    )
    assert parsed("").within(ALLOWED).text == 'project in ("WID", "OPS")'


@pytest.mark.requirement("jira.allowlist")
@given(HOSTILE)
def test_no_query_leaves_the_allowed_projects(jql: str) -> None:
    """All that a caller wrote is inside one pair of parentheses, or refused."""
    try:
        query = parsed(jql)
    except InvalidInput:
        return
    if not query.where:
        return
    found = list(tokens(Query(where=query.where).within(ALLOWED).text))
    ours, theirs = found[:8], found[8:]
    assert [token.text for token in ours[:3]] == ["project", "in", "("]
    assert ours[-1].text == "AND"
    assert (theirs[0].kind, theirs[-1].kind) == ("open", "close")
    assert all(token.depth > 0 for token in theirs[1:-1])


@pytest.mark.parametrize(
    ("jql", "why"),
    [
        ("project = A) OR (project = B", "closes nothing"),
        ("(project = A", "is not closed"),
        ('summary ~ "a', "does not end"),
        ('summary ~ "a\nb"', "does not end"),
        ("a = b\\", "escapes nothing"),
        ("a = \x00", "is not JQL"),
        ("a = b\uffff", "is not JQL"),
        ("a = b\x80c", "is not JQL"),
        ("a = 'b\x9f'", "does not end"),
        ("project = A ORDER BY ", "names no field"),
        ("x" * (LONGEST + 1), "characters"),
    ],
)
def test_what_is_no_query_is_refused_with_its_place(jql: str, why: str) -> None:
    """Before Jira is asked, and in our words."""
    with pytest.raises(InvalidInput, match=why):
        parsed(jql)


def test_a_part_of_a_query_has_no_order() -> None:
    """It would end in the middle of the whole."""
    assert condition(" text ~ x ", "extra") == "text ~ x"
    with pytest.raises(InvalidInput, match="extra: ORDER BY has no place here"):
        condition("text ~ x ORDER BY key", "extra")


@pytest.mark.parametrize(
    ("order", "written"),
    [
        ("updated DESC", "updated DESC"),
        ("priority asc, key", "priority ASC, key"),
        ("Story Points desc", '"Story Points" DESC'),
        ("cf[10010]", '"cf[10010]"'),
        ("Größe", '"Größe"'),
        ('"Story Points" desc, "order"', '"Story Points" DESC, "order"'),
    ],
)
def test_an_order_is_written_as_jql_has_it(order: str, written: str) -> None:
    """Fields whose names are no plain words are quoted."""
    assert ordering(order) == written


@given(HOSTILE)
def test_an_order_is_fields_and_nothing_else(order: str) -> None:
    """No condition can hide in it."""
    try:
        found = list(tokens(ordering(order)))
    except InvalidInput:
        return
    assert all(token.kind in {"word", "string"} or token.text == "," for token in found)


@pytest.mark.parametrize("order", ["", ",", "a,,b", "a; b)", 'a" OR "b', "updated DESC) OR (x"])
def test_what_is_no_order_is_refused(order: str) -> None:
    """Naming what it should look like."""
    with pytest.raises(InvalidInput, match="no list of fields"):
        ordering(order)
