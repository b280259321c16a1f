"""From an answer of Jira to a typed value, or to the failure that it is."""

from typing import Final

from trunkline_jira.site.failures import failure
from trunkline_jira.site.refusal import facts
from trunkline_jira.site.traps import trap
from trunkline_shared.exchange import Response
from trunkline_shared.vendor.reading import Reading


def _given_to_us(response: Response) -> None:
    """Raise AuthError for a success that was not given to our account."""
    if trapped := trap(response):
        raise trapped


_JIRA: Final = Reading(vendor="Jira", failure=failure, facts=facts, check=_given_to_us)
checked = _JIRA.checked
one = _JIRA.one


def done(response: Response) -> None:
    """Read a success that says nothing (204). Raises what it failed with otherwise."""
    checked(response)
