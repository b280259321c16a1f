"""Arguments of a command line, read by a tool's input schema."""

import io
from pathlib import Path

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_cli import arguments
from trunkline_cli.failure import USAGE, CommandFailed

SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {
        "issue_number": {"type": "integer"},
        "ratio": {"type": "number"},
        "draft": {"type": "boolean"},
        "body": {"type": "string"},
        "startLine": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "labels": {"type": "array", "items": {"type": "string"}},
        "target": {"$ref": "#/$defs/Target"},
        "either": {"type": ["integer", "string"]},
        "side": {"enum": ["LEFT", "RIGHT"]},
        "anything": {},
    },
    "$defs": {"Target": {"type": "object"}},
}


def parsed(words: list[str], schema: dict[str, object], stdin: str = "") -> dict[str, object]:
    """Parse with a standard input that holds `stdin`."""
    return arguments.parsed(words, schema, stdin=io.StringIO(stdin))


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("issue_number=42", {"issue_number": 42}),
        ("ratio=3", {"ratio": 3}),
        ("ratio=0.5", {"ratio": 0.5}),
        ("draft=true", {"draft": True}),
        ("draft=False", {"draft": False}),
        ("body=42", {"body": "42"}),
        ("body=", {"body": ""}),
        ("body=a=b", {"body": "a=b"}),
        ("startLine=7", {"startLine": 7}),
        ("start_line=7", {"startLine": 7}),
        ("startLine=null", {"startLine": None}),
        ('labels=["a", "b"]', {"labels": ["a", "b"]}),
        ('target={"a": 1}', {"target": {"a": 1}}),
        ("either=x", {"either": "x"}),
        ("either=1", {"either": 1}),
        ("side=LEFT", {"side": "LEFT"}),
        ("anything=1", {"anything": "1"}),
    ],
)
def test_a_value_becomes_what_the_schema_asks_for(word: str, value: dict[str, object]) -> None:
    """Text stays text; numbers, booleans, JSON and null are read where they are wanted."""
    assert parsed([word], SCHEMA) == value


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["issue_number=x"], "issue_number=x: the tool wants integer"),
        (["issue_number=1.5"], "the tool wants integer"),
        (["draft=1"], "the tool wants boolean"),
        (["labels=a"], "the tool wants array"),
        (["issue_numbr=1"], "Did you mean 'issue_number'?"),
        (["body"], "write it as key=value"),
        (["=x"], "write it as key=value"),
        (["body=a", "body=b"], "given twice"),
        (["startLine=1", "start_line=2"], "given twice"),
        (["body=@/no/such/file"], "the file cannot be read"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_the_fix(words: list[str], complaint: str) -> None:
    """Each refusal names the argument, and is the command line's fault (exit code 2)."""
    with pytest.raises(CommandFailed) as failure:
        parsed(words, SCHEMA)
    assert complaint in failure.value.message
    assert failure.value.exit_code == USAGE


def test_missing_arguments_are_named_before_the_call() -> None:
    """A required argument that is absent costs no round trip."""
    with pytest.raises(CommandFailed, match=r"missing: body=\.\.\."):
        parsed([], SCHEMA | {"required": ["body"]})


def test_a_value_can_come_from_a_file(tmp_path: Path) -> None:
    """`key=@path` is the file's content, line breaks included."""
    file = tmp_path / "body.md"
    file.write_text("Hello,\nworld\n", encoding="utf-8")
    assert parsed([f"body=@{file}"], SCHEMA) == {"body": "Hello,\nworld\n"}


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    """Bytes that are not UTF-8 cannot be an argument."""
    file = tmp_path / "image"
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(CommandFailed, match="not UTF-8"):
        parsed([f"body=@{file}"], SCHEMA)


def test_a_value_can_come_from_standard_input() -> None:
    """`key=-` reads standard input to its end."""
    assert parsed(["body=-"], SCHEMA, "from a pipe") == {"body": "from a pipe"}


@given(st.text())
def test_text_arrives_as_it_was_typed(text: str) -> None:
    """Whatever a string argument holds, nothing of it is interpreted but a leading `@` and `-`."""
    if text != "-" and not text.startswith("@"):
        assert parsed([f"body={text}"], SCHEMA) == {"body": text}


@given(st.lists(st.text()))
def test_lists_arrive_as_their_json(value: list[str]) -> None:
    """An array given as JSON is that array."""
    assert parsed([f"labels={orjson.dumps(value).decode()}"], SCHEMA) == {"labels": value}
