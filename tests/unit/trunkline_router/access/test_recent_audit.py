"""The newest audit records are kept, however many and however large they are."""

from hypothesis import given
from hypothesis import strategies as st

from trunkline_router.access.recent_audit import RecentAudit


class Trail:
    """Keeps what it is handed."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []

    def append(self, line: bytes) -> None:
        self.lines.append(line)


@given(st.lists(st.binary(min_size=1, max_size=5)), st.integers(1, 6))
def test_the_newest_are_kept_and_all_are_handed_on(texts: list[bytes], most: int) -> None:
    """Newest first, without their line breaks."""
    trail = Trail()
    recent = RecentAudit(most=most, then=trail)
    lines = [text.strip() + b"x\n" for text in texts]
    for line in lines:
        recent.append(line)
    assert list(recent.newest(100)) == [line[:-1] for line in lines][::-1][:most]
    assert trail.lines == lines


def test_huge_records_do_not_add_up() -> None:
    """4 MiB of them at the most."""
    recent = RecentAudit()
    for _ in range(100):
        recent.append(b"x" * 1024 * 1024)
    assert len(list(recent.newest(100))) == 4
