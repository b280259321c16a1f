"""When the configuration's files are to be read."""

from pathlib import Path

from trunkline_router.configuration.watch import Watch


def watching(path: Path) -> Watch:
    """Watch a file that has been read already."""
    watch = Watch(lambda: [path])
    watch.look()
    assert watch.look()
    assert not watch.look()
    return watch


def test_a_file_that_is_still_being_written_is_not_read(tmp_path: Path) -> None:
    """Each look sees another size; the first that sees no change is the one."""
    path = tmp_path / "f"
    path.write_text("a")
    watch = watching(path)
    for length in (2, 3, 4):
        path.write_text("a" * length)
        assert not watch.look()
    assert watch.look()
    assert not watch.look()


def test_a_rename_over_the_file_is_a_change(tmp_path: Path) -> None:
    """Even to a file of the same size."""
    path = tmp_path / "f"
    path.write_text("a")
    watch = watching(path)
    (tmp_path / "g").write_text("b")
    (tmp_path / "g").rename(path)
    assert [watch.look(), watch.look(), watch.look()] == [False, True, False]


def test_a_swapped_link_is_a_change(tmp_path: Path) -> None:
    """A ConfigMap's file never changes: the folder above it is another one."""
    for version in ("1", "2"):
        (tmp_path / version).mkdir()
        (tmp_path / version / "f").write_text("same")
    (tmp_path / "data").symlink_to(tmp_path / "1")
    watch = watching(tmp_path / "data" / "f")
    (tmp_path / "new").symlink_to(tmp_path / "2")
    (tmp_path / "new").rename(tmp_path / "data")
    assert [watch.look(), watch.look()] == [False, True]


def test_a_file_that_goes_and_one_that_comes_are_changes(tmp_path: Path) -> None:
    """An editor that takes a moment between both causes one reading, of what is there then."""
    path = tmp_path / "f"
    path.write_text("a")
    watch = watching(path)
    path.unlink()
    assert [watch.look(), watch.look()] == [False, True]
    path.write_text("b")
    assert [watch.look(), watch.look()] == [False, True]
