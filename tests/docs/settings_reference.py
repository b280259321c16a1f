"""The reference of all variables, made of the settings classes and what their fields say."""

import ast
import importlib
import inspect
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path, PurePath
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import SecretStr
from pydantic.fields import FieldInfo

from tests.docs.pages import ROOT
from tests.docs.settings_elsewhere import COMMAND_LINE, ELSEWHERE, GITHUB, SYNC, Variable
from trunkline_branch_context.settings import BranchContextSettings
from trunkline_branch_context.sync.settings import SyncSettings
from trunkline_bridge.settings import BridgeSettings
from trunkline_cli.builtin import MODULES
from trunkline_jira.settings import JiraSettings
from trunkline_project_reader.settings import ProjectReaderSettings
from trunkline_project_reader.tokens.settings import BasecampTokenSettings
from trunkline_router.composition.live_configuration import APPLIED
from trunkline_router.configuration.metrics_export import MetricsExport
from trunkline_router.configuration.settings import RouterSettings
from trunkline_shared.github.settings import GitHubSettings
from trunkline_shared.listener import ServeSettings
from trunkline_shared.offer import OfferSettings
from trunkline_shared.service import Service
from trunkline_shared.settings import Settings, variable_name
from trunkline_shared.signing import SigningSettings
from trunkline_shared.store.settings import StoreSettings
from trunkline_shared.telemetry.settings import TelemetrySettings

SECTIONS: Mapping[type[Settings], str] = {
    RouterSettings: "The router",
    SigningSettings: "The router",
    ServeSettings: "Every server",
    OfferSettings: "Every server",
    GitHubSettings: "GitHub",
    BasecampTokenSettings: "Basecamp",
    ProjectReaderSettings: "Basecamp",
    JiraSettings: "Jira",
    BranchContextSettings: "The checkout",
    SyncSettings: "The checkout",
    BridgeSettings: "The bridge",
    StoreSettings: "What is shared and what outlives a process",
    TelemetrySettings: "Traces, metrics and logs",
    MetricsExport: "Traces, metrics and logs",
}
"""Where what a class declares is told."""
HEAD = "| variable | default | values | read by | | meaning |\n|---|---|---|---|---|---|"
_READ_BY_COMMANDS = re.compile(r"\bvariable\(\s*\"([A-Z_]+)\"")


@cache
def reference() -> Sequence[Variable]:
    """Return a row for each variable, in the order of the sections and of their fields."""
    return (*dict(_declared()).values(), *ELSEWHERE)


def known() -> frozenset[str]:
    """Return the names of all variables, without `_FILE`."""
    return frozenset(row.name for row in reference())


def settings_tables() -> str:
    """Return the reference as Markdown, a table for each section."""
    rows = reference()
    sections = dict.fromkeys([*SECTIONS.values(), *(row.section for row in rows)])
    return "\n\n".join(
        "\n".join([f"## {section}", "", HEAD, *map(_line, _of(section, rows))])
        for section in sections
    )


def _of(section: str, rows: Sequence[Variable]) -> list[Variable]:
    return [row for row in rows if row.section == section]


def _line(row: Variable) -> str:
    default = f"`{row.default}`" if row.default else ""
    known = {"secret": row.secret, "followed": row.followed, "no file": row.plain}
    marks = ", ".join(mark for mark, holds in known.items() if holds)
    cells = (f"`{row.name}`", default, row.values, ", ".join(row.read_by), marks, row.meaning)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _declared() -> Iterator[tuple[str, Variable]]:
    for settings, section in SECTIONS.items():
        said = said_of(settings)
        for field, info in settings.model_fields.items():
            if field in said:
                name = variable_name(settings, field)
                yield (
                    name,
                    Variable(
                        name=name,
                        section=section,
                        meaning=said[field],
                        read_by=_readers(name),
                        default=_default(info),
                        values=_values(field, info),
                        secret=SecretStr in _types(info.annotation),
                        followed=settings.__name__ != "OfferSettings" and _is_followed(name),
                    ),
                )


def said_of(settings: type[Settings]) -> Mapping[str, str]:
    """Return what stands beneath the fields that a class declares itself, on one line each."""
    (declared,) = ast.parse(inspect.getsource(settings)).body
    assert isinstance(declared, ast.ClassDef)
    said: dict[str, str] = {}
    for one, next_ in zip(declared.body, declared.body[1:], strict=False):
        if isinstance(one, ast.AnnAssign) and isinstance(next_, ast.Expr):
            assert isinstance(one.target, ast.Name)
            said[one.target.id] = " ".join(str(ast.literal_eval(next_.value)).split())
    return said


def _is_followed(variable: str) -> bool:
    return variable in {variable_name(RouterSettings, field) for field in APPLIED}


@cache
def _reading() -> Mapping[str, Sequence[type[Settings]]]:
    """Return which classes each process reads."""
    everywhere = (ServeSettings, StoreSettings, TelemetrySettings)
    servers: dict[str, tuple[type[Settings], ...]] = {}
    for module in MODULES.values():
        service: Service[Any] = importlib.import_module(module).SERVICE
        servers[service.container] = (service.settings, *everywhere)
    servers["project-reader"] = (*servers["project-reader"], SigningSettings)
    return {
        "router": (RouterSettings, MetricsExport, StoreSettings, TelemetrySettings),
        **servers,
        SYNC: (SyncSettings,),
    }


def variables_of(settings: type[Settings]) -> Collection[str]:
    """Return the variables that a class reads."""
    return {variable_name(settings, field) for field in settings.model_fields}


def _readers(variable: str) -> Sequence[str]:
    names = {
        process
        for process, classes in _reading().items()
        if any(variable in variables_of(one) for one in classes)
    }
    typed = COMMAND_LINE if variable in _typed() else ()
    first, last = (sorted(names & {one}) for one in ("router", SYNC))
    return [*first, *_servers(names - {"router", SYNC}), *last, *typed]


def _servers(names: Collection[str]) -> Sequence[str]:
    """Return the servers by the fewest words."""
    github = {
        process for process, classes in _reading().items() if issubclass(classes[0], GitHubSettings)
    }
    if len(names) == len(MODULES):
        return ["every server"]
    return [*GITHUB, *sorted(set(names) - github)] if github <= set(names) else sorted(names)


@cache
def _typed() -> Collection[str]:
    sources = (ROOT / "cli/trunkline_cli").rglob("*.py")
    return {name for path in sources for name in _READ_BY_COMMANDS.findall(path.read_text("utf-8"))}


def _default(info: FieldInfo) -> str:
    value = None if info.default_factory else info.default
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, PurePath | str):
        return str(value)
    return f"{value:.12g}" if isinstance(value, int | float) else ""


def _values(field: str, info: FieldInfo) -> str:
    types = _types(info.annotation)
    if bool in types:
        return "`1` or `0`"
    if int in types or float in types:
        return _number("seconds" if field.endswith("_s") else "number", info)
    container = get_origin(info.annotation)
    if container in {frozenset, tuple}:
        return "comma list"
    if container is Mapping:
        return "comma list of `id=URL`"
    return "path" if Path in types else "text"


def _number(what: str, info: FieldInfo) -> str:
    bounds = {
        name: getattr(bound, name)
        for bound in info.metadata
        for name in ("ge", "gt", "le")
        if getattr(bound, name, None) is not None
    }
    if "le" in bounds:
        return f"{what}, {bounds['ge']} to {bounds['le']}"
    return f"{what} above {bounds['gt']}" if "gt" in bounds else what


def _types(annotation: Any) -> Collection[Any]:
    if get_origin(annotation) in {Union, UnionType, Annotated}:
        return {inner for each in get_args(annotation) for inner in _types(each)}
    return {annotation}
