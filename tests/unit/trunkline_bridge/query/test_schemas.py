"""A schema from a stranger: read, bounded, and held against what a model said."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_bridge.query.schemas import LONGEST_BYTES, misfit, read_schema
from trunkline_shared.errors import InvalidInput

PERSON: dict[str, Any] = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "ages": {"items": {"$ref": "#/$defs/age"}}},
    "required": ["name"],
    "$defs": {"age": {"type": "integer", "minimum": 0}},
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=10,
)
KEYWORDS = st.sampled_from([
    "type", "properties", "items", "$ref", "$defs", "pattern", "patternProperties", "allOf",
    "not", "enum", "uniqueItems", "$id", "$dynamicRef", "if", "format", "required", "minimum",
])  # fmt: skip
SCHEMAS = st.dictionaries(
    KEYWORDS,
    JSON
    | st.sampled_from(["string", "#", "#/$defs/a", "(a+)+$", "http://a/b"])
    | st.dictionaries(KEYWORDS, JSON, max_size=3),
    max_size=5,
)


def refusal(given: Any) -> str:
    """Return how a schema is refused."""
    with pytest.raises(InvalidInput) as caught:
        read_schema(given)
    assert "options.jsonSchema" in caught.value.message
    assert caught.value.hint
    return caught.value.message


@pytest.mark.requirement("bridge.query-schema")
def test_a_schema_is_an_object_or_its_json_text() -> None:
    """Both mean the same; none is none."""
    assert read_schema(None) is None
    assert read_schema(PERSON) == read_schema(json.dumps(PERSON)) == PERSON


@pytest.mark.requirement("bridge.query-schema")
@pytest.mark.parametrize(
    ("value", "path"),
    [
        ({"name": "Ada"}, None),
        ({"name": "Ada", "ages": [1, 2]}, None),
        ({"name": "Ada", "ages": [1, -2]}, "$.ages[1]"),
        ({"name": 1}, "$.name"),
        ({}, "$"),
        ([], "$"),
        (None, "$"),
    ],
)
def test_what_does_not_fit_is_told_by_its_path(value: object, path: str | None) -> None:
    """As a JSON path."""
    found = misfit(PERSON, value)
    assert (found and found.path) == path


@pytest.mark.requirement("bridge.query-schema")
def test_a_named_property_may_be_anything_a_keyword_is_called() -> None:
    """`properties` holds names: a property called pattern is none."""
    schema = {"properties": {"pattern": {"type": "string"}, "$ref": {"type": "string"}}}
    assert read_schema(schema) == schema
    assert misfit(schema, {"$ref": "http://x/"}) is None


@pytest.mark.requirement("bridge.query-schema")
def test_patterns_match_anywhere_in_texts_and_names() -> None:
    """As JSON Schema says."""
    schema = {"patternProperties": {"^n": {"pattern": "b+"}}}
    assert misfit(schema, {"name": "abbc", "other": 1}) is None
    found = misfit(schema, {"name": "ac"})
    assert found is not None
    assert found.path == "$.name"


@pytest.mark.requirement("bridge.query-refused")
@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("{", "is no JSON"),
        ("", "is no JSON"),
        ("\ud800", "is no JSON"),
        ("[]", "no object"),
        ({"type": "texty"}, "$.type"),
        ({"properties": {"a": {"type": 7}}}, "$.properties.a.type"),
        ({"a": "\ud800"}, "cannot be written"),
        ({"a": 10**400}, "cannot be written"),
        ({"const": "x" * LONGEST_BYTES}, "more than 32768"),
    ],
)
def test_what_is_no_schema_is_refused_with_the_place(given: Any, told: str) -> None:
    """Before anything is run."""
    assert told in refusal(given)


@pytest.mark.requirement("bridge.query-hostile-schema")
@pytest.mark.parametrize("ref", ["http://127.0.0.1:9/s", "file:///etc/passwd", "other.json"])
def test_nothing_is_fetched(ref: str) -> None:
    """A reference leads into the schema itself, or it is refused."""
    assert "only its own parts" in refusal({"$ref": ref})
    assert "only its own parts" in refusal({"items": {"$dynamicRef": ref}})
    assert "leads nowhere" in refusal({"$ref": "#/$defs/none"})


@pytest.mark.requirement("bridge.query-hostile-schema")
@pytest.mark.parametrize(
    "pattern", [r"(a)\1", "(?=a)b", "a{99999999999}", "(", "((a{999}){999}){9}"]
)
def test_a_pattern_that_could_run_for_ever_is_refused(pattern: str) -> None:
    """Wherever it stands."""
    assert "linear time" in refusal({"items": {"pattern": pattern}})
    assert "linear time" in refusal({"patternProperties": {pattern: {}}})


@pytest.mark.requirement("bridge.query-hostile-schema")
def test_a_nest_is_refused() -> None:
    """Deeper than anyone's schema."""
    nest: dict[str, Any] = {}
    for _ in range(100):
        nest = {"not": nest}
    assert "nested deeper" in refusal(nest)
    assert "no JSON" in refusal('{"not":' * 5000 + "{}" + "}" * 5000)


@pytest.mark.requirement("bridge.query-hostile-schema")
@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"$ref": "#"}, 1),
        (
            {
                "$ref": "#/$defs/a0",
                "$defs": {
                    f"a{n}": {"allOf": [{"$ref": f"#/$defs/a{n + 1}"}] * 2} for n in range(40)
                } | {"a40": {}},
            },
            1,
        ),
        ({"uniqueItems": True}, [{"a": number} for number in range(3000)]),
        ({"items": {"type": "string"}}, ["x"] * 100_000),
    ],
)  # fmt: skip
def test_a_check_has_so_many_steps_and_no_more(schema: dict[str, Any], value: object) -> None:
    """Small schemas whose check takes for ever, and values without end."""
    assert read_schema(schema) == schema
    found = misfit(schema, value)
    assert found is not None
    assert "too many steps" in found.problem


@pytest.mark.requirement("bridge.query-hostile-schema")
def test_a_pattern_that_backtracks_elsewhere_runs_in_linear_time() -> None:
    """The classic of them."""
    schema = read_schema({"pattern": "(a+)+$"})
    assert schema is not None
    assert misfit(schema, "a" * 50_000 + "b") is not None


@pytest.mark.requirement("bridge.query-hostile-schema")
@given(schema=SCHEMAS, value=JSON)
def test_any_schema_is_refused_or_decides(schema: dict[str, Any], value: object) -> None:
    """Nothing else is raised, whatever is checked."""
    try:
        read = read_schema(schema)
    except InvalidInput:
        return
    assert read is not None
    found = misfit(read, value)
    assert found is None or found.path.startswith("$")
