"""Macros, apps and synced blocks: named in brackets, with whatever text they hold."""

from trunkline_jira.adf.node import Node
from trunkline_jira.adf.reader import Reader
from trunkline_shared.markdown.document import Blocks, Inlines, Paragraph, Text


def inline_extension(reader: Reader, node: Node) -> Inlines:
    """Return the name of a macro, and its text."""
    reader.lose(node.type)
    return (Text(_named("extension", node.attr("extensionKey"), node.attr("text"))),)


def extension(reader: Reader, node: Node) -> Blocks:
    """Return the name of a macro that fills a block, and what it holds."""
    return (Paragraph(inline_extension(reader, node)), *reader.blocks(node.content))


def sync_block(reader: Reader, node: Node) -> Blocks:
    """Return the name of a block whose text is kept elsewhere, and its copy if there is one."""
    reader.lose(node.type)
    name = Text(_named("synced block", node.attr("resourceId"), ""))
    return (Paragraph((name,)), *reader.blocks(node.content))


def frame(reader: Reader, node: Node) -> Blocks:
    """Return one of the bodies of a macro that has several."""
    reader.lose(node.type)
    return reader.blocks(node.content)


def _named(what: str, name: str, text: str) -> str:
    return f"[{': '.join(filter(None, (what, name, text)))}]"
