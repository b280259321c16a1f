"""Where a text may be cut so that no visible character is broken."""

import unicodedata

_JOINER = "\u200d"
_LONGEST_CLUSTER = 64


def whole_before(text: str, at: int) -> int:
    """Return the nearest offset at or before `at` that lies between two grapheme clusters.

    A cluster longer than 64 code points is cut anyway (Unicode UAX #29 sets no bound).
    """
    for offset in range(at, max(-1, at - _LONGEST_CLUSTER), -1):
        if not _joined(text, offset):
            return offset
    return at


def _joined(text: str, at: int) -> bool:
    if at <= 0 or at >= len(text):
        return False
    before, after = text[at - 1], text[at]
    if (before, after) == ("\r", "\n"):
        return True
    if before in "\r\n" or after in "\r\n":
        return False
    return _extends(after) or before == _JOINER or _splits_flag(text, at)


def _extends(character: str) -> bool:
    return (
        character == _JOINER
        or "\U0001f3fb" <= character <= "\U0001f3ff"  # skin tones
        or "\U000e0020" <= character <= "\U000e007f"  # tags of regional flags
        or "\u1160" <= character <= "\u11ff"  # Hangul vowels and finals
        or unicodedata.category(character) in {"Mn", "Mc", "Me"}
    )


def _splits_flag(text: str, at: int) -> bool:
    """Say whether `at` parts two regional indicators that make one flag."""
    if not (_is_regional(text[at - 1]) and _is_regional(text[at])):
        return False
    run = 0
    while run < at and run < _LONGEST_CLUSTER and _is_regional(text[at - 1 - run]):
        run += 1
    return run % 2 == 1


def _is_regional(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"
