"""twig's list of the repositories on this machine."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from trunkline_branch_context.json_file import JsonFiles, wrong_shape
from trunkline_shared.clock import Clock

REGISTRY = "twig/registry.json"


class RegisteredRepository(BaseModel):
    """One repository that twig knows."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    path: str
    name: str
    last_fetch: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Registry:
    """The repositories in the order of the file; `warnings` say what was skipped."""

    repositories: Sequence[RegisteredRepository] = ()
    warnings: Sequence[str] = ()


class RegistryReader:
    """Reads the registry at `path`; no file is an empty one."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self._path = path
        self._files = JsonFiles(parse_registry, REGISTRY, clock)

    async def read(self) -> Registry:
        """Return the registry.

        Raises NoTwigState.
        """
        return await self._files.read(self._path) or Registry()


def parse_registry(content: object) -> Registry:
    """Return the registry in a parsed file, skipping entries that make no sense.

    Raises NoTwigState when it is not a list.
    """
    if not isinstance(content, list):
        raise wrong_shape(REGISTRY, "the whole file", "a list")
    repositories: list[RegisteredRepository] = []
    warnings: list[str] = []
    for at, value in enumerate(content):
        try:
            repositories.append(RegisteredRepository.model_validate(value))
        except ValidationError:
            warnings.append(f"{REGISTRY}: [{at}] was skipped (it names no path or no name)")
    return Registry(repositories=repositories, warnings=warnings)


def exists(repository: RegisteredRepository) -> bool:
    """Whether the repository is still where twig saw it."""
    try:
        return Path(repository.path).is_dir()
    except (OSError, ValueError):
        return False
