"""Tools are the marked methods of whoever holds them; their schemas are built once."""

import gc
import weakref
from dataclasses import dataclass

import pytest
from pydantic import BaseModel

from trunkline_shared.contracts import READ, Policy, Reads
from trunkline_shared.reuse import Reusable, Reuse
from trunkline_shared.tool import tool, tools_of

pytestmark = pytest.mark.anyio

POLICY = Policy(reads=Reads(ttl_s=10, tags=("greetings",)))


class Greeting(BaseModel):
    """What is said."""

    text: str


@dataclass(frozen=True)
class Greeter:
    """Greets in a language."""

    word: str

    @tool("Greet", READ, POLICY)
    async def greet(self, *, name: str) -> Greeting:
        """Greet somebody."""
        return Greeting(text=f"{self.word} {name}")

    @tool("Greet again", READ, POLICY)
    async def greet_again(self, *, name: str) -> Reusable[Greeting]:
        """Greet somebody who may remember it."""
        return Reusable(Greeting(text=f"{self.word} {name}"), Reuse(ttl_s=5))


async def test_every_holder_answers_for_itself() -> None:
    """Two servers of one kind in a process: the second does not call the first one's methods."""
    english, german = tools_of(Greeter("Hello")), tools_of(Greeter("Hallo"))
    assert (await english[0].fn(name="Ada")).text == "Hello Ada"
    assert (await german[0].fn(name="Ada")).text == "Hallo Ada"
    said = [(await tools[1].fn(name="Ada")).structured_content for tools in (english, german)]
    assert said == [{"text": "Hello Ada"}, {"text": "Hallo Ada"}]
    assert english[0].parameters == german[0].parameters
    assert english[1].output_schema == german[1].output_schema


def test_a_holder_can_go() -> None:
    """What is known of its class does not keep it, nor what it holds."""
    holder = Greeter("Hello")
    gone = weakref.ref(holder)
    assert [one.name for one in tools_of(holder)] == ["greet", "greet_again"]
    del holder
    gc.collect()
    assert gone() is None
