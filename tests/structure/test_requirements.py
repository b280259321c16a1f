"""Each promise has a test, and each test that names a promise names one that exists."""

import ast
from pathlib import Path

from tests.requirements import REQUIREMENTS

TESTS = Path(__file__).parents[1]


def _ids(decorator: ast.expr) -> list[str]:
    if not isinstance(decorator, ast.Call) or not isinstance(decorator.func, ast.Attribute):
        return []
    if decorator.func.attr != "requirement":
        return []
    return [str(ast.literal_eval(argument)) for argument in decorator.args]


def named_by_tests() -> set[str]:
    found: set[str] = set()
    for path in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            found.update(name for mark in _marks(node) for name in _ids(mark))
    return found


def _marks(node: ast.AST) -> list[ast.expr]:
    """Return a test's marks, or those that a module gives to all of its tests or has a name for."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return node.decorator_list
    if isinstance(node, ast.Assign):
        return node.value.elts if isinstance(node.value, ast.List) else [node.value]
    return []


def test_every_promise_has_a_test() -> None:
    """A promise that nothing proves is none."""
    assert sorted(REQUIREMENTS.keys() - named_by_tests()) == []


def test_every_promise_that_a_test_names_exists() -> None:
    """A typo proves nothing."""
    assert sorted(named_by_tests() - REQUIREMENTS.keys()) == []
