"""Nodes that stand on their own: paragraphs, headings, panels and the like."""

from trunkline_jira.adf.cards import block_card, embed_card
from trunkline_jira.adf.extensions import extension, frame, sync_block
from trunkline_jira.adf.lists import LISTS
from trunkline_jira.adf.media import caption, media, media_group, media_single
from trunkline_jira.adf.node import Node, nodes_of, whole
from trunkline_jira.adf.reader import BlockForm, Reader, unknown_block
from trunkline_jira.adf.tables import TABLES
from trunkline_shared.markdown.document import (
    Alert,
    Blocks,
    Break,
    Code,
    CodeBlock,
    Heading,
    Image,
    Inline,
    Paragraph,
    Quote,
    Rule,
    Strong,
    Text,
)

PANELS: dict[str, Alert] = {
    "info": "NOTE",
    "note": "IMPORTANT",
    "tip": "TIP",
    "success": "TIP",
    "warning": "WARNING",
    "error": "CAUTION",
}


def _holder(reader: Reader, node: Node) -> Blocks:
    """Return what a node holds that looks like nothing itself."""
    return reader.blocks(node.content)


def _columns(reader: Reader, node: Node) -> Blocks:
    """Return columns one after the other."""
    reader.lose(node.type)
    return reader.blocks(node.content)


def _paragraph(reader: Reader, node: Node) -> Blocks:
    return reader.prose(node.content)


def _heading(reader: Reader, node: Node) -> Blocks:
    level = min(max(whole(node.attrs.get("level"), otherwise=1), 1), 6)
    return reader.prose(node.content, lambda content: Heading(level, content))


def _code_block(reader: Reader, node: Node) -> Blocks:
    nodes = nodes_of(node.content)
    if all(child.type == "text" and not child.content for child in nodes):
        text = "".join(child.text for child in nodes)
    else:
        text = "".join(_as_code(piece) for piece in reader.line(nodes))
    return (CodeBlock(text, language=node.attr("language")),) if text else ()


def _as_code(piece: Inline) -> str:
    match piece:
        case Text(text) | Code(text):
            return text
        case Break():
            return "\n"
        case Image(url, alt):
            return alt or url
        case _:
            return "".join(_as_code(inner) for inner in piece.content)


def _panel(reader: Reader, node: Node) -> Blocks:
    """Return one of GitHub's alerts, or a quotation when a panel has a look of its own."""
    alert = PANELS.get(node.attr("panelType"), "")
    content = reader.blocks(node.content)
    if not alert:
        reader.lose(node.type)
        content = _with_icon(node.attr("panelIconText") or node.attr("panelIcon"), content)
    return (Quote(content, alert=alert),) if content else ()


def _with_icon(icon: str, content: Blocks) -> Blocks:
    if not icon:
        return content
    if content and isinstance(content[0], Paragraph):
        return (Paragraph((Text(f"{icon} "), *content[0].content)), *content[1:])
    return (Paragraph((Text(icon),)), *content)


def _quote(reader: Reader, node: Node) -> Blocks:
    content = reader.blocks(node.content)
    return (Quote(content),) if content else ()


def _rule(reader: Reader, node: Node) -> Blocks:
    return (Rule(), *reader.blocks(node.content))


def _bodied_rule(reader: Reader, node: Node) -> Blocks:
    """Return a line across the page, and the words that stand on it below it."""
    reader.lose(node.type)
    return _rule(reader, node)


def _expand(reader: Reader, node: Node) -> Blocks:
    """Return what one clicks on, and what opens then."""
    reader.lose(node.type)
    title = node.attr("title")
    own: Blocks = (Paragraph((Strong((Text(title),)),)),) if title else ()
    return own + reader.blocks(node.content)


BLOCKS: dict[str, BlockForm] = {
    "doc": _holder,
    "paragraph": _paragraph,
    "heading": _heading,
    "codeBlock": _code_block,
    "panel": _panel,
    "blockquote": _quote,
    "rule": _rule,
    "bodiedRule": _bodied_rule,
    "expand": _expand,
    "nestedExpand": _expand,
    "layoutSection": _columns,
    "layoutColumn": _holder,
    "blockCard": block_card,
    "embedCard": embed_card,
    "media": media,
    "image": media,
    "mediaSingle": media_single,
    "mediaGroup": media_group,
    "caption": caption,
    "extension": extension,
    "bodiedExtension": extension,
    "multiBodiedExtension": extension,
    "extensionFrame": frame,
    "syncBlock": sync_block,
    "bodiedSyncBlock": sync_block,
    "unsupportedBlock": unknown_block,
    "confluenceUnsupportedBlock": unknown_block,
    **LISTS,
    **TABLES,
}
