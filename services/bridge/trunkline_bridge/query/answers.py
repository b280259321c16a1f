"""What a model said, made fit for whoever asked: cleaned, bounded, and held to the schema."""

from typing import Any, Final

import orjson

from trunkline_bridge.query.runner import Answer, Query
from trunkline_bridge.query.schemas import DEEPEST, depth_of, misfit
from trunkline_shared.errors import TooLarge, UpstreamUnavailable
from trunkline_shared.trimming import cut
from trunkline_shared.untrusted import sanitize

LONGEST_TEXT: Final = 50_000
LONGEST_STRUCTURED: Final = 200_000
_SHOWN: Final = 2_000
_FENCE: Final = "```"


def text_of(answer: Answer) -> str:
    """Return the text without what cannot be seen, cut with a note where it is too long."""
    text = _clean_text(answer.text)
    if len(text) <= LONGEST_TEXT:
        return text
    kept = text[:LONGEST_TEXT]
    cut(text, kept)
    return f"{kept}\n[cut: {len(text) - LONGEST_TEXT} of {len(text)} characters left out]"


def structured_of(query: Query, answer: Answer) -> Any:
    """Return the structured answer, which fits the schema if there is one.

    Without a schema an answer that is no JSON has none. Raises UpstreamUnavailable, which names
    where it does not fit, and TooLarge.
    """
    if not query.wants_json:
        return None
    said = answer.structured if answer.structured is not None else _read(answer.text)
    if said is _NO_JSON:
        if query.schema is None:
            return None
        raise _unfit(answer, "$", "the answer is no JSON")
    if depth_of(said) > DEEPEST:
        raise _unfit(answer, "$", f"the answer is nested deeper than {DEEPEST}")
    value = _clean(said)
    if len(_dumped(answer, value)) > LONGEST_STRUCTURED:
        raise TooLarge(
            f"The structured answer is longer than {LONGEST_STRUCTURED} bytes.",
            hint="Have jsonSchema ask for less.",
        )
    wrong = None if query.schema is None else misfit(query.schema, value)
    if wrong is not None:
        raise _unfit(answer, wrong.path, wrong.problem)
    return value


class _NoJson:
    """No JSON value is this one: null is one, too."""


_NO_JSON: Final = _NoJson()


def _read(text: str) -> object:
    """Return what a text that is JSON says, also where a model has put a fence around it."""
    bare = text.strip()
    if bare.startswith(_FENCE) and bare.endswith(_FENCE):
        bare = bare.removesuffix(_FENCE).partition("\n")[2]
    try:
        return orjson.loads(bare)
    except orjson.JSONDecodeError:
        return _NO_JSON


def _clean_text(text: str) -> str:
    """Halves of characters, which no UTF-8 can hold, become question marks."""
    return sanitize(text.encode(errors="replace").decode())


def _clean(value: Any) -> Any:
    """Take out of every text what cannot be seen."""
    if isinstance(value, str):
        return _clean_text(value)
    if isinstance(value, dict):
        return {_clean_text(str(key)): _clean(item) for key, item in value.items()}
    return [_clean(item) for item in value] if isinstance(value, list) else value


def _dumped(answer: Answer, value: object) -> bytes:
    try:
        return orjson.dumps(value)
    except TypeError:
        raise _unfit(answer, "$", "the answer cannot be written as JSON") from None


def _unfit(answer: Answer, path: str, problem: str) -> UpstreamUnavailable:
    return UpstreamUnavailable(
        f"The agent's answer does not fit jsonSchema at {path}: {_clean_text(problem)}.",
        hint="Ask again, with a prompt that says what the answer holds, or with a looser schema.",
        details={
            "path": path,
            "problem": _clean_text(problem),
            "text": _clean_text(answer.text)[:_SHOWN],
            "turns": answer.turns,
        },
    )
