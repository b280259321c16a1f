"""One router among those that share generations: its signs of life, and the bumps that it owes."""

import asyncio
import logging
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import quote, unquote

from redis.exceptions import RedisError

from trunkline_shared.store.generation_port import Membership
from trunkline_shared.store.outage import Outage
from trunkline_shared.store.redis_failures import FAILURES
from trunkline_shared.store.redis_link import RedisLink
from trunkline_shared.store.redis_script import Question, Script
from trunkline_shared.store.redis_wire import RedisWire
from trunkline_shared.store.standing import WHY, Standing

TAG = "trunkline:1:{gen}:"
REGISTRY = f"{TAG}routers".encode()
ROOT = f"{TAG}root".encode()
_BEAT, _REJOIN, _LEAVE = (Script.of(name) for name in ("beat", "rejoin", "leave"))
_KEYS = (REGISTRY, ROOT)
_NEVER = float("-inf")
_NAMELESS = "nameless"
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Peer:
    """Whose Redis is at the other end of a connection, and what its clock said when."""

    wire: RedisWire
    identity: str
    time_ms: float
    at: float


@dataclass(slots=True, kw_only=True)
class RedisMember:
    """A router that beats, so that the others know that none of its bumps is missing.

    One whose bump could not be made *owes*: it beats no more, until it has joined anew and thereby
    spoiled all that was kept. `signs` are the latest moments at which a beat may have taken effect,
    by the identity of the Redis that it was sent to: a bump that one Redis has made is not known to
    those who still ask another. `id` is the name as the registry has it: without spaces.
    """

    terms: Membership
    link: RedisLink
    outage: Outage
    standing: Standing
    id: str = field(init=False)
    scores: Mapping[str, float] = field(default_factory=dict)
    heard_ms: float = 0.0
    word: str = "unknown"
    signs: dict[str, float] = field(default_factory=dict)
    _entered: bool = False
    _owed: int = 0
    _paid: int = 0
    _held_until: float = _NEVER
    _peer: _Peer | None = None
    _woken: asyncio.Event = field(default_factory=asyncio.Event)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.id = quote(self.terms.name, safe="")

    @property
    def owes(self) -> bool:
        return self._owed > self._paid

    @property
    def silent(self) -> list[str]:
        """Return the routers without a sign, as far as is known."""
        oldest = self.heard_ms - self.terms.silence_s * 1000
        return sorted(unquote(name) for name, at in self.scores.items() if at < oldest)

    @property
    def routers(self) -> list[str]:
        """Return the routers that are known, with or without a sign."""
        return sorted(map(unquote, self.scores))

    async def beat_forever(self) -> None:
        """Give a sign every `beat_s` seconds; one who owes tries to join anew at once."""
        while True:
            try:
                async with asyncio.timeout(self.terms.beat_s):
                    await self._woken.wait()
            except TimeoutError:
                pass
            self._woken.clear()
            await self.sign()

    async def sign(self) -> None:
        """Give a sign. Never raises."""
        try:
            peer = await self._found()
            if self._entered and not self.owes:
                peer = await self._beat(peer)
            if not self._entered or self.owes or self.word == "rejoin":
                peer = await self._rejoin(peer)
        except (*FAILURES, ValueError) as error:
            # A registry that somebody else has written into cannot be read.
            self.outage.failed(error)
            self.standing.note("owing" if self.owes else "away")
        else:
            self._note(self._verdict(peer))

    def _note(self, word: str) -> None:
        if word == "replica":
            self.link.close()
            self.outage.failed(RedisError(WHY[word]))
        else:
            self.outage.passed()
        if word == _NAMELESS != self.standing.word:
            log.warning("no read is answered from what was read before: %s", WHY[word])
        self.standing.note(word)

    def _verdict(self, peer: _Peer) -> str:
        if self.word != "ok":
            return self.word
        if peer.identity == "-":
            return _NAMELESS
        return "silent" if self.silent else ""

    async def leave(self) -> None:
        """Be forgotten by the others at once. Never raises."""
        try:
            peer = await self._found()
            arguments = [b"%d" % self._not_after(peer), _random(), b"%d" % self._hold_ms()]
            await self.link.ask_over(peer.wire, _LEAVE.asked(_KEYS, [self.id.encode(), *arguments]))
        except (*FAILURES, ValueError) as error:
            self.outage.failed(error)

    async def settled(self, identity: str) -> None:
        """Return when a bump that this Redis has made is known to whoever asks another one."""
        elsewhere = [at for other, at in self.signs.items() if other != identity]
        left_s = self._noticed_at(elsewhere) - self.terms.clock.monotonic()
        if left_s > 0:
            await self.terms.clock.sleep(left_s)

    async def owe(self, hold_s: float) -> None:
        """Return when a bump that could not be made is made up for, or nobody trusts this router.

        The others notice its silence, or it has joined anew.
        """
        now = self.terms.clock.monotonic()
        noticed_at = self._noticed_at(list(self.signs.values()))
        self._owed += 1
        mine = self._owed
        self._held_until = max(self._held_until, now + hold_s)
        self._woken.set()
        while self._paid < mine and (left_s := noticed_at - self.terms.clock.monotonic()) > 0:
            try:
                async with asyncio.timeout(left_s):
                    await self._changed.wait()
            except TimeoutError:
                pass

    def _noticed_at(self, signs: list[float]) -> float:
        """Return when whoever saw the last of these signs has missed those after it."""
        return max(signs, default=_NEVER) + self.terms.silence_s + _margin_s(self.terms)

    async def _found(self) -> _Peer:
        """Return who is at the other end, which has to be known before a sign is sent there.

        Otherwise nobody could say afterwards where a sign without an answer took effect.
        """
        wire = await self.link.wire()
        if self._peer is None or self._peer.wire is not wire:
            # A sign that is too late from the start.
            return await self._told(wire, _BEAT.asked(_KEYS, [b"-", b"0", b"-1", b"-"]))
        return self._peer

    async def _beat(self, peer: _Peer) -> _Peer:
        forget_s = self.terms.forget_s
        forget = b"-1" if forget_s is None else b"%d" % round(forget_s * 1000)
        arguments = [self.id.encode(), b"%d" % self._not_after(peer), forget, _random()]
        return await self._signed(peer, _BEAT.asked(_KEYS, arguments))

    async def _rejoin(self, peer: _Peer) -> _Peer:
        owed = self._owed
        arguments = [
            *(self.id.encode(), b"%d" % self._not_after(peer), _random()),
            b"%d" % (max(self._hold_ms(), 0) if self._entered or self.owes else -1),
            *(name.encode() for name in self.scores),
        ]
        told = await self._signed(peer, _REJOIN.asked(_KEYS, arguments))
        if self.word == "ok":
            self._entered, self._paid = True, owed
            self._changed.set()
            self._changed = asyncio.Event()
        return told

    async def _signed(self, peer: _Peer, question: Question) -> _Peer:
        """Send a sign; from now on it may take effect."""
        latest = self.terms.clock.monotonic() + _lasting_s(self.terms)
        self.signs = {
            name: at for name, at in self.signs.items() if self._noticed_at([at]) > latest
        }
        self.signs[peer.identity] = latest
        told = await self._told(peer.wire, question)
        if told.identity != peer.identity:
            self.signs[told.identity] = latest
        return told

    async def _told(self, wire: RedisWire, question: Question) -> _Peer:
        answer = await self.link.ask_over(wire, question)
        word, time_ms, identity, *routers = answer.decode().split()
        if word == "ok" or not self.scores:
            names, scores = routers[::2], map(float, routers[1::2])
            self.scores, self.heard_ms = dict(zip(names, scores, strict=True)), float(time_ms)
        self.word = word
        self._peer = _Peer(wire, identity, float(time_ms), self.terms.clock.monotonic())
        return self._peer

    def _not_after(self, peer: _Peer) -> int:
        """Return until when a sign is good, by the clock of Redis, which is that far at least."""
        passed_s = self.terms.clock.monotonic() - peer.at + _lasting_s(self.terms)
        return int(peer.time_ms + passed_s * 1000)

    def _hold_ms(self) -> int:
        """Return for how long all has to be held for the bumps that are owed, -1 for none."""
        if not self.owes:
            return -1
        return max(round((self._held_until - self.terms.clock.monotonic()) * 1000), 0)


def _lasting_s(terms: Membership) -> float:
    """Return for how long a sign that is on its way may take effect yet."""
    return min(1.0, terms.silence_s / 4)


def _margin_s(terms: Membership) -> float:
    return min(0.5, terms.silence_s / 10)


def _random() -> bytes:
    return secrets.token_hex(8).encode()
