"""The bill of materials of an image, from the lock and from what the image tells."""

import json
from typing import Any

import pytest

from release.contents import Contents, DebianPackage
from release.refusing import Refused
from release.sbom import described

pytestmark = pytest.mark.requirement("shipping.release-sbom")

FILES = "https://packages.example/aa/bb/cc"


def component(name: str, version: str, *files: str) -> dict[str, Any]:
    return {
        "type": "library",
        "bom-ref": f"{name}@{version}",
        "name": name,
        "version": version,
        "purl": f"pkg:pypi/{name}@{version}",
        "externalReferences": [
            {"type": "distribution", "url": f"{FILES}/{each}"} for each in files
        ],
    }


LOCK: dict[str, Any] = {
    "bomFormat": "CycloneDX",
    "specVersion": "1.5",
    "metadata": {"component": component("trunkline-comment", "0.2.0")},
    "components": [
        component(
            "pydantic-core",
            "2.50.1",
            "pydantic_core-2.50.1.tar.gz",
            "pydantic_core-2.50.1-cp313-cp313-manylinux_2_17_x86_64.whl",
            "pydantic_core-2.50.1-cp311-cp311-manylinux_2_17_x86_64.whl",
            "pydantic_core-2.50.1-cp313-cp313-win_amd64.whl",
        ),
        component("pywin32", "311"),
    ],
    "dependencies": [
        {
            "ref": "trunkline-comment@0.2.0",
            "dependsOn": ["pydantic-core@2.50.1", "pywin32@311"],
        },
        {"ref": "pywin32@311"},
    ],
}


def holding(**python: str) -> Contents:
    git = DebianPackage(name="git", version="1:2.47.3-0+deb13u1", architecture="amd64")
    names = {name.replace("_", "-"): version for name, version in python.items()}
    return Contents(interpreter="3.13.5", distribution="trixie", python=names, debian=(git,))


HELD = holding(trunkline_comment="0.2.0", Pydantic_Core="2.50.1")


def document() -> dict[str, Any]:
    told: dict[str, Any] = json.loads(described("trunkline/comment:0.2.0", LOCK, HELD))
    return told


def test_it_lists_what_the_image_holds_and_nothing_else() -> None:
    """Packages for other systems are in the lock and not in the image."""
    assert [each["purl"] for each in document()["components"]] == [
        "pkg:pypi/pydantic-core@2.50.1",
        "pkg:pypi/trunkline-comment@0.2.0",
        "pkg:generic/python@3.13.5",
        "pkg:deb/debian/git@1%3A2.47.3-0%2Bdeb13u1?arch=amd64&distro=trixie",
    ]
    assert document()["dependencies"] == [
        {"ref": "trunkline-comment@0.2.0", "dependsOn": ["pydantic-core@2.50.1"]}
    ]


def test_its_subject_is_the_image() -> None:
    """By name and version, as a container."""
    assert document()["metadata"]["component"] == {
        "type": "container",
        "bom-ref": "trunkline/comment:0.2.0",
        "name": "trunkline/comment",
        "version": "0.2.0",
    }


def test_it_names_the_files_that_can_have_been_installed() -> None:
    """The source, and wheels of that Python for Linux."""
    urls = [each["url"] for each in document()["components"][0]["externalReferences"]]
    assert urls == [
        f"{FILES}/pydantic_core-2.50.1.tar.gz",
        f"{FILES}/pydantic_core-2.50.1-cp313-cp313-manylinux_2_17_x86_64.whl",
    ]


@pytest.mark.parametrize("held", [holding(pip="25.1"), holding(pydantic_core="2.49.0")])
def test_an_image_that_holds_what_the_lock_does_not_is_refused(held: Contents) -> None:
    """Another package, or another version of one."""
    with pytest.raises(Refused, match=r"holds what uv\.lock does not: p.* Build it anew"):
        described("trunkline/comment:0.2.0", LOCK, held)
