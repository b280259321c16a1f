"""The dashboard's files: no way for a text to become markup or code, and none that grows large."""

import re
from hashlib import sha256
from pathlib import Path

import pytest
from pydantic import BaseModel, ConfigDict, TypeAdapter

HERE = Path(__file__).parent
STATIC = HERE.parents[1] / "services/router/trunkline_router/dashboard/static"
VENDORED = STATIC / "vendor"
FILES = sorted(path for path in STATIC.rglob("*") if path.is_file())
OURS = [path for path in FILES if VENDORED not in path.parents]
SCRIPTS = [path for path in OURS if path.suffix == ".js"]
PAGES = [path for path in OURS if path.suffix == ".html"]
STYLES = [path for path in OURS if path.suffix == ".css"]

MARKUP_FROM_TEXT = (
    r"innerHTML|outerHTML|insertAdjacentHTML|setHTMLUnsafe|parseHTMLUnsafe|createContextualFragment"
    r"|DOMParser|document\.write|\.srcdoc"
)
CODE_FROM_TEXT = (
    r"\beval\(|new Function|set(?:Timeout|Interval)\(\s*[\"'`]|javascript:|import\((?!\s*[\"'])"
)
ATTRIBUTE_FROM_TEXT = r"setAttribute\(\s*[\"'`](?:style|on\w+)|cssText"
INLINE = r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son[a-z]+=|javascript:"
ELSEWHERE = r"(?:src|href)=[\"'](?:https?:)?//|@import|url\(\s*[\"']?(?:https?:)?//"


class Vendored(BaseModel):
    """Somebody else's file that is shipped with the page."""

    model_config = ConfigDict(extra="forbid")

    sha256: str
    version: str
    licence: str


LISTED = TypeAdapter(dict[str, Vendored]).validate_json(
    (HERE / "vendored.json").read_text(encoding="utf-8")
)


def name(path: Path) -> str:
    return str(path.relative_to(STATIC))


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def test_there_is_a_page() -> None:
    """A document, scripts and styles."""
    assert PAGES
    assert SCRIPTS
    assert STYLES


@pytest.mark.parametrize("path", OURS, ids=name)
def test_a_file_of_the_page_fits_on_a_few_screens(path: Path) -> None:
    """250 lines, as everywhere: beyond that a file holds two things."""
    assert len(text_of(path).splitlines()) <= 250


@pytest.mark.requirement("seeing.page-no-markup")
@pytest.mark.parametrize("pattern", [MARKUP_FROM_TEXT, CODE_FROM_TEXT, ATTRIBUTE_FROM_TEXT])
@pytest.mark.parametrize("path", SCRIPTS, ids=name)
def test_no_script_can_make_markup_or_code_of_a_text(path: Path, pattern: str) -> None:
    """Elements are made one by one, and texts are put into them as texts."""
    assert not re.findall(pattern, text_of(path))


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_a_document_holds_no_script_style_or_handler_of_its_own(path: Path) -> None:
    """The content security policy forbids each of them."""
    assert not re.findall(INLINE, text_of(path), re.IGNORECASE)


@pytest.mark.parametrize("path", PAGES + STYLES, ids=name)
def test_nothing_is_fetched_from_elsewhere(path: Path) -> None:
    """The page works where the router is the only host that can be reached."""
    assert not re.findall(ELSEWHERE, text_of(path), re.IGNORECASE)


def test_what_others_wrote_is_shipped_as_they_published_it() -> None:
    """By its hash; with the version, and the licence that is shipped beside it."""
    shipped = {
        str(path.relative_to(VENDORED)): sha256(path.read_bytes()).hexdigest()
        for path in FILES
        if VENDORED in path.parents and path.name != "VERSION"
    }
    assert shipped == {file: one.sha256 for file, one in LISTED.items()}
