"""`docs/configuration.md` says what the file may say, and its example is one."""

import re
from pathlib import Path

import pytest
from pydantic import BaseModel

from trunkline_router.configuration.cache_entry import CacheEntry
from trunkline_router.configuration.entries import (
    BreakerTerms,
    Configuration,
    KeyEntry,
    OAuthEntry,
    RateEntry,
    RouterEntry,
    ServerEntry,
)
from trunkline_router.configuration.file import read_configuration
from trunkline_router.configuration.traces_entry import TracesEntry

PAGE = (Path(__file__).parents[3] / "docs" / "configuration.md").read_text(encoding="utf-8")
SECTIONS: dict[str, type[BaseModel]] = {
    "servers": ServerEntry,
    "router": RouterEntry,
    "router.cache": CacheEntry,
    "router.traces": TracesEntry,
    "keys": KeyEntry,
    "oauth": OAuthEntry,
}


@pytest.mark.requirement("gateway.configuration-docs")
def test_the_example_is_a_configuration(tmp_path: Path) -> None:
    """It is read as it stands, and uses every section."""
    path = tmp_path / "trunkline.yaml"
    path.write_text(PAGE.partition("```yaml\n")[2].partition("```")[0], encoding="utf-8")
    assert read_configuration(path).model_fields_set == set(Configuration.model_fields)


@pytest.mark.requirement("gateway.configuration-docs")
@pytest.mark.parametrize("section", SECTIONS)
def test_each_key_is_explained_and_no_other(section: str) -> None:
    """The first column of a section's table holds the keys that the code knows."""
    table = PAGE.partition(f"# `{section}`\n")[2].partition("\n#")[0]
    cells = re.findall(r"(?m)^\| ((?:`\w+`(?:, )?)+) \|", table)
    named = {key for cell in cells for key in re.findall(r"`(\w+)`", cell)}
    assert named == set(SECTIONS[section].model_fields)


@pytest.mark.requirement("gateway.configuration-docs")
@pytest.mark.parametrize("within", [BreakerTerms, RateEntry])
def test_each_key_of_a_value_is_named(within: type[BaseModel]) -> None:
    """In the row of the key that it belongs to."""
    rows = "".join(line for line in PAGE.splitlines() if line.startswith("| `"))
    assert {key for key in within.model_fields if key not in rows} == set()
