"""A value in a JQL query: always quoted, so that no word, number or character is syntax.

https://support.atlassian.com/jira-software-cloud/docs/what-is-advanced-search-in-jira-cloud/
"""

import re

_ESCAPED = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_SPECIAL = re.compile(r'["\\\x00-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]')
"""What ends a string, and what Jira's lexer takes for no text: it has U+FFFF for the end."""


def quoted(value: str) -> str:
    """Return a value as a JQL string: reserved words and numbers as project keys need it too."""
    return f'"{_SPECIAL.sub(_escape, value)}"'


def quoted_list(values: tuple[str, ...]) -> str:
    """Return values as the operand of `in`."""
    return f"({', '.join(map(quoted, values))})"


def _escape(match: re.Match[str]) -> str:
    return _ESCAPED.get(match[0], f"\\u{ord(match[0]):04x}")
