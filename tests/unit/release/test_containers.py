"""Which containers there are, and how each is built."""

import pytest
import yaml

from release.containers import ROOT, containers, named
from release.images import Build
from release.refusing import Refused

pytestmark = pytest.mark.requirement("shipping.images-command")


def test_each_service_has_a_container_and_compose_starts_it() -> None:
    """And no other image of ours is in compose.yaml."""
    composed = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))["services"]
    ours = {each["image"] for each in composed.values() if each["image"].startswith("trunkline/")}
    assert ours == {each.image("${TRUNKLINE_VERSION:-latest}") for each in containers()}
    assert {each.name for each in containers()} <= set(composed)


def test_some_can_be_named_in_any_order_and_twice() -> None:
    """Each is built once."""
    assert [each.name for each in named(["issues", "comment", "issues"])] == ["issues", "comment"]
    assert named([]) == containers()


def test_a_container_that_is_not_there_is_refused() -> None:
    """With the names of all that are."""
    with pytest.raises(Refused, match=r"no container 'comments'\. There are: router, .*comment"):
        named(["comments"])


def test_platforms_are_built_by_buildx_into_archives() -> None:
    """An engine keeps images for its own platform only."""
    (container,) = named(["comment"])
    plan = Build(version="0.2.0", revision="abc", platforms="linux/amd64,linux/arm64")
    command = plan.command(container, container.target)
    assert command[:3] == ("docker", "buildx", "build")
    assert "--platform=linux/amd64,linux/arm64" in command
    output = f"--output=type=oci,dest={ROOT / 'dist' / 'comment-0.2.0.tar'}"
    assert plan.result(container) == ("--tag=trunkline/comment:latest", output)


def test_without_platforms_the_engines_own_builder_builds() -> None:
    """Buildx need not be there."""
    (container,) = named(["branch-context"])
    command = Build(version="0.2.0", revision="abc").command(container, container.target)
    assert command[:2] == ("docker", "build")
    assert command[2:6] == ("--file", "services/Dockerfile", "--target", "runtime-git")
    assert {
        "--build-arg=SERVICE=branch-context",
        "--build-arg=VERSION=0.2.0",
        "--build-arg=REVISION=abc",
    } <= set(command)
