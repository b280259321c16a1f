"""What is attached to a text: people, pictures, files, links, and what only Basecamp knows."""

import pytest

from tests.unit.trunkline_project_reader.html_shown import github, shown, targets
from trunkline_project_reader.html.attachment import Attachment, ListedAttachment, size
from trunkline_project_reader.html.conversion import Converted, to_document
from trunkline_shared.markdown.writer import to_markdown

BLOB = "https://3.basecamp-static.com/1/blobs/6a"
MENTION = (
    '<bc-attachment sgid="BAh7" content-type="application/vnd.basecamp.mention">\n    <figure>\n'
    '      <img srcset="a 2x" src="https://e.com/avatar" class="avatar" alt="Victor Cooper">\n'
    "      <figcaption>Victor</figcaption>\n    </figure>\n  </bc-attachment>"
)
PHOTO = (
    '<bc-attachment sgid="P1" content-type="image/jpeg" width="2560" height="1536"'
    f' url="{BLOB}/previews/full" href="{BLOB}/download/a.jpg" filename="a.jpg" filesize="1234567"'
    ' caption="The *new* office"><figure><img src="x"><figcaption>The *new* office</figcaption>'
    "</figure></bc-attachment>"
)
FILE = (
    f'<bc-attachment sgid="F1" content-type="application/pdf" href="{BLOB}/download/p[1].pdf"'
    ' filename="p[1]_*.pdf" filesize="12345"><figure><figcaption>p[1]_*.pdf 12.1 KB</figcaption>'
    "</figure></bc-attachment>"
)


def markdown(converted: Converted) -> str:
    return to_markdown(converted.blocks)


@pytest.mark.requirement("basecamp.mentions")
def test_a_mention_is_a_name_and_no_picture() -> None:
    """In the middle of a sentence; the name is told once."""
    converted = to_document(f"<div>Hello {MENTION}, and <em>{MENTION}</em>!</div>")
    assert markdown(converted) == "Hello @Victor, and _@Victor_!"
    assert converted.mentions == ("Victor",)
    assert converted.attachments == ()


@pytest.mark.requirement("basecamp.mentions")
@pytest.mark.parametrize(
    ("inside", "name"),
    [
        ("<img alt='Victor Cooper'>", "Victor Cooper"),
        ("@Victor", "Victor"),
        ("<figcaption>a &amp; *b*</figcaption>", "a & *b*"),
        ("<figcaption>Vic\u202etor</figcaption>", "Victor"),
        ("", "someone"),
    ],
)
def test_a_mention_without_a_caption_has_a_name_all_the_same(inside: str, name: str) -> None:
    """From the picture, from the text; without either it is someone."""
    tag = '<bc-attachment content-type="application/vnd.basecamp.mention">'
    assert to_document(f"{tag}{inside}</bc-attachment>").mentions == (name,)


@pytest.mark.requirement("basecamp.attachments")
def test_a_picture_stands_on_its_line_with_its_caption() -> None:
    """And its facts are handed on."""
    converted = to_document(f"<div>see{PHOTO}there</div>")
    expected = f"see\\\n![The \\*new\\* office]({BLOB}/previews/full)\\\nthere"
    assert markdown(converted) == expected
    assert converted.attachments == (
        Attachment(
            filename="a.jpg",
            content_type="image/jpeg",
            byte_size=1234567,
            url=f"{BLOB}/previews/full",
            download_url=f"{BLOB}/download/a.jpg",
            caption="The *new* office",
            width=2560,
            height=1536,
        ),
    )


@pytest.mark.requirement("basecamp.attachments")
def test_a_file_is_its_name_its_link_and_its_size() -> None:
    """Metacharacters in its name stay a name."""
    converted = to_document(f"<div>{FILE}</div>")
    page = github(markdown(converted))
    assert shown(page) == "p[1]_*.pdf(12.3kB)"
    assert targets(page) == [f"{BLOB}/download/p[1].pdf".replace("[", "%5B").replace("]", "%5D")]


@pytest.mark.requirement("basecamp.attachments")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<bc-attachment-gallery>", "</bc-attachment-gallery>"),
        ('<div class="attachment-gallery attachment-gallery--2">', "</div>"),
    ],
)
def test_a_gallery_has_one_picture_on_each_line(before: str, after: str) -> None:
    """Whichever element holds it."""
    lines = markdown(to_document(f"a{before}{PHOTO}\n{PHOTO}{PHOTO}{after}b")).split("\n")
    assert [line.count("![") for line in lines] == [0, 0, 1, 1, 1, 0, 0]


@pytest.mark.requirement("basecamp.attachments")
@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        (
            (
                '<bc-attachment content-type="application/vnd.basecamp.opengraph-embed"'
                ' href="https://e.com/a" filename="A *title*">long</bc-attachment>'
            ),
            "[A \\*title\\*](https://e.com/a)",
        ),
        (
            (
                '<bc-attachment content-type="application/vnd.basecamp.opengraph-embed">'
                '<div><a href="https://e.com/a">Title</a></div></bc-attachment>'
            ),
            "[Title](https://e.com/a)",
        ),
        (
            '<bc-attachment content-type="application/vnd.x" href="https://e.com/a">in</bc-attachment>',
            "[\\[attachment: application/vnd.x\\]](https://e.com/a) in",
        ),
        ('<bc-attachment content-type="application/vnd.x"></bc-attachment>', None),
        ('<bc-attachment sgid="only"></bc-attachment>', "\\[attachment: unknown]"),
        ('<bc-attachment filename="a.txt" href="javascript:x">in</bc-attachment>', "a.txt"),
        ('<bc-attachment content-type="image/png" filename="a.png">in</bc-attachment>', "a.png"),
    ],
)
def test_previews_are_links_and_what_is_unknown_is_named(tag: str, expected: str | None) -> None:
    """With the text in it, and the link when it has one."""
    assert markdown(to_document(tag)) == (expected or "\\[attachment: application/vnd.x]")


@pytest.mark.requirement("basecamp.attachments")
def test_what_the_api_lists_beside_a_text_knows_better() -> None:
    """By sgid, else by the name of the file; nulls leave what the tag says."""
    listed = [
        ListedAttachment(
            sgid="F1", filename="plan.pdf", byte_size=2_000_000, download_url=f"{BLOB}/f"
        ),
        ListedAttachment(filename="a.jpg", width=10, height=None, download_url=f"{BLOB}/j"),
    ]
    converted = to_document(f"<div>{FILE}</div><div>{PHOTO}</div>", listed)
    file, photo = converted.attachments
    assert markdown(converted).split("\n")[0] == f"[plan.pdf]({BLOB}/f) (2.0 MB)"
    assert (file.filename, file.content_type) == ("plan.pdf", "application/pdf")
    assert (photo.width, photo.height, photo.download_url) == (10, 1536, f"{BLOB}/j")


def test_an_attachment_that_never_ends_hides_no_text() -> None:
    """The next one begins before this one could have ended."""
    converted = to_document('<bc-attachment filename="a"><div>b' + FILE)
    assert len(converted.attachments) == 2
    assert "b" in markdown(converted)


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1.0 kB"),
        (12_345, "12.3 kB"),
        (999_960, "1.0 MB"),
        (5 * 10**15, "5000.0 TB"),
    ],
)
def test_sizes_are_said_as_people_say_them(count: int, said: str) -> None:
    """In thousands."""
    assert size(count) == said
