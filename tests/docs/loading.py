"""Who takes the blocks that are read by a program: that program, or its own parser."""

import ast
import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import kubernetes_validate  # type: ignore[import-untyped]  # it has no types
import redis
import yaml

from tests.docs.pages import ROOT, Block
from tests.prometheus_programs import program
from tests.redis_process import running_redis
from trunkline_router.access.query_context import context_of_query
from trunkline_router.configuration.file import read_configuration
from trunkline_router.wire.refusal import Refused
from trunkline_shared.settings import ConfigurationError

REFUSALS = (
    AssertionError,
    ConfigurationError,
    Refused,
    kubernetes_validate.ValidationError,
    SyntaxError,
    ValueError,
    redis.ResponseError,
    yaml.YAMLError,
)


def load(kind: str, block: Block, folder: Path) -> None:
    """Have a block read by what it is for; any complaint is an AssertionError."""
    assert kind in KINDS, f"{block.place}: nobody loads {kind!r}; {', '.join(KINDS)}"
    try:
        KINDS[kind](block.text, folder)
    except REFUSALS as fault:
        raise AssertionError(f"{block.place}: {fault}") from None


def _trunkline(text: str, folder: Path) -> None:
    path = folder / "trunkline.yaml"
    path.write_text(text, encoding="utf-8")
    assert read_configuration(path).model_fields_set, "it says nothing"


def _json(text: str, _: Path) -> None:
    json.loads(text)


def _yaml(text: str, _: Path) -> None:
    assert list(yaml.safe_load_all(text))


def _toml(text: str, _: Path) -> None:
    assert tomllib.loads(text)


def _python(text: str, _: Path) -> None:
    """A part of a program: what it awaits stands in a coroutine of the reader's."""
    compile(text, "docs", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


def _context_urls(text: str, _: Path) -> None:
    for line in text.split():
        parts = urlsplit(line)
        assert parts.path.endswith("/mcp"), line
        assert context_of_query(parts.query).bindings, line


def _promql(text: str, folder: Path) -> None:
    rule = {"groups": [{"name": "docs", "rules": [{"record": "docs", "expr": text}]}]}
    path = folder / "rules.yaml"
    path.write_text(yaml.safe_dump(rule), encoding="utf-8")
    _ended(program("promtool"), "check", "rules", str(path))


def _prometheus(text: str, folder: Path) -> None:
    path = folder / "prometheus.yaml"
    path.write_text(text, encoding="utf-8")
    _ended(program("promtool"), "check", "config", "--syntax-only", str(path))


def _ended(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
    assert done.returncode == 0, done.stdout + done.stderr


def _redis_acl(text: str, _: Path) -> None:
    """Each line is what a server's file of users has; `PASSWORD` is what its reader chooses."""
    with (
        tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".acl") as users,
        running_redis("--aclfile", users.name) as server,
        server.look() as client,
    ):
        users.write(f"user default on nopass ~* &* +@all\n{text}")
        users.flush()
        client.acl_load()
        named = {line.split()[1] for line in text.splitlines() if line.startswith("user ")}
        assert named, "it names no user"
        assert named <= set(client.acl_users())


def _redis(text: str, folder: Path) -> None:
    """A part of redis.conf: a server starts with it."""
    path = folder / "redis.conf"
    path.write_text(text, encoding="utf-8")
    options = [word for line in text.splitlines() for word in _as_options(line)]
    with running_redis(*options) as server, server.look() as client:
        assert client.ping()


def _as_options(line: str) -> list[str]:
    name, *values = line.split() if line.strip() and not line.startswith("#") else [""]
    return [f"--{name}", *values] if name else []


def _compose(text: str, folder: Path) -> None:
    """A whole file, or one that is laid over the project's own."""
    given: Mapping[str, Any] = yaml.safe_load(text)
    ours = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    assert isinstance(given, dict)
    assert given.keys() <= {"name", "include", "services", "networks", "volumes", "secrets"}
    for name, service in given.get("services", {}).items():
        assert name in ours["services"] or {"image", "build"} & service.keys(), f"what is {name}?"
    if _has_compose():
        path = folder / "compose.override.yaml"
        path.write_text(text, encoding="utf-8")
        files = (f"--file={ROOT / 'compose.yaml'}", f"--file={path}")
        _ended("docker", "compose", *files, "config", "--quiet")


def _has_compose() -> bool:
    """Say whether docker is here, and its plugin with it."""
    if shutil.which("docker") is None:
        return False
    asked = subprocess.run(["docker", "compose", "version"], capture_output=True, check=False)
    return asked.returncode == 0


def _kubernetes(text: str, _: Path) -> None:
    """Manifests; of a kustomization, what it takes from this project's is there."""
    for manifest in yaml.safe_load_all(text):
        assert {"apiVersion", "kind"} <= manifest.keys(), "a manifest has apiVersion and kind"
        if manifest["kind"] != "Kustomization":
            kubernetes_validate.validate(manifest, "1.34", strict=True)
        for part in (*manifest.get("resources", ()), *manifest.get("components", ())):
            path = Path(os.path.normpath(ROOT / "k8s/overlays/yours" / part))
            assert path.exists() or not part.startswith(".."), f"there is no {part}"


def _caddy(text: str, _: Path) -> None:
    """Sites and their blocks: what opens one ends its line, what closes one has its own."""
    depth = 0
    for line in filter(None, map(str.strip, text.splitlines())):
        depth += line.endswith("{") - (line == "}")
        assert depth >= 0, "a block is closed that was never opened"
    assert depth == 0, "a block is never closed"


def _nginx(text: str, folder: Path) -> None:
    """The same, and each directive ends with a semicolon."""
    _caddy(text, folder)
    for line in filter(None, map(str.strip, text.splitlines())):
        assert line[-1] in "{};", f"{line}: a directive ends with a semicolon"


def _dockerfile(text: str, folder: Path) -> None:
    """As hadolint reads it."""
    path = folder / "Dockerfile"
    path.write_text(text, encoding="utf-8")
    _ended(str(Path(sys.executable).with_name("hadolint")), str(path))


KINDS: Mapping[str, Callable[[str, Path], None]] = {
    "trunkline": _trunkline,
    "json": _json,
    "yaml": _yaml,
    "toml": _toml,
    "python": _python,
    "context-urls": _context_urls,
    "promql": _promql,
    "prometheus": _prometheus,
    "redis-acl": _redis_acl,
    "redis": _redis,
    "compose": _compose,
    "kubernetes": _kubernetes,
    "caddy": _caddy,
    "nginx": _nginx,
    "dockerfile": _dockerfile,
}
