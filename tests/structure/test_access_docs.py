"""The examples of docs/access.md are configurations that the router takes."""

import re
from pathlib import Path

import pytest

from trunkline_router.configuration.entries import KeyEntry, OAuthEntry
from trunkline_router.configuration.file import read_configuration

TEXT = (Path(__file__).parents[2] / "docs/access.md").read_text(encoding="utf-8")
EXAMPLES = [
    example
    for example in re.findall(r"```yaml\n(.*?)```", TEXT, flags=re.DOTALL)
    if example.startswith(("keys:", "oauth:"))
]


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_an_example_is_taken(example: str, tmp_path: Path) -> None:
    """As it stands, word for word."""
    path = tmp_path / "trunkline.yaml"
    path.write_text(example, encoding="utf-8")
    assert read_configuration(path).authenticates


def test_each_key_of_the_file_is_documented() -> None:
    """Of an API key and of an authorization server."""
    documented = set(
        re.findall(r"`(\w+)`", "\n".join(re.findall(r"^\| (`.*?) \|", TEXT, re.MULTILINE)))
    )
    assert KeyEntry.model_fields.keys() | OAuthEntry.model_fields.keys() <= documented
