"""Where the mesh's shared store is."""

from pathlib import Path
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator

from trunkline_shared.settings import Settings
from trunkline_shared.store.redis_url import HOW, parse


class StoreSettings(Settings):
    """Redis, or a folder for what has to outlive the process."""

    redis_url: SecretStr = SecretStr("")
    """What several processes share is kept there; each keeps it for itself without it. A password
    may stand in it.
    """
    state_dir: str = ""
    """The folder for what outlives the process where there is no Redis."""
    xdg_state_home: str = Field("", validation_alias="XDG_STATE_HOME")
    """Where that folder is if it is not named: `trunkline` in it, else in `~/.local/state`."""

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
