"""Errors survive the wire, and pydantic's prose does not."""

import logging
from datetime import date
from typing import Annotated, Literal

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, ValidationError

from trunkline_shared import wire
from trunkline_shared.errors import BY_CODE, InternalError, RateLimited, TrunklineError

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
failures = st.builds(
    lambda kind, message, hint, retryable, retry_after, details: kind(
        message, hint=hint, retryable=retryable, retry_after=retry_after, details=details
    ),
    st.sampled_from(sorted(BY_CODE.values(), key=lambda kind: kind.code)),
    st.text(max_size=wire.MESSAGE_CAP),
    st.none() | st.text(min_size=1),
    st.booleans(),
    st.none() | st.integers(1, 3600),
    st.dictionaries(st.text().filter(lambda key: key != "aliases"), json_values, max_size=4),
)


def facts(error: TrunklineError) -> tuple[object, ...]:
    return (
        type(error),
        error.message,
        error.hint,
        error.retryable,
        error.retry_after,
        error.details,
    )


@pytest.mark.requirement("errors.round-trip")
@given(failures)
def test_every_error_survives_the_wire_unchanged(error: TrunklineError) -> None:
    """What `to_result` writes, `from_result` reads back, for the whole tree."""
    again = wire.from_result(wire.to_result(error))
    assert again is not None
    assert facts(again) == facts(error)


@given(failures)
def test_an_error_is_one_json_text_block_without_structured_content(error: TrunklineError) -> None:
    """The shape that every client shows to its model."""
    result = wire.to_result(error)
    assert result.keys() == {"content", "isError"}
    assert result["isError"] is True
    (block,) = orjson.loads(orjson.dumps(result["content"]))
    body = orjson.loads(block["text"])
    assert body["isError"] is True
    assert body["error_code"] == error.code
    assert body["retry_after"] == body["retry_after_seconds"] == error.retry_after


def test_a_rate_limit_also_answers_to_its_old_name() -> None:
    """`RATE_LIMIT`, the seed's spelling, is listed as an alias."""
    assert wire.payload(RateLimited("slow down"))["details"] == {"aliases": ["RATE_LIMIT"]}


def test_a_long_message_is_cut() -> None:
    """A vendor's page-long error text does not flood the model."""
    assert len(str(wire.payload(InternalError("x" * 10_000))["message"])) == wire.MESSAGE_CAP


@pytest.mark.parametrize(
    "text",
    [
        "",
        "boom",
        "[]",
        "{}",
        '{"isError": false, "error_code": "NOT_FOUND"}',
        '{"isError": true}',
        '{"isError": true, "error_code": "OTHER"}',
        '{"isError": true, "error_code": 5}',
    ],
)
def test_text_of_a_foreign_server_is_no_error_of_ours(text: str) -> None:
    """Only a payload with a known code is read as one of our failures."""
    assert wire.from_text(text) is None


@pytest.mark.parametrize(
    "result",
    [
        {},
        {"isError": False, "content": []},
        {"isError": True},
        {"isError": True, "content": []},
        {"isError": True, "content": ["x"]},
        {"isError": True, "content": [{"type": "image"}]},
    ],
)
def test_a_result_without_our_text_is_no_error_of_ours(result: dict[str, object]) -> None:
    """Foreign failures pass as they are."""
    assert wire.from_result(result) is None


def test_a_bug_is_answered_without_its_text_and_logged_with_the_same_id(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The agent gets an id; the log has the traceback under it."""
    with caplog.at_level(logging.ERROR):
        error = wire.unexpected(RuntimeError("password=hunter2"), doing="adding")
    assert "hunter2" not in wire.to_text(error)
    assert str(error.details["id"]) in caplog.text


class Arguments(BaseModel):
    """One field for each kind of fault."""

    number: Annotated[int, Field(ge=1, le=9)] = 1
    kind: Literal["a", "b"] = "a"
    name: Annotated[str, Field(min_length=2, max_length=3)] = "ab"
    flag: bool = False
    items: Annotated[list[int], Field(max_length=1)] = []
    fields: tuple[str, ...] = ()
    day: date = date(2026, 1, 31)


@pytest.mark.requirement("errors.arguments")
@pytest.mark.parametrize(
    ("arguments", "field", "problem"),
    [
        ({"number": "x"}, "number", "must be an integer"),
        ({"number": 1.5}, "number", "must be an integer, without a fraction"),
        ({"number": 0}, "number", "must be at least 1"),
        ({"number": 10}, "number", "must be at most 9"),
        ({"kind": "c"}, "kind", "must be one of 'a' or 'b'"),
        ({"name": 7}, "name", "must be a string"),
        ({"name": ""}, "name", "must have at least 2 characters"),
        ({"name": "abcd"}, "name", "must have at most 3 characters"),
        ({"flag": "perhaps"}, "flag", "must be true or false"),
        ({"items": 3}, "items", "must be a list"),
        ({"fields": "id"}, "fields", "must be a list"),
        ({"items": [1, 2]}, "items", "must have at most 1 items"),
        ({"items": ["x"]}, "items.0", "must be an integer"),
        ({"day": "tomorrow"}, "day", "must be a date such as 2026-01-31"),
        ({"day": "2026-02-30"}, "day", "must be a date such as 2026-01-31"),
        ({"day": []}, "day", "must be a date such as 2026-01-31"),
        ({"day": "2026-01-31T10:00Z"}, "day", "must be a date such as 2026-01-31, without a time"),
    ],
)
def test_a_bad_argument_is_named_with_its_rule(
    arguments: dict[str, object], field: str, problem: str
) -> None:
    """The field, the rule, and none of pydantic's own sentences."""
    with pytest.raises(ValidationError) as caught:
        Arguments.model_validate(arguments)
    error = wire.invalid_arguments("tool", caught.value)
    text = wire.to_text(error)
    (found,) = orjson.loads(text)["details"]["field_errors"]
    assert (found["field"], found["problem"]) == (field, problem)
    assert "pydantic" not in text
    assert "Input should" not in text
