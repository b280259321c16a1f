"""Who takes connections from whose socket: its own worker, or another while there is none."""

from collections.abc import Iterator, Sequence
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
        # Whoever is gone keeps nothing any more, even if one of its number comes back.
        self._keepers = {
            which: keeper for which, keeper in self._keepers.items() if keeper in ready
        }
        for number in range(sockets):
            keeper = self._keepers.get(number)
            if number in ready:
                if keeper is not None:
                    del self._keepers[number]
                    yield keeper, Word.CLOSE, str(number)
            elif keeper is None and ready:
                chosen = min(ready, key=lambda one: (one - number) % sockets)
                self._keepers[number] = chosen
                yield chosen, Word.OPEN, str(number)
