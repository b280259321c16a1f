"""Which file a path means."""

from hypothesis import given
from hypothesis import strategies as st

from tests.unit.trunkline_inline_review.diffs import index_of
from trunkline_inline_review.paths import closest, find, normal
from trunkline_shared.testing.github import ChangedFile


def test_an_exact_name_comes_before_a_mended_one() -> None:
    """On the file system of the head, a backslash may be a part of a name."""
    odd = ChangedFile(path="a\\b.py", after="x\n")
    index = index_of(odd, ChangedFile(path="a/b.py", after="x\n"))
    match = find(index, "a\\b.py")
    assert match is not None
    assert match.file.path == odd.path


def test_a_new_file_under_an_old_name_is_itself() -> None:
    """A file that took the name of a renamed one is not taken for it."""
    renamed = ChangedFile(path="b.py", previous_path="a.py", before="x\n", after="y\n")
    match = find(index_of(renamed, ChangedFile(path="a.py", after="z\n")), "a.py")
    assert match is not None
    assert (match.file.path, match.note) == ("a.py", "")


@given(path=st.text())
def test_no_path_leaves_the_repository(path: str) -> None:
    """What is normal has no `..`, no `.`, no empty part."""
    found = normal(path)
    if found is not None:
        assert not {"", ".", ".."} & set(found.split("/"))


@given(path=st.text(), known=st.lists(st.text(min_size=1), max_size=5))
def test_the_closest_path_is_a_known_one(path: str, known: list[str]) -> None:
    """Nothing is ever suggested that is not there."""
    assert closest(path, known) in {"", *known}
