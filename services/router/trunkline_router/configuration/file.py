"""Reading `trunkline.yaml`: the file to a Configuration, or to a message that says what to mend."""

import difflib
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import UnionType
from typing import Any, TypeGuard, Union, get_args, get_origin

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from trunkline_router.configuration.entries import Configuration
from trunkline_shared.settings import ConfigurationError

DEFAULT_NAME = "trunkline.yaml"


def configuration_path(named: str) -> Path | None:
    """Return the file that TRUNKLINE_CONFIG names, else the one in this directory if it is there.

    Raises ConfigurationError when the named file is not there.
    """
    if named:
        path = Path(named).expanduser()
        if not path.is_file():
            raise ConfigurationError(
                f"TRUNKLINE_CONFIG={named}: there is no such file; name the configuration, or "
                "unset TRUNKLINE_CONFIG"
            )
        return path
    path = Path(DEFAULT_NAME)
    return path if path.is_file() else None


def read_configuration(path: Path | None, *, may_be_blank: bool = True) -> Configuration:
    """Return what a file says; without one, the defaults. Raises ConfigurationError.

    A file that must not be blank is one that was not: somebody has begun to write it anew.
    """
    if path is None:
        return Configuration()
    content = _content(path, may_be_blank=may_be_blank)
    try:
        return Configuration.model_validate({} if content is None else content)
    except ValidationError as error:
        complaints = error.errors(include_url=False)
        lines = dict.fromkeys(f"{path}: {_line(each)}" for each in complaints)
        raise ConfigurationError("\n".join(lines)) from None


def _content(path: Path, *, may_be_blank: bool) -> object:
    try:
        text = path.read_text(encoding="utf-8")
        if not may_be_blank and not text.strip():
            raise ConfigurationError(f"{path}: the file is empty; write {{}} for the defaults")
        # A loader of its own makes no more of the text than the safe one does.
        return yaml.load(text, _EachKeyOnce)  # noqa: S506 - it is the safe loader
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path}: the file cannot be read ({error})") from None
    except yaml.YAMLError as error:
        raise ConfigurationError(f"{path}: this is no YAML: {_place(error)}") from None
    except RecursionError:
        raise ConfigurationError(f"{path}: the file is nested too deeply") from None
    except (ValueError, LookupError, AttributeError) as error:
        # What looks like a date or a number and is none, which the loader does not catch itself.
        raise ConfigurationError(f"{path}: a value is not what it looks like: {error}") from None


class _EachKeyOnce(yaml.SafeLoader):
    """The safe loader, to which a key that comes twice is an error: one of both would be lost."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002 - the overridden signature
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.tag != _MERGE:
                if key.value in seen:
                    problem = f"the key {key.value!r} comes twice"
                    raise yaml.MarkedYAMLError(problem=problem, problem_mark=key.start_mark)
                seen.add(key.value)
        return super().construct_mapping(node, deep)


_MERGE = "tag:yaml.org,2002:merge"


def _place(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or "it cannot be parsed"
    return f"line {mark.line + 1}: {problem}" if mark is not None else str(problem)


def _line(error: ErrorDetails) -> str:
    where = ".".join(str(part) for part in error["loc"])
    if error["type"] == "extra_forbidden":
        return f"{where}: unknown key{_nearest(error['loc'])}"
    problem = error["msg"].removeprefix("Value error, ")
    shown = "" if _is_secret(error["loc"]) or error["type"] == "missing" else _shown(error["input"])
    return f"{where or 'the file'}{shown}: {problem}"


def _shown(value: object) -> str:
    return f"={value!r}" if isinstance(value, str | int | float) else ""


def _is_secret(loc: Sequence[int | str]) -> bool:
    return bool({"headers", "credentials", "env", "hash"} & {str(part) for part in loc})


def _nearest(loc: Sequence[int | str]) -> str:
    known = sorted(_keys_at(loc[:-1]))
    matches = difflib.get_close_matches(str(loc[-1]), known, n=1)
    meant = f"; did you mean {matches[0]!r}?" if matches else ""
    return f"{meant} Known: {', '.join(known)}" if meant else f"; known: {', '.join(known)}"


def _keys_at(loc: Sequence[int | str]) -> set[str]:
    """Return the keys that a section knows, found by walking the models along a location."""
    at: list[Any] = [Configuration]
    for part in loc:
        at = [inner for each in at for inner in _inside(each, str(part))]
    return {key for each in at if _is_model(each) for key in each.model_fields}


def _inside(annotation: object, part: str) -> Iterator[object]:
    if _is_model(annotation):
        info = annotation.model_fields.get(part)
        if info is not None:
            yield from _alternatives(info.annotation)
        elif part == annotation.__name__:
            yield annotation
    else:
        for each in get_args(annotation):
            yield from _alternatives(each)


def _alternatives(annotation: object) -> Iterator[object]:
    if get_origin(annotation) in {Union, UnionType}:
        for each in get_args(annotation):
            yield from _alternatives(each)
    else:
        yield annotation


def _is_model(annotation: object) -> TypeGuard[type[BaseModel]]:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)
