"""Who uses a stand-in Jira, and what they log in with."""

import base64
from dataclasses import dataclass, field


@dataclass(slots=True, kw_only=True, eq=False)
class User:
    """An account: Cloud knows it by `account_id`, Data Center by `name`.

    `email` None is hidden from others. With `captcha` every login is refused until a person has
    solved one.
    """

    account_id: str
    name: str
    display_name: str
    email: str | None
    active: bool = True
    captcha: bool = False
    time_zone: str = "Europe/Berlin"


@dataclass(slots=True, kw_only=True, eq=False)
class Token:
    """A secret of a user's, good as a bearer token and as the password of basic authentication."""

    name: str
    user: User
    secret: str = field(repr=False)
    revoked: bool = False

    @property
    def bearer(self) -> str:
        return f"Bearer {self.secret}"

    @property
    def basic(self) -> tuple[str, ...]:
        """Return the headers of each name that the user may log in with."""
        names = [name for name in (self.user.email, self.user.name) if name]
        return tuple(_basic(name, self.secret) for name in names)


def _basic(name: str, secret: str) -> str:
    return f"Basic {base64.b64encode(f'{name}:{secret}'.encode()).decode()}"
