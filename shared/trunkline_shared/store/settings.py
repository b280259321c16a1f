"""Where the mesh's shared store is."""

from pathlib import Path
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator

from trunkline_shared.settings import Settings
from trunkline_shared.store.redis_url import HOW, parse


class StoreSettings(Settings):
    """`redis_url` empty means that each process keeps for itself. It may hold a password.

    What has to outlive the process is then kept in a directory: `state_dir`, else the
    `trunkline` directory of XDG_STATE_HOME, else that of `~/.local/state`.
    """

    redis_url: SecretStr = SecretStr("")
    state_dir: str = ""
    xdg_state_home: str = Field("", validation_alias="XDG_STATE_HOME")

    @field_validator("redis_url")
    @classmethod
    def _usable(cls, value: SecretStr) -> SecretStr:
        text = value.get_secret_value().strip()
        if text:
            try:
                parse(text)
            except ValueError as error:
                raise ValueError(f"this names no Redis ({error}); {HOW}") from None
        return SecretStr(text)

    @property
    def state_folder(self) -> Path:
        """Return the directory for what outlives the process; it may begin with `~`."""
        if given := self.state_dir.strip():
            return Path(given)
        state = Path(self.xdg_state_home)
        # The XDG specification has relative paths ignored.
        return (state if state.is_absolute() else Path("~/.local/state")) / "trunkline"

    @property
    def shown(self) -> str:
        """Return where the store is, without user, password and options."""
        parts = urlsplit(self.redis_url.get_secret_value())
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
