"""Pictures and files of a document: named as its issue names them, never fetched."""

import pytest

from tests.unit.trunkline_jira.adf_documents import Json, doc, mark, media, node, paragraph, text
from tests.unit.trunkline_jira.shown import html_of
from trunkline_jira.adf.conversion import to_document
from trunkline_shared.markdown.writer import to_markdown

FILES = {"m-1": "screen.png", "m-2": "trace.log"}


def html(*blocks: Json) -> str:
    return html_of(to_markdown(to_document(doc(*blocks), media=FILES).blocks)).strip()


@pytest.mark.parametrize(
    ("alt", "identifier", "words"),
    [
        ("shot.png", "m-9", "shot.png"),
        ("", "m-1", "screen.png"),
        ("screen.png", "m-1", "screen.png"),
        ("the login page", "m-1", "screen.png (the login page)"),
        ("", "m-9", "m-9"),
        ("", "", "unnamed"),
    ],
)
@pytest.mark.requirement("jira.adf-media")
def test_a_file_is_named(alt: str, identifier: str, words: str) -> None:
    """As the issue does, as its writer did, or by its id."""
    one = node("mediaGroup", media(alt, identifier))
    inline = paragraph(node("mediaInline", id=identifier, collection="c", alt=alt))
    assert html(one) == html(inline) == f"<p>[attachment: {words}]</p>"


@pytest.mark.requirement("jira.adf-media")
def test_a_picture_from_elsewhere_is_an_image() -> None:
    """It has an address of its own."""
    block = node("media", type="external", url="https://a.b/c.png", alt="A cat")
    assert html(node("mediaSingle", block)) == (
        '<p><img src="https://a.b/c.png" alt="A cat" /></p>'
    )
    legacy = node("image", src="https://a.b/c.png", alt="A cat")
    assert html(legacy) == html(node("mediaSingle", block))


def test_the_files_of_a_group_have_a_line_each() -> None:
    """In their order."""
    assert html(node("mediaGroup", media(identifier="m-1"), media(identifier="m-2"))) == (
        "<p>[attachment: screen.png]<br />\n[attachment: trace.log]</p>"
    )


def test_a_caption_stands_below_its_picture() -> None:
    """In italics, marks and all."""
    caption = node("caption", text("see "), text("here", mark("strong")))
    assert html(node("mediaSingle", media(), caption, layout="center")) == (
        "<p>[attachment: screen.png]</p>\n<p><em>see <strong>here</strong></em></p>"
    )


@pytest.mark.parametrize("on", ["media", "mediaSingle"])
def test_a_picture_that_is_a_link_keeps_where_it_leads(on: str) -> None:
    """Editors put the mark on either node."""
    link: Json = {"marks": [mark("link", href="https://a.b/")]}
    picture = media() | (link if on == "media" else {})
    block = node("mediaSingle", picture, layout="center") | (link if on == "mediaSingle" else {})
    assert html(block) == '<p><a href="https://a.b/">[attachment: screen.png]</a></p>'


@pytest.mark.requirement("jira.adf-media")
def test_an_issue_full_of_pictures_costs_nothing_but_their_names() -> None:
    """Another server hung on such: it fetched them."""
    blocks = [node("mediaSingle", media(identifier=f"m-{n}"), layout="center") for n in range(3000)]
    converted = to_document(doc(*blocks), media=FILES)
    assert len(converted.blocks) == 3000
    assert converted.lossy == ("media",)
