"""CHANGELOG.md: what is unreleased, and how it comes to stand under a version."""

import re

from release.refusing import Refused

_UNRELEASED = "## Unreleased"
_SECTION = re.compile(r"^## .*$", re.MULTILINE)


def unreleased(text: str) -> str:
    """Return what stands under Unreleased. Raises Refused if that heading is not there."""
    begin, end = _span(text)
    return text[begin:end].strip()


def released(text: str, version: str, date: str) -> str:
    """Return the text with what is unreleased under a version and its date (ISO 8601).

    Raises Refused if there is nothing.
    """
    begin, end = _span(text)
    entries = text[begin:end].strip()
    if not any(line.startswith("- ") for line in entries.splitlines()):
        raise Refused(
            f"CHANGELOG.md says nothing under {_UNRELEASED!r}: write there what changes for those"
            " who upgrade."
        )
    rest = text[end:]
    return f"{text[:begin]}\n\n## {version} - {date}\n\n{entries}\n" + (rest and f"\n{rest}")


def notes(text: str, version: str) -> str:
    """Return what stands under a version, without its heading; nothing if it is not there."""
    heading = re.search(rf"^## {re.escape(version)} - .*$", text, re.MULTILINE)
    if heading is None:
        return ""
    following = _SECTION.search(text, heading.end())
    return text[heading.end() : following.start() if following else len(text)].strip()


def _span(text: str) -> tuple[int, int]:
    heading = re.search(rf"^{_UNRELEASED}$", text, re.MULTILINE)
    if heading is None:
        raise Refused(
            f"CHANGELOG.md has no heading {_UNRELEASED!r}: put one above the first version's."
        )
    following = _SECTION.search(text, heading.end())
    return heading.end(), following.start() if following else len(text)
