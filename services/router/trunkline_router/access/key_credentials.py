"""The credentials that keys bring of their own, for the mesh's own servers of one vendor."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pydantic import SecretStr

from trunkline_router.configuration.entries import Configuration, KeyEntry, Secret
from trunkline_router.configuration.live import Derived, Live
from trunkline_router.configuration.settings import BUILT_IN
from trunkline_router.fleet import Fleet
from trunkline_router.model import Call
from trunkline_shared.errors import CredentialsMissing
from trunkline_shared.live_secret import LiveSecret
from trunkline_shared.settings import FILE_SUFFIX, ConfigurationError
from trunkline_shared.vendor.credential import fingerprint_of


@dataclass(frozen=True, slots=True)
class _Own:
    """One key's credential for one vendor, as it is now."""

    key: str
    vendor: str
    variable: str
    fixed: str = field(default="", repr=False)
    live: LiveSecret | None = field(default=None, repr=False)

    def value(self) -> str:
        """Return the secret. Raises CredentialsMissing: the mesh's own must not stand in."""
        value = self.live.get() if self.live is not None else self.fixed
        if value:
            return value
        raise CredentialsMissing(
            f"Key {self.key!r} brings a {self.vendor} credential of its own, and {self.variable} "
            "is not set.",
            hint=f"Set {self.variable} or {self.variable}{FILE_SUFFIX} where the router runs.",
            details={"variables": [self.variable]},
        )


class KeyCredentials:
    """Puts a key's own credential on the calls that it is for; every secret is read at each use.

    Only servers that the mesh ships are ever told.
    """

    def __init__(self, live: Live[Configuration], fleet: Fleet) -> None:
        self._held = Derived(live, _held_in)
        self._fleet = fleet

    def attached(self, call: Call) -> Call:
        """Return a call with the credential that its caller brings. Raises CredentialsMissing."""
        key = call.caller.key
        held = self._held.now
        if key is None or not held:
            return call
        server = BUILT_IN.get(call.server)
        own = held.get((key, server.vendor)) if server is not None else None
        if own is None or not self._fleet.owns(call.server):
            return call
        secret = own.value()
        return replace(call, audience=fingerprint_of(secret), credentials={own.vendor: secret})


def _held_in(configuration: Configuration) -> Mapping[tuple[str, str], _Own]:
    every = [each for entry in configuration.keys for each in _owned(entry)]
    return {(each.key, each.vendor): each for each in every}


def must_have_credentials(configuration: Configuration) -> None:
    """Raise ConfigurationError for a key whose credential stands in a variable that is not set."""
    for entry in configuration.keys:
        for own in _owned(entry):
            try:
                own.value()
            except CredentialsMissing as missing:
                raise ConfigurationError(
                    f"keys.{own.key}.credentials.{own.vendor}: {missing.message} {missing.hint}"
                ) from None


def _owned(entry: KeyEntry) -> list[_Own]:
    return [_own(entry.id, vendor, secret) for vendor, secret in entry.credentials.items()]


def _own(key: str, vendor: str, secret: Secret) -> _Own:
    if isinstance(secret, SecretStr):
        where = f"keys.{key}.credentials.{vendor}"
        return _Own(key, vendor, where, fixed=secret.get_secret_value())
    return _Own(key, vendor, secret.from_env, live=LiveSecret(secret.from_env))
