"""Tags that answers have told, so that the next who asks the same knows them beforehand."""

from dataclasses import dataclass, field

import orjson
from cachetools import LRUCache

from trunkline_router.cache.questions import Question
from trunkline_shared.store.entry_port import Entries

_MOST = 10_000
_MOST_TAGS = 100
_LIFE_S = 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What is remembered here is a guess: each answer tells anew what it depends on."""

    entries: Entries
    _known: "LRUCache[bytes, tuple[str, ...]]" = field(default_factory=lambda: LRUCache(_MOST))

    async def before(self, question: Question) -> tuple[str, ...]:
        """Return the tags that the last answer has told, here or at another router."""
        told = self._known.get(question.key)
        if told is None and question.wide:
            entry = await self.entries.get(_place(question))
            told = self._known[question.key] = _read(entry.data) if entry is not None else ()
        return told or ()

    async def learn(self, question: Question, told: tuple[str, ...]) -> None:
        """Remember what an answer has told, be it nothing any more, for all who ask the same."""
        if len(told) > _MOST_TAGS or told == self._known.get(question.key, ()):
            return
        self._known[question.key] = told
        if question.wide:
            await self.entries.put(_place(question), orjson.dumps(told), life_s=_LIFE_S)


def _place(question: Question) -> str:
    return f"told:{question.key.hex()}"


def _read(data: bytes) -> tuple[str, ...]:
    try:
        return tuple(map(str, orjson.loads(data)))
    except (ValueError, TypeError):
        return ()
