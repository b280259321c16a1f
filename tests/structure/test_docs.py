"""The docs' generated tables say what the code says."""

import json
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.docs.settings_reference import settings_tables
from trunkline_router.cache.needed_events import BY_SHAPE
from trunkline_router.measures.catalogue import CATALOGUE
from trunkline_router.measures.names import sample_name
from trunkline_router.webhooks.github_events import SPOILS
from trunkline_shared import meta
from trunkline_shared.contracts import Policy
from trunkline_shared.errors import BY_CODE

ROOT = Path(__file__).parents[2]
UPDATE = os.environ.get("UPDATE_SNAPSHOTS") == "1"  # noqa: TID251 - how `make snapshots` asks


def errors_table() -> str:
    rows = [
        f"| `{code}` | {'yes' if kind.retryable_by_default else 'no'} | {kind.__doc__} |"
        for code, kind in BY_CODE.items()
    ]
    return "\n".join(["| code | retryable | meaning |", "|---|---|---|", *rows])


def tools_table() -> str:
    """Read the snapshots: the tools' public schemas, which another test holds to the code."""
    rows = [
        tool_row(path.stem, definition)
        for path in sorted((ROOT / "tests/snapshots").glob("*.json"))
        for definition in json.loads(path.read_text(encoding="utf-8"))
    ]
    head = "| server | tool | effect | toolset | write group | reused for | tags | time limit |"
    return "\n".join([head, "|---|---|---|---|---|---|---|---|", *rows])


def tool_row(server: str, definition: Mapping[str, Any]) -> str:
    policy = Policy.model_validate(definition["_meta"][meta.POLICY])
    declared = policy.reads or policy.writes
    tags = ", ".join(f"`{tag}`" for tag in declared.tags) if declared else ""
    reused = f"{policy.reads.ttl_s:g} s" if policy.reads and policy.reads.ttl_s else ""
    cells = [
        f"`{server}`",
        f"`{definition['name']}`",
        effect(definition["annotations"]),
        policy.toolset,
        policy.write_group or "",
        reused,
        tags,
        f"{policy.timeout_s:g} s",
    ]
    return "| " + " | ".join(cells) + " |"


def effect(annotations: Mapping[str, bool]) -> str:
    if annotations["readOnlyHint"]:
        return "reads"
    return "deletes" if annotations["destructiveHint"] else "writes"


def instruments_table() -> str:
    """Read the catalogue: what both renderings go by."""
    rows = [
        f"| `{instrument.name}` | `{sample_name(instrument)}` | {instrument.kind.value} | "
        f"{', '.join(f'`{label}`' for label in instrument.labels)} | {instrument.description} |"
        for instrument in CATALOGUE
    ]
    head = "| instrument | in Prometheus | kind | labels | |"
    return "\n".join([head, "|---|---|---|---|---|", *rows])


def events_table() -> str:
    rows = []
    for event, templates in sorted(SPOILS.items()):
        tags = ", ".join(f"`{tag.replace('{repo}', 'gh:{owner}/{repo}')}`" for tag in templates)
        name, _, action = event.partition(".")
        rows.append(f"| `{name}` | {action or 'any other' if _others(name) else 'any'} | {tags} |")
    return "\n".join(["| event of GitHub | action | spoils |", "|---|---|---|", *rows])


def _others(name: str) -> bool:
    return any(event.startswith(f"{name}.") for event in SPOILS)


def needed_table() -> str:
    rows = [
        f"| `{_named(shape)}` | {', '.join(f'`{kind}`' for kind in sorted(kinds))} |"
        for shape, kinds in BY_SHAPE.items()
    ]
    return "\n".join(["| tag | events of GitHub that must come |", "|---|---|", *rows])


def _named(shape: str) -> str:
    named = shape.replace("#", "#{number}").replace("@", "@{sha}").replace("/", "/{id}")
    return f"gh:{{owner}}/{{repo}}{named}"


@pytest.mark.parametrize(
    ("file", "part", "table"),
    [
        ("errors.md", "errors", errors_table),
        ("tools.md", "tools", tools_table),
        ("metrics.md", "instruments", instruments_table),
        ("webhooks.md", "needed", needed_table),
        ("webhooks.md", "events", events_table),
        ("settings.md", "settings", settings_tables),
    ],
)
def test_a_generated_table_is_up_to_date(file: str, part: str, table: Callable[[], str]) -> None:
    """`make snapshots` writes it anew."""
    path = ROOT / "docs" / file
    text = path.read_text(encoding="utf-8")
    block = f"<!-- generated: {part} -->\n\n{table()}\n\n<!-- /generated -->"
    fresh = re.sub(
        rf"<!-- generated: {part} -->.*?<!-- /generated -->", lambda _: block, text, flags=re.DOTALL
    )
    if UPDATE:
        path.write_text(fresh, encoding="utf-8")
    assert block in path.read_text(encoding="utf-8"), "review the diff of `make snapshots`"


def test_the_default_definitions_cost_few_tokens() -> None:
    """Every agent pays for them in every turn: tokens of four bytes, by server and in all."""
    costs = {
        path.stem: sum(
            len(definition["name"]) + len(definition["description"]) + len(schema)
            for definition in json.loads(path.read_text(encoding="utf-8"))
            if is_default(Policy.model_validate(definition["_meta"][meta.POLICY]))
            and (schema := json.dumps(definition["inputSchema"], separators=(",", ":")))
        )
        / 4
        for path in (ROOT / "tests/snapshots").glob("*.json")
    }
    assert {server: cost for server, cost in costs.items() if cost > 2500} == {}
    assert sum(costs.values()) <= 12_000


def is_default(policy: Policy) -> bool:
    return policy.toolset == "default" and policy.write_group is None


def test_names_fit_every_client() -> None:
    """Server and tool together within 48 characters, and no name stands twice in the mesh."""
    seen: set[str] = set()
    for path in sorted((ROOT / "tests/snapshots").glob("*.json")):
        for definition in json.loads(path.read_text(encoding="utf-8")):
            name = definition["name"]
            assert re.fullmatch(r"[A-Za-z0-9_-]+", path.stem + name)
            assert len(path.stem) + len(name) <= 48
            assert "__" not in path.stem
            assert name not in seen
            seen.add(name)
