"""A query as its caller wrote it, read whole before anything is done about it."""

from collections.abc import Sequence
from typing import Final

from trunkline_bridge.query.models import QueryOptions
from trunkline_bridge.query.patterns import read_patterns, refused
from trunkline_bridge.query.runner import Query
from trunkline_bridge.query.schemas import read_schema
from trunkline_shared.untrusted import sanitize

LONGEST_PROMPT: Final = 100_000
_DEFAULT: Final = QueryOptions()


def read_query(prompt: str, tools: Sequence[str], options: QueryOptions | None) -> Query:
    """Read what `query_mcp` was given. Raises InvalidInput, which names the argument."""
    given = options or _DEFAULT
    _check_prompt(prompt)
    return Query(
        prompt=prompt,
        tools=read_patterns(tools),
        model=given.model,
        max_turns=given.maxTurns,
        timeout_s=given.timeout / 1000,
        schema=read_schema(given.jsonSchema),
        wants_json=given.jsonSchema is not None or given.outputFormat == "json",
    )


def _check_prompt(prompt: str) -> None:
    if not sanitize(prompt).strip():
        raise refused("prompt", "says nothing", "Say what the agent is to do.")
    if len(prompt) > LONGEST_PROMPT:
        problem = f"has {len(prompt)} characters, more than {LONGEST_PROMPT}"
        raise refused("prompt", problem, "Have the agent look up with its tools what is long.")
    if "\x00" in prompt:
        raise refused("prompt", "holds a NUL character", "Leave it out.")
    try:
        prompt.encode()
    except UnicodeEncodeError:
        raise refused("prompt", "holds half of a character", "Leave it out.") from None
