"""A token for one job, as the router mints it for a program: narrower than the program's own."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from trunkline_shared.client.tool_result import read
from trunkline_shared.errors import AuthError, InvalidInput, PermissionDenied, TrunklineError
from trunkline_shared.mesh.answers import Json

PAGE: Final = "/contexts"
PAGE_S: Final = 10.0


class JobToken(BaseModel):
    """A token that bears its bindings and its tools, until it ends."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    token: str = Field(repr=False)
    expires_at: AwareDatetime


def job_token(status: int, body: Json) -> JobToken:
    """Read the router's answer. Raises AuthError, PermissionDenied, InvalidInput, and so on."""
    if status != HTTPStatus.CREATED:
        raise _refused(status, body)
    return read(PAGE, body, JobToken)


def _refused(status: int, body: Json) -> TrunklineError:
    kinds: Mapping[int, type[TrunklineError]] = {
        HTTPStatus.UNAUTHORIZED: AuthError,
        HTTPStatus.FORBIDDEN: PermissionDenied,
    }
    fix = body.get("fix")
    return kinds.get(status, InvalidInput)(
        f"The router gives no token for this job: {body.get('error')}",
        hint=fix if isinstance(fix, str) else None,
        details={key: body[key] for key in ("key", "value") if key in body},
    )
