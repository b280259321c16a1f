"""Code as Markdown: spans and fenced blocks, with delimiters that the code does not hold."""

import re

_BACKTICKS = re.compile(r"`+")
_LINE_END = re.compile(r"\r\n?|\n")
_ODD_BACKSLASHES = re.compile(r"(?<!\\)\\(?:\\\\)*\|")
_NOT_IN_LANGUAGE = re.compile(r"[^\w.+#/-]")


def one_line(code: str) -> str:
    """Make line ends spaces, as in a span of code."""
    return _LINE_END.sub(" ", code).replace("\0", "\ufffd")


def code_span(line: str) -> str:
    """Set one line of code between backticks."""
    held = set(map(len, _BACKTICKS.findall(line)))
    fence = next("`" * count for count in range(1, len(held) + 2) if count not in held)
    if line.startswith("`") or line.endswith("`") or _loses_spaces(line):
        return f"{fence} {line} {fence}"
    return f"{fence}{line}{fence}"


def code_block(text: str, language: str) -> str:
    """Fence a block; of `language`, what can be a language's name stays."""
    code = _LINE_END.sub("\n", text).replace("\0", "\ufffd").removesuffix("\n")
    longest = max(map(len, _BACKTICKS.findall(code)), default=0)
    fence = "`" * max(3, longest + 1)
    name = _NOT_IN_LANGUAGE.sub("", language.strip().partition(" ")[0])
    return f"{fence}{name}\n{code}\n{fence}" if code else f"{fence}{name}\n{fence}"


def has_odd_backslashes(code: str) -> bool:
    """Whether a table's cell cannot hold `code` in backticks.

    GFM reads backslashes before pipes there, in code as well (its section 4.10).
    """
    return "\\|" in code and _ODD_BACKSLASHES.search(code) is not None


def _loses_spaces(line: str) -> bool:
    """Whether a renderer takes a space from each end: both have one, and there is more."""
    return line.startswith(" ") and line.endswith(" ") and line.strip(" ") != ""
