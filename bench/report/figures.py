"""All figures in one file, part by part: a part that runs alone replaces its own share."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import orjson
from pydantic import TypeAdapter

from bench.findings import Findings

_FILE = "figures.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A part's findings, and what they were measured on."""

    on: Mapping[str, str]
    findings: Findings


_KNOWN = TypeAdapter(dict[str, Measured])


def read(folder: Path) -> dict[str, Measured]:
    """Return what has been measured so far, by part."""
    file = folder / _FILE
    return _KNOWN.validate_json(file.read_bytes()) if file.exists() else {}


def write(folder: Path, known: Mapping[str, Measured]) -> None:
    """Keep all of it."""
    folder.mkdir(parents=True, exist_ok=True)
    plain: dict[str, Any] = {name: asdict(measured) for name, measured in known.items()}
    text = orjson.dumps(plain, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    (folder / _FILE).write_bytes(text)
