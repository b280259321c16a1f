"""The files of a pull request as GitHub shows them."""

import hashlib

from trunkline_shared.testing.github.changes import ChangedFile
from trunkline_shared.testing.github.repository import Repository
from trunkline_shared.testing.github.urls import Urls


def changed_file(of: ChangedFile, home: Repository, ref: str, urls: Urls) -> dict[str, object]:
    """Return one file; without a patch where GitHub leaves it out."""
    blob = hashlib.sha1((of.after or "").encode(), usedforsecurity=False).hexdigest()
    shown: dict[str, object] = {
        "sha": blob,
        "filename": of.path,
        "status": of.status,
        "additions": of.additions,
        "deletions": of.deletions,
        "changes": of.additions + of.deletions,
        "blob_url": f"{urls.web}/{home.full_name}/blob/{ref}/{of.path}",
        "raw_url": f"{urls.web}/{home.full_name}/raw/{ref}/{of.path}",
        "contents_url": f"{urls.repository(home)}/contents/{of.path}?ref={ref}",
    }
    if of.patch is not None:
        shown["patch"] = of.patch
    if of.previous_path is not None:
        shown["previous_filename"] = of.previous_path
    return shown
