"""The images that a start needs: ours are built when they are missing, others are fetched."""

import re
import sys
from collections.abc import Callable, Sequence

from trunkline_cli.containers.docker import Docker
from trunkline_cli.failure import CommandFailed

OURS = "trunkline/"
_MISSING = re.compile(r"No such image: (\S+)")


def have_images(docker: Docker, images: Sequence[str], say: Callable[[str], None]) -> None:
    """Build and fetch what is missing, with the progress shown. Raises CommandFailed."""
    missing = _missing(docker, images)
    ours = [image for image in missing if image.startswith(OURS)]
    if ours:
        say(f"building {', '.join(ours)}: this takes some minutes, once ...")
        _build(docker, ours)
    for image in (image for image in missing if image not in ours):
        say(f"fetching {image} ...")
        if docker.show("pull", "--quiet", image) != 0:
            raise CommandFailed(
                f"the image {image} cannot be fetched: what stands above says why. Without a way "
                f"to its registry, bring it here with `docker load`, and run this again."
            )


def _missing(docker: Docker, images: Sequence[str]) -> list[str]:
    wanted = sorted(set(images))
    found = docker.ask("image", "inspect", "--format", "{{.Id}}", *wanted)
    return [image for image in _MISSING.findall(found.complaint) if image in wanted]


def _build(docker: Docker, images: Sequence[str]) -> None:
    names = [image.removeprefix(OURS).partition(":")[0] for image in images]
    # What `make images` runs.
    if docker.run(sys.executable, "-m", "release", "images", *names) != 0:
        raise CommandFailed(
            "the images could not be built: what stands above says why, and `make images` tries it "
            "again. The first build needs a way to the registries of PyPI and Debian."
        )
    still = _missing(docker, images)
    if still:
        raise CommandFailed(
            f"`make images` has built no {', '.join(still)}: TRUNKLINE_VERSION names a version "
            "that is not here; unset it, or fetch that version's images."
        )
