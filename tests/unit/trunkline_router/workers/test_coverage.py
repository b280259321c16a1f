"""Whose socket is kept by whom while workers come and go."""

from hypothesis import given
from hypothesis import strategies as st

from trunkline_router.workers.coverage import Coverage
from trunkline_router.workers.orders import Word

MANY = 4


@given(st.lists(st.sets(st.integers(0, MANY - 1)), max_size=20))
def test_each_socket_is_open_somewhere_while_anybody_is_ready(steps: list[set[int]]) -> None:
    """In whichever order workers die and come back; one that is ready again has its own alone."""
    coverage, opened = Coverage(), {number: set[int]() for number in range(MANY)}
    before: set[int] = set()
    for ready in steps:
        for number in before - ready:
            opened[number].clear()
        for number in ready - before:
            opened[number].add(number)
        for worker, word, which in coverage.orders(sorted(ready), MANY):
            assert worker in ready
            if word is Word.OPEN:
                opened[worker].add(int(which))
            else:
                opened[worker].discard(int(which))
        held = [socket for sockets in opened.values() for socket in sockets]
        assert sorted(held) == (list(range(MANY)) if ready else [])
        assert all(number in opened[number] for number in ready)
        before = ready
