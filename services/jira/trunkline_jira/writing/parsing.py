"""GitHub-flavoured Markdown as tokens: CommonMark with tables, strikes, tasks, alerts, bare links.

HTML is left as the text it is. Specification: https://github.github.com/gfm/.
"""

import re
from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

DEEPEST = 60
"""Levels of lists (two each) and quotes that are parsed; markdown-it drops what lies below."""

_TASK = re.compile(r"\[([ xX])\][ \t]+(?=\S)")
_ALERT = re.compile(r"\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\n|\Z)", re.IGNORECASE)


def parsed(text: str) -> Sequence[Token] | None:
    """Return the tokens of a text, or None when it is nested too deep to be told apart."""
    tokens = _MARKDOWN.parse(text)
    if any(token.nesting == 1 and token.level >= DEEPEST - 1 for token in tokens):
        return None
    return tokens


def _mark_extensions(state: StateCore) -> None:
    """Move the markers of tasks and alerts from the text to the block that they speak of."""
    openings = zip(state.tokens, state.tokens[1:], state.tokens[2:], strict=False)
    for block, paragraph, inline in openings:
        if paragraph.type != "paragraph_open":
            continue
        if block.type == "list_item_open" and (task := _TASK.match(inline.content)):
            block.meta["checked"] = task[1] != " "
            inline.content = inline.content[task.end() :]
        if block.type == "blockquote_open" and (alert := _ALERT.match(inline.content)):
            block.meta["alert"] = alert[1].upper()
            inline.content = inline.content[alert.end() :]


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"linkify": True, "maxNesting": DEEPEST})
    parser.enable(["table", "strikethrough", "linkify"])
    parser.core.ruler.before("inline", "extensions", _mark_extensions)
    assert parser.linkify is not None
    parser.linkify.set({"fuzzy_link": False, "fuzzy_email": False})
    return parser


_MARKDOWN = _parser()
