"""Names that GitHub would notify, made to notify nobody."""

import re

from trunkline_comment.markdown_blocks import blocks

# An entity for a zero-width space: GitHub shows the name and finds no mention in it.
_BREAK = "@&#8203;"
_CODE_OR_MENTION = re.compile(
    r"(?P<code>(?<!`)(?P<ticks>`+)(?!`)(?:(?!\n[ \t]*\n).)+?(?<!`)(?P=ticks)(?!`))"
    r"|(?<![\w/@.&;-])@(?=[A-Za-z0-9])",
    re.DOTALL,
)


def escape_mentions(body: str) -> str:
    """Break each `@name` and `@org/team` outside code; mail addresses and URLs stay as they are."""
    parsed = blocks(body)
    out: list[str] = []
    text: list[str] = []
    for number, line in enumerate(parsed.lines):
        if number in parsed.code:
            out.append(_broken("".join(text)))
            text.clear()
            out.append(line)
        else:
            text.append(line)
    return "".join([*out, _broken("".join(text))])


def _broken(text: str) -> str:
    return _CODE_OR_MENTION.sub(lambda m: m.group("code") or _BREAK, text)
