"""Text from strangers on its way to a model: what cannot be seen must not be read.

Invisible and bidirectional characters are stripped from prose (`sanitize`); in diffs, logs and
suggestions, where stripping would hide an attack, they are shown and counted (`visible_escapes`).
"""

import re
import unicodedata

_HIDDEN = (
    "\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U0001d173-\U0001d17a"
)
_TAGS = "\U000e0000-\U000e007f"
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_ZWJ = "\u200d"
_EMOJI_SELECTORS = "\ufe0e\ufe0f"
_KEYCAP = "\u20e3"
_KEYCAP_BASES = frozenset("#*0123456789")
_SKIN_TONES = ("\U0001f3fb", "\U0001f3ff")
_EMOJI_BEYOND_SO = frozenset(
    "\u203c\u2049\u2139\u2194\u2195\u2196\u2197\u2198\u2199\u2934\u2935\u25fb\u25fc\u25fd\u25fe\u3030"
)

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
    """Whether the character at `at` is a needed part of what a person sees.

    One selector after an emoji or ideograph is; a chain of them spells hidden text.
    """
    before = text[at - 1] if at else ""
    after = text[at + 1] if at + 1 < len(text) else ""
    if text[at] == _ZWJ:
        return _ends_emoji(text, at) and _is_emoji(after)
    if text[at] in _EMOJI_SELECTORS:
        keycap = before in _KEYCAP_BASES and after == _KEYCAP
        return keycap or _is_emoji(before)
    return _is_ideograph_selector(text[at]) and _is_ideograph(before)


def _ends_emoji(text: str, at: int) -> bool:
    before = text[at - 1] if at else ""
    if before and before in _EMOJI_SELECTORS:
        return at > 1 and _is_emoji(text[at - 2])
    return _is_emoji(before)


def _is_emoji(character: str) -> bool:
    return bool(character) and (
        unicodedata.category(character) == "So"
        or _SKIN_TONES[0] <= character <= _SKIN_TONES[1]
        or character in _EMOJI_BEYOND_SO
    )


def _is_ideograph(character: str) -> bool:
    return bool(character) and unicodedata.name(character, "").startswith("CJK ")


def _is_ideograph_selector(character: str) -> bool:
    return "\ufe00" <= character <= "\ufe02" or "\U000e0100" <= character <= "\U000e01ef"
