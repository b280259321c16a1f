"""Links to Basecamp's to-dos in the texts of people."""

import re
from dataclasses import dataclass

_NUMBER = r"[1-9][0-9]{0,17}"
_TODO = re.compile(
    rf"https://3\.basecamp(?:api)?\.com/({_NUMBER})/buckets/({_NUMBER})/todos/({_NUMBER})(?![0-9])"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TodoLink:
    """A to-do by its numbers, as a link names it."""

    account_id: int
    project_id: int
    todo_id: int

    def leads_to(self, url: str) -> bool:
        """Say whether an address is one of the same account."""
        return f"/{self.account_id}/" in url


def todo_link(text: str) -> TodoLink | None:
    """Return the first link to a to-do in a text."""
    found = _TODO.search(text)
    if found is None:
        return None
    account, project, todo = map(int, found.groups())
    return TodoLink(account_id=account, project_id=project, todo_id=todo)
