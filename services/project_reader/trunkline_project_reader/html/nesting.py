"""Blocks in one another: which one is meant, which ones end with it, and how deep they may be."""

from collections.abc import Set as AbstractSet

from trunkline_project_reader.html.frames import Frame
from trunkline_project_reader.html.page import Page

DEEPEST = 48
"""How many blocks may be open in one another; deeper ones lose their form, never their text."""


def open_frame(page: Page, frame: Frame) -> None:
    """Open a block after what was before it, unless it would be too deep to be one."""
    page.settle()
    if len(page.frames) < DEEPEST:
        page.push(frame)
    else:
        page.flattened[frame.tag] = page.flattened.get(frame.tag, 0) + 1


def ends_flattened(page: Page, tag: str) -> bool:
    """Take note of an end tag; returns whether it ends an element that became no block."""
    if not page.flattened.get(tag):
        return False
    page.flattened[tag] -= 1
    return True


def innermost(page: Page, tags: AbstractSet[str], within: AbstractSet[str]) -> Frame | None:
    """Return the innermost open block of these, unless one of `within` is open inside it."""
    for frame in reversed(page.frames):
        if frame.tag in tags:
            return frame
        if frame.tag in within:
            return None
    return None


def close_above(page: Page, frame: Frame) -> None:
    """Close what is open in a block, and leave it open."""
    page.boundary()
    while page.frames[-1] is not frame:
        page.close(page.frames[-1])
