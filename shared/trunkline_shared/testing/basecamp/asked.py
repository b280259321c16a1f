"""What a route of Basecamp is given: a call, by somebody, in an account."""

from collections.abc import Callable
from dataclasses import dataclass

from trunkline_shared.testing.basecamp.account import Account
from trunkline_shared.testing.basecamp.people import Person
from trunkline_shared.testing.basecamp.urls import Urls
from trunkline_shared.testing.stand_in.call import Answer, Call


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A call that was let in."""

    call: Call
    account: Account
    person: Person
    urls: Urls

    @property
    def query(self) -> dict[str, str]:
        return self.call.query

    def number(self, name: str) -> int:
        """Return a number of the path. Raises Refusal when it is none."""
        return self.call.number(name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A route that shows something; `path` is below the account."""

    path: str
    show: Callable[[Asked], Answer]
