"""Cards: links that Jira shows with a title, a preview, or the issues of a search."""

from trunkline_jira.adf.node import Node, attributes, said
from trunkline_jira.adf.reader import Reader
from trunkline_shared.markdown.document import Blocks, Inlines, Link, Paragraph, Text


def link_to_card(reader: Reader, node: Node) -> Inlines:
    """Return a link; a card says where it leads by `url`, or by `data` as JSON-LD."""
    data = attributes(node.attrs.get("data"))
    url = node.attr("url") or said(data.get("url")) or said(data.get("@id"))
    name = said(data.get("name"))
    if url:
        return (Link(url, (Text(name or url),)),)
    reader.lose(node.type)
    return (Text(name),) if name else ()


def block_card(reader: Reader, node: Node) -> Blocks:
    """Return the link of a card that fills a line; what a search in it finds is not shown."""
    if attributes(node.attrs.get("datasource")):
        reader.lose(node.type)
    return _line(reader, node)


def embed_card(reader: Reader, node: Node) -> Blocks:
    """Return the link of a page within the page; the page itself is not shown."""
    reader.lose(node.type)
    return _line(reader, node)


def _line(reader: Reader, node: Node) -> Blocks:
    content = link_to_card(reader, node)
    own: Blocks = (Paragraph(content),) if content else ()
    return own + reader.blocks(node.content)
