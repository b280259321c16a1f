"""What a model said is cleaned, bounded, and held to the schema."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_bridge.query.answers import LONGEST_TEXT, structured_of, text_of
from trunkline_bridge.query.patterns import ToolPattern
from trunkline_bridge.query.runner import Answer, Query
from trunkline_shared.errors import TooLarge, TrunklineError, UpstreamUnavailable

NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


def query(schema: dict[str, Any] | None = None, *, wants_json: bool = True) -> Query:
    """Return a query that asks for JSON."""
    return Query(
        prompt="p",
        tools=(ToolPattern(server="a"),),
        model="m",
        max_turns=3,
        timeout_s=1,
        schema=schema,
        wants_json=wants_json,
    )


def said(text: str, structured: Any = None) -> Answer:
    """Return an answer."""
    return Answer(text=text, turns=2, structured=structured)


@pytest.mark.requirement("bridge.query-text")
def test_what_cannot_be_seen_is_taken_out_everywhere() -> None:
    """Of the text, and of every text and name in structured answers."""
    assert text_of(said("a\u202eb\U000e0041c")) == "abc"
    answer = said("", {"n\u200b": ["x\u2066y", {"k": "v\ufeff"}]})
    assert structured_of(query(), answer) == {"n": ["xy", {"k": "v"}]}


@pytest.mark.requirement("bridge.query-text")
def test_a_long_text_is_cut_with_a_note() -> None:
    """How much is missing is said."""
    text = text_of(said("x" * (LONGEST_TEXT + 7)))
    assert text.startswith("x" * LONGEST_TEXT + "\n")
    assert text.endswith(f"[cut: 7 of {LONGEST_TEXT + 7} characters left out]")
    assert text_of(said("x" * LONGEST_TEXT)) == "x" * LONGEST_TEXT


@pytest.mark.requirement("bridge.query-schema")
@pytest.mark.parametrize(
    "answer",
    [
        said("anything", {"n": 1}),
        said('{"n": 1}'),
        said(' \n{"n":1}\n'),
        said('```json\n{"n": 1}\n```'),
        said('```\n{"n": 1}```'),
    ],
)
def test_an_answer_is_what_the_runner_read_or_else_the_text(answer: Answer) -> None:
    """Also within a fence."""
    assert structured_of(query(NUMBER), answer) == {"n": 1}


@pytest.mark.requirement("bridge.query-schema")
@pytest.mark.parametrize(
    ("answer", "path"),
    [
        (said("", {"n": "1"}), "$.n"),
        (said('{"n": "1"}'), "$.n"),
        (said("{}"), "$"),
        (said("It is one."), "$"),
        (said("null"), "$"),
        (said("```"), "$"),
        (said("[" * 600 + "]" * 600), "$"),
        (said("", {"n": 10**400}), "$"),
    ],
)
def test_an_answer_that_does_not_fit_names_where_and_shows_the_text(
    answer: Answer, path: str
) -> None:
    """So that whoever asked can tell what the model made of it."""
    with pytest.raises(UpstreamUnavailable, match="does not fit jsonSchema") as caught:
        structured_of(query(NUMBER), answer)
    assert caught.value.details["path"] == path
    assert caught.value.details["text"] == answer.text
    with pytest.raises(UpstreamUnavailable) as long:
        structured_of(query(NUMBER), said("x" * 50_000))
    assert len(str(long.value.details["text"])) <= 2000


@pytest.mark.requirement("bridge.query-schema")
def test_json_without_a_schema_is_read_where_it_is_json() -> None:
    """And otherwise left as text; for text nothing is read at all."""
    assert structured_of(query(), said("[1]")) == [1]
    assert structured_of(query(), said("one")) is None
    assert structured_of(query(wants_json=False), said("[1]")) is None


@pytest.mark.requirement("bridge.query-text")
def test_a_structured_answer_has_a_bound() -> None:
    """It cannot be cut: it is refused."""
    with pytest.raises(TooLarge):
        structured_of(query(), said("", ["x" * 1000] * 300))


@pytest.mark.requirement("bridge.query-schema")
@given(text=st.text(max_size=60) | st.sampled_from(["[" * 2000, '{"n":' * 2000, "\ud800", "1e999"]))
def test_any_text_is_an_answer_or_does_not_fit(text: str) -> None:
    """Nothing else is raised."""
    assert text_of(said(text)).encode() is not None
    try:
        structured_of(query(NUMBER), said(text))
    except TrunklineError as error:
        code = error.code
    else:
        code = "UPSTREAM_UNAVAILABLE"
    assert code == "UPSTREAM_UNAVAILABLE"
