"""Pictures and files: named, never fetched.

Resolving media made other readers hang on issues full of pictures
(https://github.com/atlassian/atlassian-mcp-server/issues/145).
"""

from trunkline_jira.adf.marks import Run, spans, styles_of
from trunkline_jira.adf.node import Node, nodes_of
from trunkline_jira.adf.reader import Reader
from trunkline_shared.markdown.document import (
    Block,
    Blocks,
    Break,
    Emphasis,
    Image,
    Inline,
    Inlines,
    Paragraph,
    Text,
)


def media_inline(reader: Reader, node: Node) -> Inlines:
    """Return an image that has an address of its own, or else the name of an attachment."""
    url = node.attr("url") or node.attr("src")
    if url:
        return (Image(url, node.attr("alt") or node.attr("title")),)
    reader.lose(node.type)
    return (Text(_attachment(reader, node)),)


def media(reader: Reader, node: Node) -> Blocks:
    """Return a picture or file that fills a line."""
    return (Paragraph(_linked(reader, node)), *reader.blocks(node.content))


def media_single(reader: Reader, node: Node) -> Blocks:
    """Return a picture with its caption below it; a link around both is the picture's."""
    found: list[Block] = []
    for child in nodes_of(node.content):
        if child.type == "media":
            styles = styles_of(node.marks, reader.lose)
            found.append(Paragraph(spans([Run(styles, _linked(reader, child))])))
            found += reader.blocks(child.content)
        else:
            found += reader.blocks([child])
    return tuple(found)


def media_group(reader: Reader, node: Node) -> Blocks:
    """Return a row of files as one paragraph, each on its line."""
    lines: list[Inline] = []
    others: list[object] = []
    for child in nodes_of(node.content):
        if child.type != "media":
            others.append(child)
            continue
        lines += [Break(), *_linked(reader, child)]
        others += child.content
    own: Blocks = (Paragraph(tuple(lines[1:])),) if lines else ()
    return own + reader.blocks(others)


def caption(reader: Reader, node: Node) -> Blocks:
    """Return what is written below a picture."""
    return reader.prose(node.content, lambda content: Paragraph((Emphasis(content),)))


def _linked(reader: Reader, node: Node) -> Inlines:
    return spans([Run(styles_of(node.marks, reader.lose), media_inline(reader, node))])


def _attachment(reader: Reader, node: Node) -> str:
    """Return the file's name as its issue knows it, and what its writer called it."""
    identifier, alt = node.attr("id"), node.attr("alt")
    name = reader.media.get(identifier, "") or node.attr("__fileName")
    if name and alt and alt != name:
        return f"[attachment: {name} ({alt})]"
    return f"[attachment: {name or alt or identifier or 'unnamed'}]"
