"""The arguments of `claude -p`."""

from pathlib import Path

import orjson

from trunkline_bridge.command.schema import asked_for
from trunkline_bridge.query.runner import Query


def arguments(query: Query, mcp_config: Path) -> tuple[str, ...]:
    """Return the arguments that have it work on a query, with the mesh's tools and no others.

    The prompt is none of them: it is read from standard input. A version that knows one of them
    not refuses to start, and so never runs with more than a query allows.
    Source: `claude --help` of 2.1.330.
    """
    wanted = None if query.schema is None else orjson.dumps(asked_for(query.schema)).decode()
    return (
        *("-p", "--output-format", "stream-json", "--verbose"),
        *("--model", query.model, "--max-turns", str(query.max_turns)),
        *("--allowedTools", ",".join(str(pattern) for pattern in query.tools)),
        *("--tools", "", "--disable-slash-commands", "--restricted"),
        *("--mcp-config", str(mcp_config), "--strict-mcp-config"),
        *("--setting-sources", "", "--no-session-persistence"),
        *(() if wanted is None else ("--json-schema", wanted)),
    )
