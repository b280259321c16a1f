"""The reference of variables is whole: each that is named anywhere is in it, and none besides."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.pages import ROOT
from tests.docs.settings_elsewhere import ELSEWHERE
from tests.docs.settings_reference import SECTIONS, known, reference, said_of
from trunkline_shared.settings import FILE_SUFFIX, Settings, variable_name

NAME = re.compile(
    r"(?<![\w$-])(?:TRUNKLINE|OTEL|GITHUB|GH|JIRA|BASECAMP|XDG|SSL|COMPOSE|DOCKER)_[A-Z0-9_]*[A-Z0-9]\b"
    r"(?![*…])"
)
WHERE = ("*.py", "*.md", "*.yaml", "*.yml", "*Dockerfile", "Makefile", "*.sh")
NOT_OURS = (".ci/", "bench/", "docs/adr/", "docs/proofs/", "observability/", "tests/")
OTHERS = {
    "GITHUB_API_URL": "a constant of the code",
    "COMPOSE_PROJECT": "a constant of the code",
}
"""What looks like a variable of ours and is none."""
OF_FILES = {"SSL_CERT_FILE"}


def named() -> dict[str, str]:
    """Return each variable that a tracked file names, and one such file."""
    listed = subprocess.run(
        ["git", "ls-files", *WHERE], cwd=ROOT, capture_output=True, text=True, check=True
    )
    found: dict[str, str] = {}
    for file in listed.stdout.split():
        if not file.startswith(NOT_OURS) and "/testing/" not in file and (ROOT / file).exists():
            for name in NAME.findall((ROOT / file).read_text(encoding="utf-8")):
                found.setdefault(name if name in OF_FILES else name.removesuffix(FILE_SUFFIX), file)
    return found


def ours(base: type[Settings] = Settings) -> Iterator[type[Settings]]:
    """Return the settings classes of the project, not those that tests make."""
    for one in base.__subclasses__():
        yield from ours(one)
        if one.__module__.startswith("trunkline_"):
            yield one


@pytest.mark.requirement("shipping.docs-settings")
def test_each_variable_that_is_named_anywhere_is_in_the_reference() -> None:
    """In the source, Compose, Kubernetes and the docs."""
    unknown = {name: file for name, file in named().items() if name not in known()}
    assert {name: file for name, file in unknown.items() if name not in OTHERS} == {}


@pytest.mark.requirement("shipping.docs-settings")
def test_each_variable_of_the_reference_is_read_by_something() -> None:
    """A row that is no field's is a name in the source, or one of another program's."""
    source = "\n".join(
        path.read_text(encoding="utf-8")
        for folder in ("shared", "services", "cli")
        for path in (ROOT / folder).rglob("*.py")
    ) + (ROOT / "compose.yaml").read_text(encoding="utf-8")
    unread = {row.name for row in ELSEWHERE if not re.search(rf"\b{row.name}\b", source)}
    assert {name for name in unread if not name.startswith("OTEL_")} == set()


@pytest.mark.requirement("shipping.docs-settings")
def test_each_field_is_explained_once() -> None:
    """Where it is declared; a variable that several classes read, by one of them."""
    assert {one for one in ours() if said_of(one)} == set(SECTIONS)
    said = [variable_name(one, field) for one in SECTIONS for field in said_of(one)]
    assert sorted(said) == sorted(set(said))
    read = {variable_name(one, field) for one in ours() for field in one.model_fields}
    assert read == set(said)


def test_a_row_is_one_line() -> None:
    """And ends as a sentence does."""
    for row in reference():
        assert row.meaning.endswith((".", ")."))
        assert "\n" not in row.meaning
        assert Path(row.name).name == row.name
