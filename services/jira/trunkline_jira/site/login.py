"""Whether Jira takes our requests for our account's, asked where an answer does not say so.

Cloud lets a wrong credential read as nobody wherever nobody may read, with 200 and not always a
word about it (https://jira.atlassian.com/browse/JRACLOUD-93811). `/myself` is no such place.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from trunkline_jira.site.flavour import Flavour
from trunkline_jira.site.reading import checked
from trunkline_shared.clock import Clock
from trunkline_shared.errors import AuthError, TrunklineError
from trunkline_shared.exchange import Endpoint, Request, Response

KEPT_S = 60.0
_ACCOUNT = ("x-aaccountid", "x-ausername")


def names_account(response: Response) -> bool:
    """Whether an answer says whose request it was; that of nobody has been refused before."""
    return any(response.headers.get(name) for name in _ACCOUNT)


def logged_in(flavour: Flavour) -> Endpoint[Response]:
    """Ask for one's own account, which nobody in particular has not."""
    path = f"{flavour.api}/myself"
    request = Request(method="GET", path=path, template=path)
    return Endpoint(request=request, read=checked, repeatable=True)


@dataclass(slots=True, kw_only=True)
class Login:
    """Confirms the login of a credential, once a minute at most."""

    ask: Callable[[], Awaitable[object]]
    clock: Clock
    confirmed: str = ""
    until: float = float("-inf")

    async def confirm(self, credential: str) -> None:
        """Raise AuthError when the credential, by its fingerprint, is taken for nobody's.

        A Jira that cannot tell, or does not let the account ask, proves nothing.
        """
        if credential == self.confirmed and self.clock.monotonic() < self.until:
            return
        try:
            await self.ask()
        except AuthError:
            raise
        except TrunklineError:
            return
        self.confirmed, self.until = credential, self.clock.monotonic() + KEPT_S
