"""Configuration: environment variables, each also as `NAME_FILE`, read once at the door."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, EnvSettingsSource, SettingsConfigDict, SettingsError
from pydantic_settings import PydanticBaseSettingsSource as Source

FILE_SUFFIX = "_FILE"


class ConfigurationError(Exception):
    """The configuration cannot be used; the text names each key, its value and the fix."""


class _FileSource(EnvSettingsSource):
    """Values of `NAME_FILE` variables: the content of the file, without its last line break."""

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        for key, env_name, is_complex in self._extract_field_info(field, field_name):
            path = self.env_vars.get(env_name + FILE_SUFFIX.lower())
            if path:
                return _read(path, env_name.upper() + FILE_SUFFIX), key, is_complex
        return None, field_name, False


def files_named(settings: type["Settings"]) -> Mapping[str, Path]:
    """Return the files that `NAME_FILE` variables name, by the field that is read from each."""
    source = _FileSource(settings)
    return {
        name: Path(path)
        for name, info in settings.model_fields.items()
        for _, variable, _ in source._extract_field_info(info, name)  # noqa: SLF001 - an override's right
        if (path := source.env_vars.get(variable + FILE_SUFFIX.lower()))
    }


def _read(path: str, variable: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8").rstrip("\r\n")
    except OSError as error:
        raise ConfigurationError(
            f"{variable}={path}: the file cannot be read ({error.strerror}). "
            f"Point {variable} at a readable file, or unset it."
        ) from None


class Settings(BaseSettings):
    """What a process needs from its environment. Frozen; build it with `load`."""

    model_config = SettingsConfigDict(
        env_prefix="TRUNKLINE_", frozen=True, extra="ignore", populate_by_name=True
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: Source,
        env_settings: Source,
        dotenv_settings: Source,  # noqa: ARG003 - the overridden signature
        file_secret_settings: Source,  # noqa: ARG003 - the overridden signature
    ) -> tuple[Source, ...]:
        return init_settings, env_settings, _FileSource(settings_cls)


SettingsT = TypeVar("SettingsT", bound=Settings)


def load(settings: type[SettingsT], given: Mapping[str, object] | None = None) -> SettingsT:
    """Read `settings` from the environment, `given` values first.

    Raises ConfigurationError.
    """
    try:
        return settings.model_validate(dict(given)) if given else settings()
    except ValidationError as error:
        complaints = error.errors(include_url=False)
        raise ConfigurationError("\n".join(_line(settings, e) for e in complaints)) from None
    except SettingsError as error:
        if isinstance(error.__cause__, ConfigurationError):
            raise error.__cause__ from None
        raise ConfigurationError(str(error)) from None


def _line(settings: type[Settings], error: ErrorDetails) -> str:
    problem = error["msg"].removeprefix("Value error, ")
    if not error["loc"]:
        return f"{problem}."
    variable = variable_name(settings, str(error["loc"][0]))
    return f"{variable}={_shown(settings, error['loc'], error['input'])}: {problem}."


def variable_name(settings: type[Settings], field: str) -> str:
    """Return the environment variable of a field, given by its name or its alias."""
    info = settings.model_fields.get(field)
    if info is None:
        return field.upper()
    if isinstance(info.validation_alias, str):
        return info.validation_alias
    return f"{settings.model_config.get('env_prefix', '')}{field}".upper()


def _shown(settings: type[Settings], loc: tuple[int | str, ...], value: object) -> str:
    by_alias = {info.validation_alias: info for info in settings.model_fields.values()}
    name = loc[0] if loc else ""
    info = settings.model_fields.get(str(name)) or by_alias.get(str(name))
    secret = info is not None and "Secret" in str(info.annotation)
    return "(secret)" if secret else repr(value)
