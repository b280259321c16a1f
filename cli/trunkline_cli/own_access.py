"""The mesh's own way in: who starts a router needs no key for it."""

from trunkline_cli.mesh import Mesh
from trunkline_router.access.job_tokens import PURPOSE, Grant, JobTokens
from trunkline_router.configuration.file import configuration_path, read_configuration
from trunkline_router.context import NOTHING
from trunkline_router.listening import base_of
from trunkline_shared.clock import SystemClock
from trunkline_shared.signing import SigningKeys

# No key's id has a colon: nobody else goes by this name.
_SUBJECT = "owner:trunkline"
_LIFETIME_S = 10 * 365 * 86_400.0


def wants_keys(mesh: Mesh) -> bool:
    """Say whether this run's router lets nobody in without a key or a token."""
    return read_configuration(configuration_path(mesh.settings.config)).authenticates


def own_token(mesh: Mesh, *scopes: str) -> str:
    """Return a token that this run's router takes; none where nobody has to show one."""
    if not wants_keys(mesh):
        return ""
    base = mesh.settings.public_url or base_of(mesh.on)
    return token_of(SigningKeys.of(mesh.settings), base, *scopes)


def token_of(keys: SigningKeys, base: str, *scopes: str, lifetime_s: float = _LIFETIME_S) -> str:
    """Return a token that a router takes that has these keys and this public URL."""
    clock = SystemClock()
    tokens = JobTokens(keys=keys.derived(PURPOSE), base=base.rstrip("/"), clock=clock)
    return tokens.minted(
        Grant(
            subject=_SUBJECT,
            scopes=frozenset(scopes),
            context=NOTHING,
            expires=clock.now() + lifetime_s,
        )
    )
