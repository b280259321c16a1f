"""All that the stand-in holds: accounts, tokens, and the authorization server's grants."""

from dataclasses import dataclass, field

from trunkline_shared.testing.basecamp.account import Account
from trunkline_shared.testing.basecamp.grants import Grants
from trunkline_shared.testing.basecamp.people import Person, Token
from trunkline_shared.testing.basecamp.times import Times


@dataclass(slots=True, kw_only=True, eq=False)
class State:
    """The data of a stand-in; tests seed it and may change anything.

    With `grants`, access tokens of the authorization server are taken too, for `grantee`.
    """

    times: Times
    accounts: dict[int, Account] = field(default_factory=dict)
    tokens: dict[str, Token] = field(default_factory=dict)
    grants: Grants | None = None
    grantee: Person | None = None

    def add_account(self, name: str, number: int = 0) -> Account:
        """Add an account, with a number of its own unless one is given."""
        account = Account(id=number or self.times.next_id(), name=name, times=self.times)
        self.accounts[account.id] = account
        return account

    def add_token(self, person: Person, name: str) -> Token:
        """Add an access token; its secret is the name with `-token` after it."""
        token = Token(secret=f"{name}-token", name=name, person=person)
        self.tokens[token.secret] = token
        return token

    def person_of(self, secret: str) -> Person | None:
        """Return whom an access token stands for; nobody when it is not valid now."""
        token = self.tokens.get(secret)
        if token is not None:
            return None if token.expired else token.person
        valid = self.grants is not None and self.grants.is_valid(secret)
        return self.grantee if valid else None

    def name_of(self, secret: str) -> str:
        """Return what the request log calls a token."""
        token = self.tokens.get(secret)
        if token is not None:
            return token.name
        return "granted" if self.person_of(secret) else "unknown"
