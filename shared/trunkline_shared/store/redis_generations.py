"""Generations in Redis, for any number of routers: one round trip for each look."""

import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import lru_cache

from redis.exceptions import RedisError

from trunkline_shared.store.generation_port import NEVER, Generation, Membership, Reading
from trunkline_shared.store.outage import Outage
from trunkline_shared.store.redis_failures import FAILURES
from trunkline_shared.store.redis_link import RedisLink
from trunkline_shared.store.redis_member import REGISTRY, ROOT, TAG, RedisMember
from trunkline_shared.store.redis_script import Question, Script
from trunkline_shared.store.standing import WHY, Standing
from trunkline_shared.together import together

PREFIX = f"{TAG}of:".encode()
KEPT_MS = b"%d" % (2 * 24 * 3600 * 1000)
"""Longer than anything that is kept under a generation."""
_READ, _BUMP = Script.of("read_generations"), Script.of("bump_generations")
_RANDOM_BYTES = 8
_FEW = 50


@dataclass(slots=True, kw_only=True)
class RedisGenerations:
    """Generations as the port says, by the clock of the Redis that every router asks.

    Without Redis there are none; changes are sent to it all the same.
    """

    link: RedisLink
    outage: Outage
    standing: Standing
    _member: RedisMember | None = field(default=None, repr=False)

    async def read(self, names: Sequence[str]) -> Reading | None:
        found = await self._found(names)
        if isinstance(found, str):
            self.standing.note(found)
            return None
        if self.standing.word:
            self.standing.note("")
        return found

    async def _found(self, names: Sequence[str]) -> Reading | str:
        """Return the generations, or the word for why nothing kept may be used."""
        member = self._member
        if member is None or member.owes:
            return "owing" if member else "unknown"
        if not self.outage.worth_asking():
            return "away"
        known = _known_question if len(names) <= _FEW else _question
        asked = known(tuple(names), member.id, round(member.terms.silence_s * 1000))
        try:
            answer = (await self.link.ask(asked.with_last(_random()))).decode()
            if not answer.startswith("!"):
                return _reading(names, answer)
        except (*FAILURES, ValueError) as error:
            # What somebody else has written under our names cannot be read.
            self.outage.failed(error)
            return "away"
        word = answer[1:]
        if word == "replica":
            # Perhaps another one takes writes by now.
            self.link.close()
        if word in {"full", "replica"}:
            self.outage.failed(RedisError(WHY[word]))
        return word

    async def bump(self, names: Sequence[str], *, hold_s: float) -> None:
        if not names:
            return
        member = self._member
        if member is not None and member.owes and not self.outage.worth_asking():
            # Nobody trusts this router any more, and what it owes comes before all else.
            await member.owe(hold_s)
            return
        arguments = [b"%d" % round(hold_s * 1000), KEPT_MS, _random()]
        try:
            answer = await self.link.ask(_BUMP.asked([*map(_key, names)], arguments))
            identity = answer.decode().partition(" ")[2]
        except (*FAILURES, ValueError) as error:
            # What answers like no Redis may have made the bump, or may not.
            self.outage.failed(error)
            if member is not None:
                self.standing.note("owing")
                await member.owe(hold_s)
            return
        if member is not None:
            await member.settled(identity)

    @asynccontextmanager
    async def joined(self, terms: Membership) -> AsyncIterator[None]:
        """Be known to the other routers for the length of the block."""
        member = RedisMember(
            terms=terms, link=self.link, outage=self.outage, standing=self.standing
        )
        await member.sign()
        self._member = member
        try:
            async with together() as tasks:
                beating = tasks.create_task(member.beat_forever())
                try:
                    yield
                finally:
                    beating.cancel()
        finally:
            self._member = None
            self.standing.note("unknown")
            await member.leave()

    def state(self) -> Mapping[str, object]:
        """Return how it stands; `since` is in seconds since the epoch."""
        word, member = self.standing.word, self._member
        return {
            "on": not word,
            "reason": WHY.get(word, word),
            "since": self.standing.since,
            "routers": member.routers if member else [],
            "silent": member.silent if member else [],
        }


def _reading(names: Sequence[str], answer: str) -> Reading:
    now, root, *values = answer.split()
    _, nonce, *all_at = root.split(":")
    at, (bumped, held) = int(now), map(int, all_at)
    return Reading(
        nonce,
        {
            name: Generation(value)
            if not bumped and ":" not in value
            else _changed(value, at, bumped, held)
            for name, value in zip(names, values, strict=True)
        },
    )


def _changed(value: str, now: int, bumped: int, held: int) -> Generation:
    """Return a generation that was bumped, by itself or with all others."""
    nonce, _, times = value.partition(":")
    own_bumped, _, own_held = times.partition(":")
    bumped, held = max(bumped, int(own_bumped or 0)), max(held, int(own_held or 0))
    return Generation(
        nonce,
        max(now - bumped, 0) / 1000 if bumped else NEVER,
        max(held - now, 0) / 1000,
    )


def _question(names: tuple[str, ...], asker: str, silence_ms: int) -> Question:
    keys = [REGISTRY, ROOT, *map(_key, names)]
    return _READ.asked(keys, [asker.encode(), b"%d" % silence_ms, KEPT_MS])


# Most questions have been asked before; those about many names would take too much room.
_known_question = lru_cache(4096)(_question)


def _key(name: str) -> bytes:
    return PREFIX + name.encode()


def _random() -> bytes:
    return secrets.token_hex(_RANDOM_BYTES).encode()
