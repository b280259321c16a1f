"""The place where a contract can watch the stand-in; `trunkline_shared.testing.openapi` has one."""

from collections.abc import Sequence
from typing import Protocol

from trunkline_shared.exchange import Response
from trunkline_shared.testing.stand_in.log import Received


class Guard(Protocol):
    """Reads every request and every answer, and says what is wrong with it."""

    def of_request(self, request: Received) -> Sequence[str]:
        """Return the violations of a request."""

    def of_answer(self, request: Received, answer: Response) -> Sequence[str]:
        """Return the violations of the answer to a request."""


class ContractViolated(AssertionError):
    """A client of the stand-in, or the stand-in itself, broke the API's contract."""

    def __init__(self, violations: Sequence[str]) -> None:
        super().__init__("GitHub's OpenAPI was violated:\n" + "\n".join(violations))
        self.violations = tuple(violations)
