"""Scripts that Redis runs at one go, and questions that are put through them."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Self

from trunkline_shared.store.redis_wire import bulks


@dataclass(frozen=True, slots=True)
class Question:
    """A command that names its script, and the one that brings it along; they end alike."""

    script: "Script"
    count: int
    rest: bytes

    @property
    def short(self) -> bytes:
        return b"*%d\r\n%b%b" % (self.count, self.script.named, self.rest)

    @property
    def full(self) -> bytes:
        return b"*%d\r\n%b%b" % (self.count, self.script.whole, self.rest)

    def with_last(self, argument: bytes) -> "Question":
        """Return the same question with one more argument."""
        return Question(self.script, self.count + 1, self.rest + bulks([argument]))


@dataclass(frozen=True, slots=True)
class Script:
    """A script, as the beginning of a command; `named` by its digest, `whole` with its text."""

    named: bytes
    whole: bytes

    @classmethod
    def of(cls, name: str) -> Self:
        """Return the script of that name."""
        text = files("trunkline_shared.store").joinpath(f"{name}.lua").read_bytes()
        # Redis names scripts by this digest; nothing depends on its strength.
        digest = hashlib.sha1(text, usedforsecurity=False).hexdigest().encode()
        return cls(bulks([b"EVALSHA", digest]), bulks([b"EVAL", text]))

    def asked(self, keys: Sequence[bytes], arguments: Sequence[bytes]) -> Question:
        """Return the question about these keys."""
        parts = [b"%d" % len(keys), *keys, *arguments]
        return Question(self, 2 + len(parts), bulks(parts))
