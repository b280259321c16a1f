"""What a line of a campfire says, as Markdown."""

import re

from trunkline_project_reader.basecamp.campfire import SentLine
from trunkline_project_reader.bodies import RichText
from trunkline_shared.markdown.document import Block, Break, CodeBlock, Inline, Paragraph, Text
from trunkline_shared.markdown.writer import to_markdown
from trunkline_shared.untrusted import sanitize

_TEXT, _CODE = "Chat::Lines::Text", "Chat::Lines::Code"
_MARKUP = re.compile(r"</[a-z][a-z0-9-]*>|<br ?/?>|&(?:lt|gt|amp|quot|#39|nbsp);", re.IGNORECASE)


def rich_text(line: SentLine) -> RichText | None:
    """Return the line's text when it is HTML.

    Lines of text and code are plain, so that a `<` in them is one; some clients' are HTML even so.
    """
    is_plain = line.type in {_TEXT, _CODE} and _MARKUP.search(line.content) is None
    return None if is_plain else RichText(html=line.content)


def plain_text(line: SentLine) -> str:
    """Return a line that is not HTML as Markdown that shows the same."""
    text = sanitize(line.content)
    block: Block = CodeBlock(text) if line.type == _CODE else _paragraph(text)
    return to_markdown((block,)) if text.strip() else ""


def _paragraph(text: str) -> Paragraph:
    content: list[Inline] = []
    for line in text.splitlines():
        content += [Break(), Text(line)]
    return Paragraph(tuple(content[1:]))
