"""One version for the whole, and the order of versions."""

from importlib import import_module
from importlib.metadata import version
from itertools import pairwise

import pytest

from release import deployments, lock, versions
from release.containers import ROOT
from release.refusing import Refused
from trunkline_cli.builtin import MODULES


@pytest.mark.requirement("shipping.release-one-version")
def test_every_member_has_the_version_of_the_whole() -> None:
    """In its manifest, in the lock, and where Kubernetes names the image."""
    current = versions.current()
    assert set(versions.stated().values()) == {current}
    assert set(lock.stated(ROOT).values()) == {current}
    assert len(lock.stated(ROOT)) == len(versions.manifests())
    named = {each for found in deployments.stated(ROOT).values() for each in found}
    assert named <= {current}


@pytest.mark.requirement("shipping.release-one-version")
def test_what_servers_say_of_themselves_is_that_version() -> None:
    """As they are installed, router and command included."""
    current = versions.current()
    assert {import_module(each).SERVICE.version for each in MODULES.values()} == {current}
    assert {version("trunkline-router"), version("trunkline-cli")} == {current}


@pytest.mark.requirement("shipping.release-checks")
def test_versions_have_an_order() -> None:
    """Numbers count as numbers, and what leads up to a version comes before it."""
    ascending = ["0.9.0", "0.10.0a1", "0.10.0b1", "0.10.0rc1", "0.10.0rc10", "0.10.0", "1.0.0"]
    orders = [versions.order(each) for each in ascending]
    assert all(before < after for before, after in pairwise(orders))


@pytest.mark.requirement("shipping.release-checks")
@pytest.mark.parametrize("wrong", ["", "1", "1.2", "v1.2.3", "1.2.03", "1.2.3-rc1", "1.2.3\n"])
def test_what_is_no_version_is_refused(wrong: str) -> None:
    """With two that are one."""
    with pytest.raises(Refused, match=r"is no version: write 1\.2\.3, or 1\.2\.3rc1 before it"):
        versions.order(wrong)
