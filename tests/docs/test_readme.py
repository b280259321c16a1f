"""What the README asks of a machine is what the project asks of it."""

import re
import sys

from tests.docs.pages import ROOT, text_of


def test_the_python_that_the_readme_asks_for_is_enough() -> None:
    """The README's minimum is the project's."""
    (major, minor) = re.findall(r"Python (\d+)\.(\d+) or newer", text_of("README.md"))[0]
    assert (int(major), int(minor)) <= sys.version_info[:2]
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'requires-python = ">={major}.{minor}"' in project
