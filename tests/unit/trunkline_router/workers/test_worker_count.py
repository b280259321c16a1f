"""How many workers are meant, and what is refused."""

from pathlib import Path

import pytest

from trunkline_router.configuration.entries import ServerEntry
from trunkline_router.configuration.settings import RouterSettings
from trunkline_router.configuration.share import Share
from trunkline_router.configuration.worker_count import cores, must_be_alone, must_share, workers_of
from trunkline_shared.settings import ConfigurationError, load


@pytest.mark.parametrize(
    ("quota", "most"), [("max 100000", 64), ("50000 100000", 1), ("100000 100000", 1)]
)
def test_auto_is_held_to_the_containers_quota(tmp_path: Path, quota: str, most: int) -> None:
    """Half a core is one worker; without a quota affinity decides."""
    (tmp_path / "cpu.max").write_text(quota, encoding="ascii")
    assert 1 <= cores(tmp_path) <= most


def test_the_older_control_groups_are_read_as_well(tmp_path: Path) -> None:
    """Version 1 keeps quota and period in files of their own, -1 for none."""
    group = tmp_path / "cpu"
    group.mkdir()
    (group / "cpu.cfs_period_us").write_text("100000", encoding="ascii")
    (group / "cpu.cfs_quota_us").write_text("100000", encoding="ascii")
    assert cores(tmp_path) == 1
    (group / "cpu.cfs_quota_us").write_text("-1", encoding="ascii")
    assert cores(tmp_path) == cores(tmp_path / "none")


def test_a_number_stands_and_auto_is_some_that_every_server_has_slots_for() -> None:
    """Spaces and the case of the word do not matter."""
    assert workers_of(load(RouterSettings, {"workers": " 3 "}).workers) == 3
    most = ServerEntry.model_fields["concurrency"].default
    assert 1 <= workers_of(load(RouterSettings, {"workers": "AUTO"}).workers) <= most


@pytest.mark.requirement("workers.redis")
def test_one_needs_no_redis_and_two_do() -> None:
    """The message names the variable, its value, why, and what to set."""
    must_share(1, "")
    must_share(2, "redis://here")
    with pytest.raises(ConfigurationError, match=r"TRUNKLINE_WORKERS=2.*TRUNKLINE_REDIS_URL"):
        must_share(2, "")


@pytest.mark.requirement("workers.one")
def test_a_router_in_somebodys_process_is_one() -> None:
    """The local mesh cannot have workers, and says so."""
    must_be_alone(1)
    with pytest.raises(ConfigurationError, match="TRUNKLINE_WORKERS=2: the local mesh"):
        must_be_alone(2)


@pytest.mark.requirement("workers.slots")
@pytest.mark.parametrize("workers", [1, 2, 3, 7, 16])
def test_parts_are_the_whole_together(workers: int) -> None:
    """No slot is lost, and none is there twice; neither is a place in the queue."""
    entry = ServerEntry(url="http://a.example/mcp", concurrency=16, queue=5)
    parts = [
        Share(number=number, of=workers).of_servers({"a": entry})["a"] for number in range(workers)
    ]
    assert sum(one.concurrency for one in parts) == 16
    assert sum(one.queue for one in parts) == 5
    assert all(one.concurrency for one in parts)
