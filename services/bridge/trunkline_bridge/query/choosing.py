"""Which of the configured runners answers a call: the first that can."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from trunkline_bridge.query.runner import Asker, Runner
from trunkline_shared.errors import Unsupported

VARIABLE: Final = "TRUNKLINE_BRIDGE_RUNNER"
_HINT = (
    f"Set {VARIABLE} on the bridge to claude, to sampling for the caller's own model, or to both; "
    "the mesh's tools themselves work without."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choosing:
    """The runners in the order in which the operator named them.

    The same caller gets the same runner each time, so that an answer to a runner's question comes
    back to the one that asked.
    """

    runners: Sequence[Runner]

    def chosen(self, asker: Asker) -> Runner:
        """Return the first runner that serves a caller. Raises Unsupported, with all they lack."""
        lacking: list[str] = []
        for runner in self.runners:
            lacks = runner.can(asker)
            if lacks is None:
                return runner
            lacking.append(lacks)
        if not lacking:
            raise Unsupported(f"query_mcp has no agent to run: {VARIABLE} is not set.", hint=_HINT)
        raise Unsupported(
            f"query_mcp has no agent to run of those in {VARIABLE}: {'; '.join(lacking)}.",
            hint=_HINT,
            details={"lacking": lacking},
        )
