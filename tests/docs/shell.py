"""A block of shell as the commands in it: enough of the language for what the docs show."""

import re
import shlex
import subprocess
from collections.abc import Iterator, Sequence

from tests.docs.pages import Block

_ENDS = frozenset(";&|\n()")
_KEYWORDS = frozenset({"!", "{", "}", "do", "done", "else", "fi", "if", "then", "until", "while"})
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=.*", re.DOTALL)
_SUBSTITUTION = re.compile(r"\$\(([^()]*)\)")
_HERE_DOCUMENT = re.compile(r"<<-?\s*['\"]?(\w+)['\"]?(.*?\n).*?^\s*\1$", re.DOTALL | re.MULTILINE)


def complaint_about(block: Block) -> str:
    """Return what bash says against the syntax of a block; empty when it takes it."""
    done = subprocess.run(
        ["bash", "-n"], input=block.text, capture_output=True, text=True, check=False, timeout=10
    )
    return done.stderr


def commands_in(text: str) -> Iterator[Sequence[str]]:
    """Return the words of each command, those within `$(…)` too, without what is assigned."""
    text = _HERE_DOCUMENT.sub(lambda found: found[2], text)
    while found := _SUBSTITUTION.search(text):
        yield from commands_in(found[1])
        text = text[: found.start()] + "SUBSTITUTED" + text[found.end() :]
    for words in _separated(text.replace("\\\n", " ")):
        named = list(words)
        while named and (named[0] in _KEYWORDS or _ASSIGNMENT.fullmatch(named[0])):
            del named[0]
        if named and named[0] != "for":
            yield named


def _separated(text: str) -> Iterator[Sequence[str]]:
    words: list[str] = []
    tokens = _tokens(text)
    for token in tokens:
        if set(token) <= set("<>&") and set(token) & set("<>"):
            next(tokens, None)
        elif set(token) <= _ENDS:
            yield words
            words = []
        elif token.startswith("#"):
            while next(tokens, "\n") != "\n":
                pass
            yield words
            words = []
        else:
            words.append(token)
    yield words


def _tokens(text: str) -> Iterator[str]:
    lexer = shlex.shlex(text, posix=True, punctuation_chars=";&|()<>\n")
    lexer.whitespace = " \t\r"
    lexer.whitespace_split = True
    lexer.commenters = ""
    return iter(lexer.get_token, None)
