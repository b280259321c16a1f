"""What a tool declares about itself: effect, reuse, tags, toolset.

The declaration travels in the tool's `_meta["dev.trunkline/policy"]`, so that the router learns
all of it from `tools/list` and imports no service.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from trunkline_shared import meta

DEFAULT_TIMEOUT_S = 30.0

WriteGroup = Literal["delete", "rerun", "approve", "issues", "jira"]


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Reads(_Value):
    """How long a result may be reused, and the tags whose bump spoils it.

    `ttl_s` is its life while nothing is known to have changed; up to `stale_s` it may still
    stand in for an upstream that fails. For `settle_s` after a change its vendor may still answer
    with what was before.
    """

    ttl_s: Annotated[float, Field(ge=0)]
    stale_s: Annotated[float, Field(ge=0)] = 0
    settle_s: Annotated[float, Field(ge=0)] = 10
    tags: tuple[str, ...] = ()


class Writes(_Value):
    """The tags that a call of the tool may change."""

    tags: tuple[str, ...] = ()


class Policy(_Value):
    """One tool's entry, as it stands in `_meta`.

    `needs` names the arguments without which a call means nothing; `a|b` needs one of them.
    `defaults` says where the router finds a need that a read was not given, as
    `server.tool#result_field`, or `settings#field` of its own. `context_needs` names the bindings
    without which an execution context does not offer the tool. `enforces` names the bindings that
    the service itself holds objects to that are addressed by their own id. `waits` says that a call
    spends its time waiting for something to happen, so that it takes up no slot of its server.
    `scopes` are those that a caller needs besides `tools` to see and to call it; a server that asks
    in its caller's name keeps them for the length of such a call.
    """

    reads: Reads | None = None
    writes: Writes | None = None
    needs: tuple[str, ...] = ()
    defaults: dict[str, str] = {}
    context_needs: tuple[str, ...] = ()
    enforces: tuple[str, ...] = ()
    toolset: str = "default"
    write_group: WriteGroup | None = None
    timeout_s: Annotated[float, Field(gt=0)] = DEFAULT_TIMEOUT_S
    waits: bool = False
    scopes: tuple[str, ...] = ()

    def to_meta(self) -> dict[str, object]:
        return {meta.POLICY: self.model_dump(mode="json", exclude_defaults=True)}


class Effect(_Value):
    """What a call does to the world, in the protocol's four annotations."""

    read_only: bool
    destructive: bool
    idempotent: bool


READ = Effect(read_only=True, destructive=False, idempotent=True)
WRITE = Effect(read_only=False, destructive=False, idempotent=False)
WRITE_IDEMPOTENT = Effect(read_only=False, destructive=False, idempotent=True)
DESTRUCTIVE = Effect(read_only=False, destructive=True, idempotent=True)
