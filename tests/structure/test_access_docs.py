"""The tables of docs/access.md are whole."""

import re
from pathlib import Path

from trunkline_router.configuration.entries import KeyEntry, OAuthEntry

TEXT = (Path(__file__).parents[2] / "docs/access.md").read_text(encoding="utf-8")


def test_each_key_of_the_file_is_documented() -> None:
    """Of an API key and of an authorization server."""
    documented = set(
        re.findall(r"`(\w+)`", "\n".join(re.findall(r"^\| (`.*?) \|", TEXT, re.MULTILINE)))
    )
    assert KeyEntry.model_fields.keys() | OAuthEntry.model_fields.keys() <= documented
