"""Nodes that stand in a line of text: mentions, dates, cards and the like."""

from datetime import UTC, datetime, timedelta

from trunkline_jira.adf.cards import link_to_card
from trunkline_jira.adf.extensions import inline_extension
from trunkline_jira.adf.media import media_inline
from trunkline_jira.adf.node import Node
from trunkline_jira.adf.reader import InlineForm, Reader, unknown_inline
from trunkline_shared.markdown.document import Break, Code, Emphasis, Inline, Inlines, Text

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def _text(_: Reader, node: Node) -> Inlines:
    """Text; a line feed in it is shown as one."""
    if "\n" not in node.text:
        return (Text(node.text),) if node.text else ()
    found: list[Inline] = []
    for line in node.text.split("\n"):
        found += [Break(), Text(line)] if line else [Break()]
    return tuple(found[1:])


def _hard_break(_reader: Reader, _node: Node) -> Inlines:
    return (Break(),)


def _mention(_: Reader, node: Node) -> Inlines:
    name = (node.attr("text") or node.attr("id")).removeprefix("@")
    return (Text(f"@{name}"),)


def _emoji(_: Reader, node: Node) -> Inlines:
    shown = node.attr("text") or node.attr("shortName")
    return (Text(shown),) if shown else ()


def _date(_: Reader, node: Node) -> Inlines:
    """Return the day of a midnight in UTC, which is kept in milliseconds, as YYYY-MM-DD."""
    stamp = node.attr("timestamp")
    try:
        day = EPOCH + timedelta(milliseconds=float(stamp))
    except (ValueError, OverflowError):
        return (Text(stamp),) if stamp else ()
    return (Text(day.date().isoformat()),)


def _status(_: Reader, node: Node) -> Inlines:
    """Return the word of a lozenge: it is the state, and its colour only repeats it."""
    label = node.attr("text")
    return (Code(label),) if label else ()


def _prompt(_: Reader, node: Node) -> Inlines:
    """Text of a template that asks to be replaced."""
    asked = node.attr("text")
    return (Emphasis((Text(asked),)),) if asked else ()


INLINES: dict[str, InlineForm] = {
    "text": _text,
    "hardBreak": _hard_break,
    "mention": _mention,
    "emoji": _emoji,
    "date": _date,
    "status": _status,
    "inlineCard": link_to_card,
    "placeholder": _prompt,
    "mediaInline": media_inline,
    "inlineExtension": inline_extension,
    "unsupportedInline": unknown_inline,
    "confluenceUnsupportedInline": unknown_inline,
}
