"""In whose name a credential acts."""

from pydantic import BaseModel

from trunkline_shared.exchange import Endpoint, Request
from trunkline_shared.github import graphql
from trunkline_shared.github.comment_models import Account
from trunkline_shared.github.reading import one

_read_account = one(Account)


class _Login(BaseModel):
    login: str


class Viewer(BaseModel):
    """The account behind the credential, as GraphQL names it."""

    viewer: _Login


def authenticated_user() -> Endpoint[Account]:
    """Read the account of a person's token; Apps and workflows are refused (PermissionDenied)."""
    request = Request(method="GET", path="/user", template="/user")
    return Endpoint(request=request, read=_read_account, repeatable=True)


def viewer() -> Endpoint[Viewer]:
    """Read the account of any credential, Apps and workflows included."""
    return graphql.query("query { viewer { login } }", {}, Viewer)
