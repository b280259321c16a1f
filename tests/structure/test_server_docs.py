"""The table of docs/servers.md names keys that there are."""

import re
from pathlib import Path

from trunkline_router.configuration.entries import ServerEntry

TEXT = (Path(__file__).parents[2] / "docs/servers.md").read_text(encoding="utf-8")


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
