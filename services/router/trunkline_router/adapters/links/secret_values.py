"""Headers and variables of an entry as they are now: each secret is read where it stands."""

from collections.abc import Iterator, Mapping

from pydantic import SecretStr

from trunkline_router.configuration.entries import FromEnvironment
from trunkline_shared.errors import CredentialsMissing
from trunkline_shared.live_secret import LiveSecret
from trunkline_shared.settings import FILE_SUFFIX

Given = str | SecretStr | FromEnvironment


class SecretValues(Mapping[str, str]):
    """Values by name; one that stands in a variable, or in its file, is read at each use.

    Reading one whose variable is missing raises CredentialsMissing.
    """

    def __init__(
        self, server: str, section: str, given: Mapping[str, Given], env: Mapping[str, str] | None
    ) -> None:
        self._server = server
        self._section = section
        self._given = dict(given)
        self._live = {
            name: LiveSecret(value.from_env, env=env)
            for name, value in given.items()
            if isinstance(value, FromEnvironment)
        }

    def __getitem__(self, name: str) -> str:
        given = self._given[name]
        if isinstance(given, str):
            return given
        if isinstance(given, SecretStr):
            return given.get_secret_value()
        value = self._live[name].get()
        if value is None:
            raise self._missing(name, given.from_env)
        # A token alone is no value of this header, RFC 9110, 11.6.2.
        is_token = name.lower() == "authorization" and len(value.split()) == 1
        return f"Bearer {value}" if is_token else value

    def __iter__(self) -> Iterator[str]:
        return iter(self._given)

    def __len__(self) -> int:
        return len(self._given)

    def _missing(self, name: str, variable: str) -> CredentialsMissing:
        return CredentialsMissing(
            f"Server {self._server!r} needs {variable}, which is not set.",
            hint=f"Set {variable} or {variable}{FILE_SUFFIX} where the router runs; "
            f"servers.{self._server}.{self._section}.{name} names it.",
        )
