"""The examples of docs/servers.md are configurations that the router takes."""

import re
from pathlib import Path

import pytest

from trunkline_router.configuration.entries import ServerEntry
from trunkline_router.configuration.file import read_configuration

TEXT = (Path(__file__).parents[2] / "docs/servers.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```yaml\n(.*?)```", TEXT, flags=re.DOTALL)


@pytest.mark.parametrize("example", EXAMPLES, ids=range(len(EXAMPLES)))
def test_an_example_is_taken(example: str, tmp_path: Path) -> None:
    """As it stands, word for word."""
    path = tmp_path / "trunkline.yaml"
    path.write_text(example, encoding="utf-8")
    assert read_configuration(path).servers


def test_each_key_of_the_table_exists() -> None:
    """A key that is documented can be written."""
    keys = {
        key
        for line in TEXT.splitlines()
        if line.startswith("| `")
        for key in re.findall(r"`(\w+)`", line.split("|")[1])
    }
    assert keys
    assert keys <= ServerEntry.model_fields.keys()
