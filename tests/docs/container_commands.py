"""What the docs have a reader type into docker and kubectl: verbs, services, profiles, paths."""

import argparse
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import yaml

from tests.docs.pages import ROOT
from tests.docs.parsing import Parser, UnknownCommand

_DOCKER = """
build buildx compose container cp exec history image images inspect load login logs network ps pull
push rm run save secret stats tag version volume
"""
_COMPOSE = """
build config cp down exec images kill logs ls port ps pull push restart rm run start stop top up
version wait
"""
_OF_SERVICES = "exec kill logs port restart start stop up"
_KUBECTL = """
annotate apply auth config cordon create debug delete describe diff drain events exec explain get
kustomize label logs patch port-forward rollout scale set top uncordon version wait
"""


def docker(words: Sequence[str]) -> None:
    """Raises UnknownCommand."""
    _one_of(_DOCKER, words, "docker")
    if words[0] == "compose":
        _compose(words[1:])


def kubectl(words: Sequence[str]) -> None:
    """Raises UnknownCommand."""
    rest = list(words)
    while rest[:1] and rest[0] in {"-n", "--namespace", "--context"}:
        del rest[:2]
    _one_of(_KUBECTL, rest, "kubectl")
    for folder in re.findall(r"\bk8s/[\w./-]+", " ".join(rest)):
        if not (ROOT / folder).exists():
            raise UnknownCommand(f"there is no {folder}")


def _one_of(known: str, words: Sequence[str], program: str) -> None:
    if not words or words[0] not in known.split():
        raise UnknownCommand(f"{program} {' '.join(words[:1])}: not known")


def _compose(words: Sequence[str]) -> None:
    parser = Parser(prog="docker compose", allow_abbrev=False)
    parser.add_argument("--profile", action="append", default=[])
    for option in (("-f", "--file"), ("-p", "--project-name"), ("--env-file",)):
        parser.add_argument(*option, action="append")
    parser.add_argument("words", nargs=argparse.REMAINDER)
    given = parser.parse_args(words)
    services = _composed()["services"]
    profiles = {name for each in services.values() for name in each.get("profiles", ())}
    if unknown := set(given.profile) - profiles - {"*"}:
        raise UnknownCommand(f"compose.yaml has no profile {', '.join(unknown)}")
    _one_of(_COMPOSE, given.words, "docker compose")
    named = next((word for word in given.words[1:] if re.fullmatch(r"[a-z][a-z-]*", word)), None)
    ours = given.file is None and given.words[0] in _OF_SERVICES.split()
    if ours and named is not None and named not in services:
        raise UnknownCommand(f"compose.yaml has no service {named!r}")


@cache
def _composed() -> Mapping[str, Any]:
    composed: Mapping[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
    return composed
