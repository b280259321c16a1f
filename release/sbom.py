"""What each image holds, as CycloneDX 1.5: packages of uv.lock with their hashes, and Debian's."""

import json
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from release import engine
from release.containers import Container
from release.contents import Contents, DebianPackage
from release.refusing import Refused

_INSTALLABLE = re.compile(r"\.tar\.gz$|-none-any\.whl$|-(?:cp313-cp313|cp3\d+-abi3)-manylinux")


def locked(container: Container, root: Path) -> dict[str, Any]:
    """Return what uv.lock has for a container, on any platform. Raises Refused."""
    uv = shutil.which("uv") or shutil.which("uv", path=str(root / ".tools" / "bin"))
    if uv is None:
        raise Refused("uv is neither on PATH nor in .tools: `make run` puts it there, once.")
    export = (uv, "export", "--quiet", "--frozen", "--no-dev", "--package", container.distribution)
    form = ("--format", "cyclonedx1.5", "--preview-features", "sbom-export")
    document: dict[str, Any] = json.loads(engine.quietly((*export, *form), root))
    return document


def described(image: str, lock: Mapping[str, Any], held: Contents) -> str:
    """Return the document of an image as JSON.

    Raises Refused if the image holds a Python package that the lock does not have, or in
    another version.
    """
    own = lock["metadata"]["component"]
    known = {_key(each["name"], each["version"]): each for each in (own, *lock["components"])}
    wanted = [_key(name, version) for name, version in sorted(held.python.items())]
    if strange := [f"{name} {version}" for name, version in wanted if (name, version) not in known]:
        raise Refused(
            f"{image} holds what uv.lock does not: {', '.join(strange)}. Build it anew from this"
            " checkout with `make images`."
        )
    return json.dumps(_document(image, lock, [known[each] for each in wanted], held), indent=1)


def _document(
    image: str, lock: Mapping[str, Any], packages: list[dict[str, Any]], held: Contents
) -> dict[str, Any]:
    name, _, version = image.rpartition(":")
    subject = {"type": "container", "bom-ref": image, "name": name, "version": version}
    inside = {each["bom-ref"] for each in packages}
    return {
        **lock,
        "metadata": {**lock["metadata"], "component": subject},
        "components": [
            *({**each, "externalReferences": list(_references(each))} for each in packages),
            _interpreter(held),
            *(_debian(each, held.distribution) for each in held.debian),
        ],
        "dependencies": list(_dependencies(lock, inside)),
    }


def _references(component: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Name the files that can have been installed; those for other systems are dozens."""
    for reference in component.get("externalReferences", ()):
        if _INSTALLABLE.search(reference["url"]):
            yield reference


def _dependencies(lock: Mapping[str, Any], inside: set[str]) -> Iterator[Mapping[str, Any]]:
    for each in lock["dependencies"]:
        if each["ref"] in inside:
            needed = [other for other in each.get("dependsOn", ()) if other in inside]
            yield {"ref": each["ref"], "dependsOn": needed}


def _interpreter(held: Contents) -> dict[str, Any]:
    purl = f"pkg:generic/python@{held.interpreter}"
    return {
        "type": "platform",
        "bom-ref": purl,
        "name": "python",
        "version": held.interpreter,
        "purl": purl,
    }


def _debian(package: DebianPackage, distribution: str) -> dict[str, Any]:
    version = package.version.replace("+", "%2B").replace(":", "%3A")
    about = f"arch={package.architecture}&distro={distribution}"
    purl = f"pkg:deb/debian/{package.name}@{version}?{about}"
    return {
        "type": "library",
        "bom-ref": purl,
        "name": package.name,
        "version": package.version,
        "purl": purl,
    }


def _key(name: str, version: str) -> tuple[str, str]:
    return re.sub(r"[-_.]+", "-", name).lower(), version
