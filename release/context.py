"""What images are built from: the checkout as it is at one moment, whatever is edited meanwhile."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

_LEFT_OUT = shutil.ignore_patterns("__pycache__", ".*")


@contextmanager
def still(root: Path) -> Iterator[Path]:
    """Copy what .dockerignore lets through into a folder that lasts for the block."""
    listed = (root / ".dockerignore").read_text("utf-8").splitlines()
    with TemporaryDirectory(prefix="trunkline-images-") as folder:
        copy = Path(folder)
        for name in (line[1:] for line in listed if line.startswith("!")):
            if (root / name).is_dir():
                shutil.copytree(root / name, copy / name, ignore=_LEFT_OUT)
            else:
                shutil.copy2(root / name, copy / name)
        yield copy
