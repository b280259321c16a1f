"""Making a version: checks, versions and changelog, commit, images, SBOMs, and the tag last.

Whatever fails, the same command goes on from where it was: the commit is known by its subject.
"""

from dataclasses import dataclass
from pathlib import Path

from release import changelog, contents, deployments, lock, sbom, versions
from release.checkout import Checkout
from release.containers import containers
from release.images import Build, build
from release.refusing import Refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """What is made: `date` is ISO 8601's, `images` whether images and their SBOMs are, too."""

    root: Path
    version: str
    date: str
    images: bool = True

    @property
    def tag(self) -> str:
        return f"v{self.version}"

    @property
    def subject(self) -> str:
        return f"Release {self.version}"


def cut(wanted: Cut) -> None:
    """Make the version, or go on with it. Raises Refused."""
    checkout = Checkout(wanted.root)
    versions.order(wanted.version)
    _clean(checkout)
    if checkout.subject() == wanted.subject:
        _say(f"going on with {wanted.version}: {checkout.revision()}")
    else:
        _check_order(wanted, checkout)
        _commit(wanted, checkout)
        _say(f"committed {wanted.subject!r}: {checkout.revision()}")
    _produce(wanted, checkout)
    if not checkout.tagged(wanted.tag):
        checkout.tag(wanted.tag, f"{wanted.subject}\n\n{_notes(wanted)}\n")
    _say(f"tagged {wanted.tag}. Nothing has left this machine; what publishes it:")
    for line in _publishing(wanted):
        print(f"  {line}")


def _clean(checkout: Checkout) -> None:
    if changes := checkout.changes():
        raise Refused(
            f"The checkout has changes: commit them, or put them away (git stash -u).\n{changes}"
        )


def _check_order(wanted: Cut, checkout: Checkout) -> None:
    if at := checkout.tagged(wanted.tag):
        raise Refused(f"{wanted.tag} is there already, at {at[:12]}: choose the next version.")
    current = versions.current(wanted.root)
    if versions.order(wanted.version) < versions.order(current):
        raise Refused(f"The checkout has version {current}: choose one that is not before it.")
    if wanted.version == current and changelog.notes(_changelog(wanted), current):
        raise Refused(f"CHANGELOG.md tells of {current} already: choose the next version.")


def _commit(wanted: Cut, checkout: Checkout) -> None:
    """Commit the version; what git refuses, a hook's work included, leaves the checkout clean."""
    try:
        _write(wanted)
        checkout.commit(wanted.subject)
    except Refused:
        checkout.restore()
        raise


def _write(wanted: Cut) -> None:
    text = changelog.released(_changelog(wanted), wanted.version, wanted.date)
    for part in (versions, lock, deployments):
        part.state(wanted.version, wanted.root)
    (wanted.root / "CHANGELOG.md").write_text(text, "utf-8")


def _produce(wanted: Cut, checkout: Checkout) -> None:
    folder = wanted.root / "dist"
    folder.mkdir(exist_ok=True)
    (folder / f"notes-{wanted.version}.md").write_text(f"{_notes(wanted)}\n", "utf-8")
    if not wanted.images:
        return
    plan = Build(
        version=wanted.version,
        revision=checkout.revision(),
        tags=(wanted.version,),
        root=wanted.root,
    )
    build(plan, containers(wanted.root))
    for each in containers(wanted.root):
        image = each.image(wanted.version)
        document = sbom.described(image, sbom.locked(each, wanted.root), contents.contents(image))
        file = folder / f"{each.name}-{wanted.version}.cdx.json"
        file.write_text(f"{document}\n", "utf-8")
        _say(f"dist/{file.name}: what is in {image}")


def _publishing(wanted: Cut) -> list[str]:
    pushed = [f"git push origin HEAD {wanted.tag}"]
    if wanted.images:
        for each in containers(wanted.root):
            image = each.image(wanted.version)
            pushed.append(f"docker tag {image} $REGISTRY/{image} && docker push $REGISTRY/{image}")
    return pushed


def _notes(wanted: Cut) -> str:
    return changelog.notes(_changelog(wanted), wanted.version)


def _changelog(wanted: Cut) -> str:
    return (wanted.root / "CHANGELOG.md").read_text("utf-8")


def _say(line: str) -> None:
    print(f"trunkline: {line}", flush=True)
