"""What the benchmark's pull request changes: thirty files, as a feature touches them."""

from collections.abc import Sequence

from trunkline_shared.testing.github import ChangedFile

_PARTS = (
    "bench", "bolt", "carriage", "clamp", "dial", "frame", "gauge", "gear", "hinge", "lever",
    "nut", "plate", "rail", "screw", "shaft", "sleeve", "spring", "washer",
)  # fmt: skip
_TESTED = ("clamp", "gauge", "lever", "screw", "spring")

_MODULE = '''"""The {part}s of a widget, and what they may carry."""

from dataclasses import dataclass

from widgets.errors import Overloaded
from widgets.materials import Material
from widgets.units import Kilogram, NewtonMetre

SAFETY_FACTOR = 1.5


@dataclass(frozen=True)
class {kind}:
    """A {part} of one material; `torque` is what it was tightened with."""

    material: Material
    width_mm: float
    torque: NewtonMetre


def strength(of: {kind}) -> Kilogram:
    """Return what a {part} carries before it bends."""
    section = of.width_mm**2 / 4
    return Kilogram(section * of.material.yield_strength / SAFETY_FACTOR)


def carry(load: Kilogram, on: {kind}) -> Kilogram:
    """Put a load on a {part}; returns what it could still carry."""
    left = strength(on) - load
    if left < 0:
        raise Overloaded(f"the {part} bends under {{load}}")
    return left


def wears(of: {kind}, cycles: int) -> float:
    """Return by how many millimetres a {part} has worn after so many cycles."""
    return cycles * of.material.abrasion * of.width_mm / 1e6


def tighten(one: {kind}, torque: NewtonMetre) -> {kind}:
    """Return the {part} after it was turned with a torque."""
    return {kind}(material=one.material, width_mm=one.width_mm, torque=torque)


def is_loose(one: {kind}) -> bool:
    """Say whether a {part} wobbles."""
    return one.torque < one.material.least_torque
'''
_EDITS = (
    (
        "from widgets.errors import Overloaded\n",
        "from widgets.errors import Overloaded, Overtightened\n",
    ),
    ("SAFETY_FACTOR = 1.5\n", "SAFETY_FACTOR = 1.6\nLOCKED_ABOVE = NewtonMetre(12)\n"),
    (
        """    left = strength(on) - load
    if left < 0:
        raise Overloaded(f"the {part} bends under {{load}}")
    return left
""",
        """    left = strength(on) - load
    if is_loose(on):
        left -= load * on.material.play
    if left < 0:
        raise Overloaded(f"the {part} bends under {{load}}", part="{part}", load=load)
    return left
""",
    ),
    (
        "    return {kind}(material=one.material, width_mm=one.width_mm, torque=torque)\n",
        """    if torque > one.material.most_torque:
        raise Overtightened(f"the {part} breaks at {{torque}}", part="{part}")
    return replace(one, torque=torque, locked=torque > LOCKED_ABOVE)


def loosen(one: {kind}) -> {kind}:
    \"\"\"Return the {part} as it was made; one that is locked stays as it is.\"\"\"
    return one if one.locked else replace(one, torque=NewtonMetre(0))
""",
    ),
)
_TEST = '''"""What is promised of {part}s."""

import pytest

from widgets.errors import Overtightened
from widgets.{part} import LOCKED_ABOVE, {kind}, carry, is_loose, loosen, tighten


def test_a_{part}_that_is_tightened_does_not_wobble(steel_{part}: {kind}) -> None:
    """The least torque of its material is enough."""
    assert not is_loose(tighten(steel_{part}, steel_{part}.material.least_torque))


def test_a_{part}_can_be_loosened(steel_{part}: {kind}) -> None:
    """Nothing is left of the torque."""
    tight = tighten(steel_{part}, LOCKED_ABOVE)
    assert loosen(tight).torque == 0


def test_a_{part}_breaks(steel_{part}: {kind}) -> None:
    """More than the material bears is refused, and names the part."""
    with pytest.raises(Overtightened, match="{part}"):
        tighten(steel_{part}, steel_{part}.material.most_torque + 1)


@pytest.mark.parametrize("load", [1, 10, 39])
def test_a_loose_{part}_carries_less(steel_{part}: {kind}, load: int) -> None:
    """Its play is taken from what it carries."""
    tight = tighten(steel_{part}, LOCKED_ABOVE)
    assert carry(load, loosen(steel_{part})) < carry(load, tight)
'''
_DOCS = """# Tightening

A part is tightened with `tighten(part, torque)`. Above 12 Nm it is locked, and `loosen` leaves it
as it is: take a new one. Above the most torque of its material it breaks, which is
`Overtightened`.

| material | least torque | most torque |
|---|---|---|
| steel | 4 Nm | 30 Nm |
| brass | 3 Nm | 18 Nm |
| nylon | 1 Nm | 5 Nm |
"""
_LOG_BEFORE = "# Changelog\n\n## 2.3.0\n\n- Widgets have springs.\n- `carry` takes kilograms.\n"
_WORKFLOW = """name: CI
on: pull_request
jobs:
  test:
    strategy:
      matrix:
        os: [ubuntu-latest, macos-latest, windows-latest]
        python: {versions}
    runs-on: ${{{{ matrix.os }}}}
    steps:
      - uses: actions/checkout@v5
      - uses: actions/setup-python@v6
        with:
          python-version: ${{{{ matrix.python }}}}
      - run: pip install -e .[test]
      - run: pytest -v
"""


def changed_files() -> Sequence[ChangedFile]:
    """Return the thirty: modules, their tests, documentation, and some that have no patch."""
    return (*map(_module, _PARTS), *map(_test, _TESTED), *_others())


def _module(part: str) -> ChangedFile:
    names = {"part": part, "kind": part.capitalize()}
    after = _MODULE
    for old, new in _EDITS:
        after = after.replace(old, new)
    return ChangedFile(
        path=f"src/widgets/{part}.py",
        before=_MODULE.format(**names),
        after=after.format(**names),
    )


def _test(part: str) -> ChangedFile:
    text = _TEST.format(part=part, kind=part.capitalize())
    return ChangedFile(path=f"tests/test_{part}.py", after=text)


def _others() -> Sequence[ChangedFile]:
    errors = '"""What goes wrong with widgets."""\n\n\nclass Overloaded(Exception):\n    pass\n'
    longer = errors + "\n\nclass Overtightened(Exception):\n    pass\n"
    news = _LOG_BEFORE.replace(
        "\n\n## 2.3.0", "\n\n## 2.4.0\n\n- Parts above 12 Nm are locked.\n\n## 2.3.0"
    )
    return (
        ChangedFile(path="src/widgets/errors.py", before=errors, after=longer),
        ChangedFile(path="docs/tightening.md", after=_DOCS),
        ChangedFile(path="CHANGELOG.md", before=_LOG_BEFORE, after=news),
        ChangedFile(
            path=".github/workflows/ci.yml",
            before=_WORKFLOW.format(versions='["3.11", "3.12"]'),
            after=_WORKFLOW.format(versions='["3.11", "3.12", "3.13", "3.14"]'),
        ),
        ChangedFile(
            path="docs/loads.md",
            previous_path="docs/load-tables.md",
            before="# Load tables\n\nSee strength.\n",
            after="# Loads\n\nSee strength, and tightening.\n",
        ),
        ChangedFile(path="docs/torque.png", before="", after="", binary=True),
        ChangedFile(
            path="src/widgets/legacy_screw.py", before=_MODULE.format(part="screw", kind="Screw")
        ),
    )
