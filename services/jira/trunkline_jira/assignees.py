"""Whom an assignee's name means: an account that JQL takes.

Cloud's JQL knows accounts by id only; people are found by their names and addresses first.
"""

from collections.abc import Sequence

from trunkline_jira.jql.quoting import quoted
from trunkline_jira.search_endpoints import find_people
from trunkline_jira.sent import SentUser
from trunkline_jira.shapes import account, person
from trunkline_jira.site.client import Jira
from trunkline_shared.errors import InvalidInput

ME = frozenset({"me", "@me", "currentuser()"})
NOBODY = frozenset({"none", "nobody", "unassigned", "empty"})
_SHOWN = 5


async def assignee_condition(jira: Jira, text: str) -> str:
    """Return the JQL condition on an assignee: `me`, `unassigned`, an account, name or address.

    Raises InvalidInput for a name of nobody, or of several.
    """
    name = text.strip()
    if name.casefold() in ME:
        return "assignee = currentUser()"
    if name.casefold() in NOBODY:
        return "assignee is EMPTY"
    return f"assignee = {quoted(await _account_of(jira, name))}"


async def _account_of(jira: Jira, name: str) -> str:
    flavour = (await jira.deployment()).flavour
    found = await jira.fetch(find_people(flavour, name))
    exact = [user for user in found if name.casefold() in _names(user)]
    meant = exact or list(found)
    accounts = list(dict.fromkeys(id_ for user in meant if (id_ := account(user))))
    if len(accounts) == 1:
        return accounts[0]
    if not accounts and _may_be_an_account(name):
        return name
    raise _unclear(name, meant)


def _names(user: SentUser) -> set[str]:
    known = (user.accountId, user.name, user.key, user.displayName, user.emailAddress)
    return {name.casefold() for name in known if name}


def _may_be_an_account(name: str) -> bool:
    """Whether a text that nobody is called by may be an account that searches do not show."""
    return "@" not in name and not any(character.isspace() for character in name)


def _unclear(name: str, found: Sequence[SentUser]) -> InvalidInput:
    people = [f"{person(user)} ({account(user)})" for user in found[:_SHOWN]]
    problem = "means several people" if people else "is nobody that this Jira shows"
    hint = f"One of: {', '.join(people)}." if people else "Pass 'me', a full name or an account id."
    return InvalidInput(
        f"assignee {name[:80]!r} {problem}.",
        hint=hint,
        details={"field_errors": [{"field": "assignee", "problem": problem, "kind": "assignee"}]},
    )
