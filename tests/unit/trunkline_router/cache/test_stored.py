"""Answers as bytes: what a store gives back is what it was given."""

import pytest

from tests.unit.trunkline_router.cache.samples import stored
from trunkline_router.cache.stored import Stored
from trunkline_router.model import Json

TEXT: Json = {"content": [{"type": "text", "text": "hello"}], "structuredContent": {"a": 1}}


def test_an_answer_comes_back_as_it_was() -> None:
    """Through a store's bytes."""
    kept = stored(TEXT)
    assert kept.packed.unpacked() == TEXT
    assert Stored.from_bytes(kept.to_bytes(), 15) == kept


def test_the_age_is_what_the_store_has_already_counted() -> None:
    """Two routers' clocks need not agree."""
    back = Stored.from_bytes(stored({"content": []}).to_bytes(), 11)
    assert back is not None
    assert back.age_s == 4


@pytest.mark.parametrize(
    "raw",
    [
        *(b"", b"x", b"[]\n", b"[0,1,1,1,1,1,1,1,1,1]\n", b"{}\n", b"null\n"),
        b'[3,"s",[],"soon",false,0,0,"","",0]\n{}',
        b'[3,"s",5,1,false,0,0,"","",0]\n{}',
        b'[3,"s",[],1,false,0,0,5,"",0]\n{}',
        b'[3,"s",[],1,false,null,0,"","",0]\n{}',
    ],
)
def test_what_is_not_ours_is_not_used(raw: bytes) -> None:
    """Another version, or somebody else's bytes."""
    assert Stored.from_bytes(raw, 1) is None
