"""Keys in the text of a configuration: added and taken away, at no cost to anything else."""

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from trunkline_cli.key_text import CannotEdit, with_key, without_key

ENTRY = {"id": "new", "hash": "0" * 64, "allow": ["mcp__github_ci__*"]}
COMMENTED = """\
# The team's mesh.
servers:
  wiki: {url: "https://wiki.example/mcp"}  # foreign

keys:   # who may come in
    # the bot
    - id: bot   # of CI
      hash: "11"
      bind:
        owner: acme

    # a person
    - {id: alice, hash: "22"}
# and an issuer
oauth:
  issuer: https://login.example  # ours
"""


def ids(text: str) -> list[str]:
    """Return the ids of the keys."""
    return [key["id"] for key in yaml.safe_load(text)["keys"]]


@pytest.mark.requirement("gateway.key-command")
def test_a_key_is_added_below_the_others_and_nothing_else_changes() -> None:
    """Every line that was there is there, in its order, at the indentation in use."""
    after = with_key(COMMENTED, ENTRY)
    assert ids(after) == ["bot", "alice", "new"]
    assert [line for line in after.splitlines() if line in COMMENTED.splitlines()] == (
        COMMENTED.splitlines()
    )
    assert '\n    - {id: alice, hash: "22"}\n    - id: "new"\n      hash:' in after


@pytest.mark.requirement("gateway.key-command")
@pytest.mark.parametrize("id_", ["bot", "alice"])
def test_a_key_is_taken_away_alone(id_: str) -> None:
    """The comments around it stay."""
    after = without_key(COMMENTED, id_)
    assert id_ not in ids(after)
    assert "# who may come in" in after
    assert "# and an issuer\noauth:" in after
    assert after.count("#") == COMMENTED.count("#") - (id_ == "bot")


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "servers: {}", "keys:", "keys: []\n"])
@pytest.mark.parametrize("end", ["", "\n"])
def test_the_first_key_is_added_to_any_file_without_one(text: str, end: str) -> None:
    """An empty file, only comments, no end of line, an empty list."""
    after = with_key(text + end, ENTRY)
    assert ids(after) == ["new"]
    assert after.endswith("\n")


@pytest.mark.parametrize("text", ["keys: ~ # none\nrouter: {page: 5}\n", "keys: []  # none\n"])
def test_an_empty_list_keeps_its_comment(text: str) -> None:
    """What stands behind it stays behind it."""
    after = with_key(text, ENTRY)
    assert "# none" in after.splitlines()[0]
    assert yaml.safe_load(after).get("router") == yaml.safe_load(text).get("router")


def test_a_list_in_one_line_is_written_anew() -> None:
    """It holds no comment that could be lost."""
    text = 'keys: [{id: a, hash: "1"},\n  {id: b, hash: "2"}] # these\nrouter: {page: 5}\n'
    assert ids(with_key(text, ENTRY)) == ["a", "b", "new"]
    assert ids(without_key(text, "a")) == ["b"]
    assert without_key(text, "a").endswith(" # these\nrouter: {page: 5}\n")


def test_the_last_key_leaves_an_empty_list() -> None:
    """Not nothing, which would be another value."""
    text = 'keys:\n- id: a\n  hash: "1"\nrouter: {page: 5}\n'
    assert yaml.safe_load(without_key(text, "a")) == {"keys": [], "router": {"page": 5}}


def test_line_ends_of_windows_stay() -> None:
    """All of them, the new ones too."""
    after = with_key(COMMENTED.replace("\n", "\r\n"), ENTRY)
    assert after.count("\r\n") == after.count("\n")


@pytest.mark.parametrize(
    "text",
    [
        '{keys: [{id: a, hash: "1"}]}',
        '- id: a\n  hash: "1"\n',
        'keys: [{id: a, hash: "1"}, # mine\n  {id: b, hash: "2"}]\n',
        'base: &one [{id: a, hash: "1"}]\nkeys: *one\n',
    ],
)
def test_what_cannot_be_edited_safely_is_left_alone(text: str) -> None:
    """Braces around everything, no table, comments within a line, references."""
    with pytest.raises(CannotEdit):
        with_key(text, ENTRY)


names = st.from_regex(r"[A-Za-z0-9-]{1,12}", fullmatch=True)


@settings(max_examples=100, deadline=None)
@given(st.lists(names, unique=True, min_size=1, max_size=5), st.data())
def test_adding_and_taking_away_in_any_order_keeps_the_rest(
    made: list[str], data: st.DataObject
) -> None:
    """The keys are those that were added and not taken away, whatever their names look like."""
    text = COMMENTED
    for name in made:
        if name in ids(text):
            continue
        text = with_key(text, {"id": name, "hash": "0" * 64})
    left = set(ids(text))
    gone = data.draw(st.lists(st.sampled_from(sorted(left)), unique=True, max_size=len(left) - 1))
    for name in gone:
        text = without_key(text, name)
    assert set(ids(text)) == left - set(gone)
    assert yaml.safe_load(text)["oauth"] == yaml.safe_load(COMMENTED)["oauth"]
    assert "# ours" in text
