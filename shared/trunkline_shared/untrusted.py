"""Text from strangers on its way to a model: what cannot be seen must not be read.

Invisible and bidirectional characters are stripped from prose (`sanitize`); in diffs, logs and
suggestions, where stripping would hide an attack, they are shown and counted (`visible_escapes`).
"""

import re
import unicodedata

_HIDDEN = "\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"
_TAGS = "\U000e0000-\U000e007f"
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_ZWJ = "\u200d"
_EMOJI_SELECTOR = "\ufe0f"
_KEYCAP_BASES = frozenset("#*0123456789")

_SUSPECT = re.compile(f"[{_HIDDEN}{_TAGS}{_SELECTORS}]")


def sanitize(text: str) -> str:
    """Strip invisible and bidirectional characters.

    Joiners and variation selectors inside emoji, and selectors after ideographs, stay: without
    them the text would look different to a person.
    """
    if text.isascii():
        return text
    return _SUSPECT.sub(lambda m: m[0] if _belongs(text, m.start()) else "", text)


def visible_escapes(text: str) -> tuple[str, int]:
    r"""Show each such character as `\u{HEX}`; returns the text and how many there were."""
    if text.isascii():
        return text, 0
    count = 0

    def shown(match: re.Match[str]) -> str:
        nonlocal count
        if _belongs(text, match.start()):
            return match[0]
        count += 1
        return f"\\u{{{ord(match[0]):X}}}"

    return _SUSPECT.sub(shown, text), count


def _belongs(text: str, at: int) -> bool:
    """Whether the character at `at` is a needed part of what a person sees."""
    before = text[at - 1] if at else ""
    after = text[at + 1] if at + 1 < len(text) else ""
    if text[at] == _ZWJ:
        return _ends_emoji(text, at) and _is_emoji(after)
    if text[at] == _EMOJI_SELECTOR and before in _KEYCAP_BASES:
        return True
    if _is_selector(text[at]):
        return _is_emoji(before) or _is_ideograph(before)
    return False


def _ends_emoji(text: str, at: int) -> bool:
    before = text[at - 1] if at else ""
    if before == _EMOJI_SELECTOR:
        return at > 1 and _is_emoji(text[at - 2])
    return _is_emoji(before)


def _is_emoji(character: str) -> bool:
    return bool(character) and (
        unicodedata.category(character) == "So"
        or "\U0001f3fb" <= character <= "\U0001f3ff"
        or character in "\u203c\u2049\u2194\u2195\u2196\u2197\u2198\u2199\u00a9\u00ae"
    )


def _is_ideograph(character: str) -> bool:
    return bool(character) and unicodedata.name(character, "").startswith("CJK ")


def _is_selector(character: str) -> bool:
    return "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"
