"""Diffs rebuilt from GitHub's list of files are what git would have shown."""

import pytest

from tests.interaction.pull_reading import edited, numstat, text
from tests.unit.trunkline_issues.diffs import rows
from trunkline_issues.diff_rebuilding import rebuilt
from trunkline_shared.github.pull_models import PullFile
from trunkline_shared.testing.github.changes import ChangedFile

KINDS = {
    "edited": edited("src/a.py"),
    "added": ChangedFile(path="new.py", after=text(5)),
    "removed": ChangedFile(path="gone.py", before=text(5)),
    "renamed and edited": ChangedFile(
        path="b.py", previous_path="a.py", before=text(9), after=text(9, [4])
    ),
    "without a last line feed": ChangedFile(path="a", before="x\ny", after="x\nz"),
}


def listed(file: ChangedFile) -> PullFile:
    """Return the file as GitHub lists it."""
    return PullFile(
        filename=file.path,
        previous_filename=file.previous_path,
        status=file.status,
        additions=file.additions,
        deletions=file.deletions,
        changes=file.additions + file.deletions,
        patch=file.patch,
    )


@pytest.mark.requirement("pull.diff-refused")
@pytest.mark.parametrize("kind", KINDS)
def test_a_file_is_rebuilt_as_it_was(kind: str) -> None:
    """Header, modes, both sides and hunks; git reads it, and counts the same."""
    file = KINDS[kind]
    made = rebuilt(listed(file))
    assert made is not None
    assert made == file.diff().replace("similarity index 90%\n", "")
    assert numstat(made) == {file.path: (file.additions, file.deletions)}


@pytest.mark.requirement("pull.diff-refused")
@pytest.mark.parametrize("name", ["with space.py", "\u00e9t\u00e9.py", 'a"b.py', "tab\t.py"])
def test_odd_names_are_quoted_so_that_git_reads_them(name: str) -> None:
    """A space ends no name, a quote opens none."""
    file = ChangedFile(path=name, before=text(3), after=text(3, [2]))
    made = rebuilt(listed(file))
    assert made is not None
    assert numstat(made) == {name: (1, 1)}


@pytest.mark.requirement("pull.diff-missing")
def test_a_file_without_a_patch_is_not_made_up() -> None:
    """Binary, too large, only another mode; a mere renaming is whole without one."""
    for status in ("modified", "added", "removed", "changed"):
        assert rebuilt(PullFile(filename="a", status=status)) is None
    moved = PullFile(filename="b c", previous_filename="a", status="renamed")
    assert rebuilt(moved) == (
        "diff --git a/a b/b c\nsimilarity index 100%\nrename from a\nrename to b c\n"
    )


def test_a_patch_that_github_cut_off_counts_what_is_left_of_it() -> None:
    """Its header speaks of more lines than follow."""
    patch = "@@ -1,9 +1,9 @@ def f():\n one\n-two\n+2"
    made = rebuilt(PullFile(filename="a.py", status="modified", changes=9, patch=patch))
    assert made is not None
    assert "@@ -1,2 +1,2 @@ def f():\n" in made
    assert [row.text for row in rows(made)] == [" one", "-two", "+2"]
