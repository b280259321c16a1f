"""Questions, footings and answers for tests of what keeps them."""

from trunkline_router.cache.footing import Footing, names_for
from trunkline_router.cache.questions import Question
from trunkline_router.cache.stored import Stored
from trunkline_router.model import Json
from trunkline_router.wire.packing import pack
from trunkline_shared.contracts import Reads
from trunkline_shared.store.generation_port import Generation, Reading


def question(
    *, exact: tuple[str, ...] = ("gh:a/b#1:comments",), wide: tuple[str, ...] = ()
) -> Question:
    """Return a question that depends on these tags."""
    return Question(
        key=b"question",
        server="github",
        tool="read",
        reads=Reads(ttl_s=15, stale_s=600),
        exact=exact,
        wide=wide,
    )


def reading(names: tuple[str, ...], **bumped: str) -> Reading:
    """Return generations, all "1" but those that are given another nonce."""
    return Reading("root", {name: Generation(bumped.get(name, "1")) for name in names})


def footing(
    asked: Question, tags: tuple[str, ...] | None = None, seen: Reading | None = None
) -> Footing:
    """Return a footing on the question's tags, or on those that are given."""
    stands_on = tags or (*asked.exact, *asked.wide)
    names, wanted = names_for(asked, stands_on)
    return Footing(question=asked, tags=stands_on, names=names, reading=seen or reading(wanted))


def stored(result: Json, *, ttl_s: float = 15, age_s: float = 0) -> Stored:
    """Return an answer as it is kept."""
    return Stored(server="github", packed=pack(result), tags=("t",), ttl_s=ttl_s, age_s=age_s)
