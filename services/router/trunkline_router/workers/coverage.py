"""Who takes connections from whose socket: its own worker, or another while there is none."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from trunkline_router.workers.orders import Word

Order = tuple[int, Word, str]


@dataclass(slots=True)
class Coverage:
    """Remembers which worker keeps the socket of one that is gone."""

    _keepers: dict[int, int] = field(default_factory=dict)

    def orders(self, ready: Sequence[int], sockets: int) -> Iterator[Order]:
        """Return what is to be told to whom: the number of a worker, a word, and a socket.

        A socket is kept by the next of those that are `ready` until its own worker is.
        """
        for number in range(sockets):
            keeper = self._keepers.get(number)
            if number in ready:
                if self._keepers.pop(number, None) in ready:
                    assert keeper is not None
                    yield keeper, Word.CLOSE, str(number)
            elif keeper not in ready and ready:
                chosen = min(ready, key=lambda one: (one - number) % sockets)
                self._keepers[number] = chosen
                yield chosen, Word.OPEN, str(number)

    @property
    def kept(self) -> Mapping[int, int]:
        """Return the workers that keep the sockets of others, by those sockets."""
        return dict(self._keepers)
