"""Which texts are issue keys, and what never is one."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_jira.keys import IssueKey, KeyRules
from trunkline_shared.errors import InvalidInput

RULES = KeyRules.of()


@pytest.mark.requirement("jira.keys")
@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("ME-1234", "ME-1234"),
        ("me-1234", "ME-1234"),
        ("me1234", "ME-1234"),
        ("Me1234", "ME-1234"),
        ("  ME-1234\n", "ME-1234"),
        ("ME-1234:", "ME-1234"),
        ("ME-1234: mend the screws", "ME-1234"),
        ("ME-1234, and ME-5", "ME-1234"),
        ("[ME-1234] mend the screws", "ME-1234"),
        ("(ME-1234)", "ME-1234"),
        ("#ME-1234", "ME-1234"),
        ("ME-1234 mend the screws", "ME-1234"),
        ("P2_PAY-7", "P2_PAY-7"),
        ("p2pay7", "P2PAY-7"),
    ],
)
def test_a_key_is_found_in_every_usual_spelling(text: str, key: str) -> None:
    """twig's flexible forms, and those of commit messages."""
    assert str(RULES.parsed(text)) == key


@pytest.mark.requirement("jira.keys")
@pytest.mark.parametrize(
    "text",
    [
        "ME",
        "1234",
        "ME-",
        "-1",
        "ME-1/../../myself",
        "../ME-1",
        "ME-1?fields=*all",
        "ME-1#x",
        "ME-1%2f..",
        "ME-1\\x",
        "ME -1",
        "M-1",
        "1ME-2",
        "\u041c\u0415-1",
        "ME-\u0661\u0662",
        "ME-1x",
        "ME--1",
        "mend ME-1",
        "\x00ME-1",
        "ME-" + "1" * 300,
        "https://evil.test/browse/ME-1",
    ],
)
def test_what_is_no_key_is_refused(text: str) -> None:
    """Paths, queries, digits of other scripts, look-alike letters: none of them gets into a URL."""
    with pytest.raises(InvalidInput) as refused:
        RULES.parsed(text)
    assert refused.value.details["field_errors"]
    assert "PROJ-123" in (refused.value.hint or "")


@pytest.mark.requirement("jira.keys", "jira.default-key")
@pytest.mark.parametrize("text", ["", "  \n"])
def test_without_a_key_the_caller_is_told_what_to_pass(text: str) -> None:
    """Nothing is known of the issue: neither an argument nor a branch."""
    with pytest.raises(InvalidInput) as refused:
        RULES.parsed(text)
    assert "issue_key" in refused.value.message
    assert "twig" in (refused.value.hint or "")


@pytest.mark.requirement("jira.keys")
def test_data_center_may_have_keys_of_another_pattern() -> None:
    """Its administrators choose one; ours is only the default."""
    rules = KeyRules.of(r"[A-Z0-9]{1,3}-\d+")
    assert str(rules.parsed("x-1")) == "X-1"
    assert str(rules.parsed("4ME-1")) == "4ME-1"
    with pytest.raises(InvalidInput):
        rules.parsed("LONG-1")


@pytest.mark.requirement("jira.keys")
@given(st.text(max_size=40))
def test_no_text_ever_becomes_a_path(text: str) -> None:
    """Whatever the pattern allows, a key stays one plain segment."""
    try:
        key = KeyRules.of(r"(?s).*").parsed(text)
    except InvalidInput:
        return
    assert re.fullmatch(r"[A-Z0-9_]+-[0-9]+", key.segment)
    assert key.segment == str(key)


def test_a_key_that_jira_sent_need_not_match_the_pattern() -> None:
    """An issue may have moved to a project with a name that the pattern does not know."""
    assert KeyRules.sent("X-1") == IssueKey(project="X", number="1")
    assert KeyRules.sent("no key") is None
