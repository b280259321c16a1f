"""Text in Markdown: a backslash where GFM would read syntax, and nowhere else."""

import re

from trunkline_shared.markdown.addresses import ENTITY, autolink

_SPACE = re.compile(r"[\x00-\x20\x7f]+")
# Every alternative begins with a literal: the engine then skips ordinary text quickly.
_SYNTAX = (
    r"`"
    r"|\\(?=[!-/:-@\[-`{-~]|\Z)"
    r"|\*(?:(?<! \*)|(?! ))"
    r"|~(?:(?<! ~)|(?! ))"
    r"|_(?!(?<=[^\W_]_)_?[^\W_])(?!(?<=[^\W_]__)[^\W_])"
    r"|<(?=[A-Za-z/!?]|[\d.#$%&'*+=^_`{|}~-][^ <>]*@|\Z)"
    rf"|{ENTITY}"
)
_ANYWHERE = re.compile(rf"({_SYNTAX}|\](?=\())")
_IN_BRACKETS = re.compile(rf"({_SYNTAX}|\[|\])")
# A match ends where the backslash goes.
_LINE_START = re.compile(
    r"\d{1,9}(?=[.)](?: |\Z))"
    r"|(?=\#{1,6}(?: |\Z)|[-+](?: |\Z)|>|[-:|][-:| ]*\Z|=+ *\Z)"
    r"|(?=\[)(?!\[(?![ xX]\]|[!^])[^\[\]\\]*\](?![(:]|\Z))"
)
_CLOSING_HASHES = re.compile(r"(?:\A|(?<= ))(?=#+\Z)")
# GFM makes links of these by itself and reads no escapes in them (its section 6.9).
_ADDRESS = re.compile(r"(?:https?|ftp)://[^ <]+|(?<![^\W_])www\.[^ <]+", re.IGNORECASE)
_ADDRESS_BEGINNING = re.compile(r"(?:https?|ftp)(?=://)|(?<![^\W_])www(?=\.)", re.IGNORECASE)
_VISIBLE = re.compile(r"[^\s<>]+")
_TRAILING = "?!.,:*_~'\""


def collapsed(text: str) -> str:
    """`text` with each run of white space and control characters as one space."""
    if "  " in text or not text.isprintable():
        return _SPACE.sub(" ", text)
    return text


def escaped(text: str, *, glued: bool = False) -> str:
    """Collapsed `text`, escaped; `glued` when something follows it without a space."""
    if "://" not in text and "www." not in text:
        return _backslashed(_ANYWHERE, text)
    pieces: list[str] = []
    end = 0
    for match in _ADDRESS.finditer(text):
        pieces.append(_plain(text[end : match.start()]))
        end = match.end()
        apart = not glued if end == len(text) else text[end] == " "
        bare = apart and _VISIBLE.fullmatch(match[0]) and _plain(match[0]) == match[0]
        pieces.append(match[0] if bare else _marked_address(match[0]))
    pieces.append(_plain(text[end:]))
    return "".join(pieces)


def escaped_in_brackets(text: str) -> str:
    """Collapsed `text` as the text of a link or an image."""
    return _backslashed(_IN_BRACKETS, text)


def escaped_at_line_start(line: str) -> str:
    """Escaped `line` (or its beginning), so that it begins no other block."""
    match = _LINE_START.match(line)
    return f"{line[: match.end()]}\\{line[match.end() :]}" if match else line


def escaped_at_heading_end(line: str) -> str:
    """Keep the hashes at the end of a heading's escaped text."""
    return _CLOSING_HASHES.sub(r"\\", line) if line.endswith("#") else line


def _backslashed(syntax: re.Pattern[str], text: str) -> str:
    """Split, as calling a function for each character found would cost twice as much."""
    pieces = syntax.split(text)
    if len(pieces) == 1:
        return text
    for at in range(1, len(pieces), 2):
        pieces[at] = "\\" + pieces[at]
    return "".join(pieces)


def _plain(text: str) -> str:
    return _backslashed(_ANYWHERE, text)


def _marked_address(address: str) -> str:
    """Write an address that GFM would not read as it is."""
    match = _VISIBLE.match(address)
    visible = match[0] if match else ""
    core = visible.rstrip(_TRAILING if "(" in visible else _TRAILING + ")")
    link = autolink(core)
    return link + _unlinked(address[len(core) :]) if link else _unlinked(address)


def _unlinked(text: str) -> str:
    pieces: list[str] = []
    end = 0
    for match in _ADDRESS_BEGINNING.finditer(text):
        pieces.append(_plain(text[end : match.end()]))
        end = match.end()
    pieces.append(_plain(text[end:]))
    return "\\".join(pieces)
