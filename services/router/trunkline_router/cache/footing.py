"""What one answer stands on: the tags it depends on, and their generations before the fetch."""

import hashlib
from collections.abc import Mapping
from functools import lru_cache

from trunkline_router.cache.questions import Question
from trunkline_router.cache.tags import is_beneath, names_to_read
from trunkline_router.value import value
from trunkline_shared.store.generation_port import Generation, Reading

_REMEMBERED = 10_000
_LARGEST = 2_000


def narrowed(question: Question, told: tuple[str, ...]) -> tuple[str, ...]:
    """Return the tags that an answer depends on, when it has told some itself.

    A wide tag gives way to those beneath it that are told; otherwise it stays.
    """
    if not told and not question.wide:
        return question.exact
    wide = [tag for tag in question.wide if not any(is_beneath(one, tag) for one in told)]
    return tuple(dict.fromkeys((*question.exact, *wide, *told)))


@value
class Footing:
    """The tags of a question as far as they are known, with every generation that matters.

    `names` are those whose change spoils the answer. `reading` holds them, and those of the wide
    tags as well: whatever else the answer turns out to depend on lies beneath one of these.
    """

    question: Question
    tags: tuple[str, ...]
    names: tuple[str, ...]
    reading: Reading

    @property
    def key(self) -> str:
        """Return where an answer on this footing is kept."""
        return key_of(self.question, self.names, self.reading)

    def is_held(self, settle_s: float) -> bool:
        """Say whether an answer would be too close to a change to be kept."""
        return any(
            each.bumped_s < settle_s or each.held_s > 0
            for each in map(self.reading.by_name.__getitem__, self.names)
        )

    def covers(self, tags: tuple[str, ...]) -> bool:
        """Say whether a change of any of these tags would have changed this footing."""
        known = (*self.tags, *self.question.wide)
        return all(tag in known or any(is_beneath(tag, one) for one in known) for tag in tags)

    def is_unchanged(self, later: Mapping[str, Generation], root: str) -> bool:
        """Say whether none of the generations has changed, as far as `later` has them."""
        before = self.reading.by_name
        return root == self.reading.root and all(
            name not in before or before[name].nonce == one.nonce for name, one in later.items()
        )


def names_for(question: Question, tags: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the generations that tags depend on, and all that have to be read for them."""
    known = _names_for if is_small(tags) else _names_for.__wrapped__
    return known(tags, question.wide)


def is_small(tags: tuple[str, ...]) -> bool:
    """Say whether generations may be remembered: those of many parts take the square of a tag."""
    return sum(map(len, tags)) <= _LARGEST


# The same tags are asked about again and again.
@lru_cache(maxsize=_REMEMBERED)
def _names_for(
    tags: tuple[str, ...], wide: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    names = names_to_read(tags)
    return names, tuple(dict.fromkeys((*names, *names_to_read(wide))))


def key_of(question: Question, names: tuple[str, ...], reading: Reading) -> str:
    """Return the key of an answer: the question, and everything that can spoil it."""
    by_name = reading.by_name
    told = [reading.root]
    for name in names:
        told += name, by_name[name].nonce
    return hashlib.blake2b(question.key + "\n".join(told).encode(), digest_size=20).hexdigest()
