"""JSON in what a model has said."""

import pytest

from trunkline_bridge.sampling.structured_text import structured_of


@pytest.mark.requirement("bridge.sampling-schema")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        ("  [1, 2]\n", [1, 2]),
        ('```json\n{"a": 1}\n```', {"a": 1}),
        ('First:\n```\n1\n```\nThen:\n```JSON\n{"a": 2}\n```\nSo.', {"a": 2}),
        ("```python\nx = 1\n```", None),
        ("No JSON.", None),
        ("", None),
        ("```json\n{", None),
    ],
)
def test_json_is_found(text: str, value: object) -> None:
    """Whole, or in the last fence that holds any."""
    assert structured_of(text) == value


def test_text_that_is_no_unicode_is_no_json() -> None:
    """Half of a character ends nothing."""
    assert structured_of("\ud83d") is None
