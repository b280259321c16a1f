"""What HTML shows to a person, told by a parser of the standard; white space does not count."""

import cmarkgfm
from cmarkgfm.cmark import Options
from selectolax.lexbor import LexborHTMLParser, LexborNode

from trunkline_shared.untrusted import sanitize

_UNSEEN = {"script", "style", "template", "title", "noembed", "noframes", "iframe", "datalist"}


def without_space(text: str) -> str:
    return "".join(text.split())


def shown(html: str) -> str:
    """The text of a page, with the alternative texts of its images."""
    body = LexborHTMLParser(html).body
    return without_space(sanitize("".join(_texts(body)))) if body is not None else ""


def targets(html: str) -> list[str]:
    """Where its links and images go."""
    page = LexborHTMLParser(html)
    found = [node.attributes["href"] or "" for node in page.css("a[href]")]
    return found + [node.attributes["src"] or "" for node in page.css("img[src]")]


def github(markdown: str) -> str:
    """The HTML that GitHub's parser makes of Markdown."""
    return str(cmarkgfm.github_flavored_markdown_to_html(markdown, Options.CMARK_OPT_UNSAFE))


def _texts(body: LexborNode) -> list[str]:
    texts: list[str] = []
    waiting: list[LexborNode] = [body]
    while waiting:
        node = waiting.pop()
        if node.tag == "-text":
            texts.append(node.text_content or "")
        elif node.tag == "img":
            texts.append(node.attributes.get("alt") or "")
        elif node.tag not in _UNSEEN and "hidden" not in node.attributes:
            child = node.last_child
            while child is not None:
                waiting.append(child)
                child = child.prev
    return texts
