"""What a person would see of log lines: no timestamps, no terminal control, nothing hidden."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from trunkline_ci_status.log_lines import STAMP
from trunkline_shared.secrets import redact
from trunkline_shared.untrusted import visible_escapes

_STAMP = re.compile(rb"\A" + STAMP)
_SHAPE = b"0000-00-00T00:00:00.0000000Z "
_LENGTH = len(_SHAPE)
_AS_ZEROS = bytes.maketrans(b"123456789", b"000000000")
_RETURNS_AT_THE_END = re.compile(rb"(?m)\r+$")
_EARLIER_STATES = re.compile(rb"(?m)^[^\n]*\r")
_ANSI = re.compile(
    rb"\x1b(?:\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor movement
    rb"|\][^\x07\x1b\n]*(?:\x07|\x1b\\)"  # OSC: titles, hyperlinks
    rb"|[PX^_][^\x1b\n]*\x1b\\"  # DCS, SOS, PM, APC
    rb"|[ -/]+[0-~]|[0-Z\\^-~])?"  # the two- and three-byte ones; a lone escape goes too
)
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")
_KEY_BEGINS = re.compile(r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----")
_KEY_ENDS = re.compile(r"-----END (?:[A-Z]+ )*PRIVATE KEY-----")
_KEY_LINE = re.compile(r"[A-Za-z0-9+/=\s]{16,}")
_KEY = "[private key]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """Lines as they may be shown, and how many characters in them had been invisible."""

    lines: tuple[str, ...]
    invisible: int


def clean(lines: Sequence[bytes]) -> str:
    """Return raw lines, joined by line feeds, as text: as many lines, each in its last state.

    Dropped: GitHub's timestamps, what a carriage return overwrites, escape sequences. Invalid
    UTF-8 is replaced.
    """
    # Millions of lines may come by: the timestamp is told by its shape, the rest asked for once.
    text = b"\n".join([
        line[_LENGTH:] if line[:_LENGTH].translate(_AS_ZEROS) == _SHAPE else _STAMP.sub(b"", line)
        for line in lines
    ])
    if b"\r" in text:
        text = _RETURNS_AT_THE_END.sub(b"", text.replace(b"\r\n", b"\n"))
    if b"\r" in text:
        text = _EARLIER_STATES.sub(b"", text)
    if b"\x1b" in text:
        text = _ANSI.sub(b"", text)
    return text.decode("utf-8", "replace")


def show(lines: Sequence[bytes]) -> Shown:
    """Return raw lines as an agent may read them: hidden characters visible, secrets gone."""
    if not lines:
        return Shown(lines=(), invisible=0)
    # One by one: a substitution holds a hundred bytes for each escape sequence that it meets.
    text, invisible = visible_escapes("\n".join([clean([line]) for line in lines]))
    text, controls = _CONTROL.subn(lambda m: f"\\u{{{ord(m[0]):X}}}", text)
    open_lines = _without_keys(text.split("\n"))
    redacted = tuple(redact("\n".join(open_lines)).split("\n"))
    return Shown(lines=redacted, invisible=invisible + controls)


def _without_keys(lines: list[str]) -> list[str]:
    """Blank the lines of private keys, also of one whose beginning is not among the lines."""
    inside = False
    for at, line in enumerate(lines):
        if _KEY_ENDS.search(line):
            if not inside:
                _blank_before(lines, at)
            lines[at], inside = _KEY, False
        elif inside or _KEY_BEGINS.search(line):
            lines[at], inside = _KEY, True
    return lines


def _blank_before(lines: list[str], end: int) -> None:
    for at in range(end - 1, -1, -1):
        if not _KEY_LINE.fullmatch(lines[at]):
            return
        lines[at] = _KEY
