"""The tags of what this server reads: `bc:ACCOUNT`, then `:PROJECT`, then `:RECORDING`.

No argument tells the account. A tool declares its place as `{account}`, which is filled when the
server is built with a configured account. One that has to be found is known only when something
has been read: then the declared tag widens to all of Basecamp, whose bump spoils everything. The
full tags go out with each result, as its own reuse; events of Basecamp bump those.
"""

from typing import TypeVar

from pydantic import BaseModel

from trunkline_project_reader.basecamp.account import Account
from trunkline_shared.reuse import Reusable, Reuse

ModelT = TypeVar("ModelT", bound=BaseModel)

ACCOUNT = "bc:{account}"
PROJECT = "bc:{account}:{project_id}"


def recording(argument: str) -> str:
    """Return the tag of the recording that an argument names."""
    return f"{PROJECT}:{{{argument}}}"


def tagged(result: ModelT, account: Account, project_id: int = 0, *ids: int) -> Reusable[ModelT]:
    """Return a result with the tags of the recordings that it shows.

    Without any, with that of its project; without one, with that of the account. A list has the
    tag of what it lists from: an event bumps what it is about, and what that hangs on.
    """
    whole = f"bc:{account.id}"
    project = f"{whole}:{project_id}" if project_id else whole
    tags = tuple(f"{project}:{one}" for one in ids)
    return Reusable(result, Reuse(tags=tags or (project,)))
