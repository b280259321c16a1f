"""The docs' generated tables say what the code says."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from trunkline_shared.errors import BY_CODE

DOCS = Path(__file__).parents[2] / "docs"
UPDATE = "UPDATE_SNAPSHOTS" in os.environ  # noqa: TID251 - a switch of the test run itself


def errors_table() -> str:
    rows = [
        f"| `{code}` | {'yes' if kind.retryable_by_default else 'no'} | {kind.__doc__} |"
        for code, kind in BY_CODE.items()
    ]
    return "\n".join(["| code | retryable | meaning |", "|---|---|---|", *rows])


@pytest.mark.parametrize(("file", "part", "table"), [("errors.md", "errors", errors_table)])
def test_a_generated_table_is_up_to_date(file: str, part: str, table: Callable[[], str]) -> None:
    """`make snapshots` writes it anew."""
    path = DOCS / file
    text = path.read_text(encoding="utf-8")
    block = f"<!-- generated: {part} -->\n\n{table()}\n\n<!-- /generated -->"
    fresh = re.sub(
        rf"<!-- generated: {part} -->.*?<!-- /generated -->", lambda _: block, text, flags=re.DOTALL
    )
    if UPDATE:
        path.write_text(fresh, encoding="utf-8")
    assert block in path.read_text(encoding="utf-8")
