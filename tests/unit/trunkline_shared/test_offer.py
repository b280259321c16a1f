"""Which tools a server lists."""

from dataclasses import dataclass

import pytest
from pydantic import BaseModel

from trunkline_shared.contracts import DESTRUCTIVE, READ, WRITE, Policy
from trunkline_shared.offer import OfferSettings
from trunkline_shared.settings import ConfigurationError, load
from trunkline_shared.tool import tool, tools_of


class Done(BaseModel):
    done: bool = True


@dataclass(frozen=True)
class Shelf:
    @tool("Look", READ, Policy())
    async def look(self) -> Done:
        return Done()

    @tool("Put", WRITE, Policy())
    async def put(self) -> Done:
        return Done()

    @tool("Peek", READ, Policy(toolset="extra"))
    async def peek(self) -> Done:
        return Done()

    @tool("Burn", DESTRUCTIVE, Policy(write_group="delete"))
    async def burn(self) -> Done:
        return Done()

    @tool("Burn the rest", DESTRUCTIVE, Policy(toolset="extra", write_group="delete"))
    async def burn_rest(self) -> Done:
        return Done()


def names(**given: object) -> list[str]:
    return [t.name for t in tools_of(Shelf(), offer=load(OfferSettings, given))]


def test_without_settings_only_the_default_toolset_is_offered_and_no_write_group() -> None:
    """Toolsets and write groups are off until named."""
    assert names() == ["look", "put"]


def test_a_named_toolset_adds_its_tools_but_not_its_write_groups() -> None:
    """A toolset alone never brings a write that has a group."""
    assert names(toolsets="extra") == ["look", "put", "peek"]


def test_a_named_write_group_adds_its_tools_of_the_toolsets_that_are_on() -> None:
    """A write group opens its tools, and only where their toolset is on."""
    assert names(enable_writes="delete") == ["look", "put", "burn"]
    assert names(enable_writes="delete", toolsets="extra") == [
        "look",
        "put",
        "peek",
        "burn",
        "burn_rest",
    ]


def test_all_names_every_toolset_and_every_write_group() -> None:
    """`all` stands for each name."""
    assert len(names(toolsets="all", enable_writes="ALL")) == 5


def test_read_only_lists_no_write_whatever_else_is_named() -> None:
    """Read-only mode stands over toolsets and write groups."""
    assert names(read_only="true", toolsets="all", enable_writes="all") == ["look", "peek"]


def test_lists_are_read_from_the_environment_with_blanks_and_empty_parts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The comma list is forgiving about blanks, case and stray commas."""
    monkeypatch.setenv("TRUNKLINE_TOOLSETS", " Reactions , ,comments,")
    monkeypatch.setenv("TRUNKLINE_ENABLE_WRITES", "delete, issues")
    monkeypatch.setenv("TRUNKLINE_READ_ONLY", "1")
    settings = load(OfferSettings)
    assert settings.toolsets == {"reactions", "comments"}
    assert settings.enable_writes == {"delete", "issues"}
    assert settings.read_only


def test_an_unknown_write_group_is_refused_with_the_nearest_name() -> None:
    """A misspelt group must not silently enable nothing."""
    with pytest.raises(ConfigurationError, match=r"TRUNKLINE_ENABLE_WRITES.*'delete'"):
        load(OfferSettings, {"enable_writes": "delet"})
