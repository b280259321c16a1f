"""The `keys` of `trunkline.yaml` as text: one added or taken away, all else kept byte for byte.

Comments, order and layout are a person's. Each result is parsed again and compared with what was
meant, so an edit that would lose or change anything is refused and nothing is written.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

Entry = Mapping[str, object]
Document = dict[str, Any]
_SECTION = "keys"


class CannotEdit(Exception):
    """The text is laid out in a way that cannot be edited safely; the message says how."""


def with_key(text: str, entry: Entry) -> str:
    """Return the text with one more key. Raises CannotEdit."""
    before = _parsed(text)
    wanted = before | {_SECTION: [*(before.get(_SECTION) or []), dict(entry)]}
    found = _keys_of(text)
    if found is None:
        kept = text if not text or text.endswith("\n") else text + "\n"
        after = kept + f"{_SECTION}:\n" + _block(entry, "  ")
    else:
        after = _added(text, *found, wanted, entry)
    return _checked(_with_its_line_ends(text, after), wanted)


def without_key(text: str, id_: str) -> str:
    """Return the text without the key of an id, which it has. Raises CannotEdit."""
    before = _parsed(text)
    kept = [each for each in before[_SECTION] if each.get("id") != id_]
    wanted = before | {_SECTION: kept}
    found = _keys_of(text)
    assert found is not None
    name, value = found
    if value.flow_style or not kept:
        after = _replaced(text, name, value, kept)
    else:
        position = next(i for i, each in enumerate(before[_SECTION]) if each.get("id") == id_)
        item = value.value[position]
        lines = text.splitlines(keepends=True)
        del lines[item.start_mark.line : _last_line(item) + 1]
        after = "".join(lines)
    return _checked(_with_its_line_ends(text, after), wanted)


def _parsed(text: str) -> Document:
    document = yaml.safe_load(text)
    if document is not None and not isinstance(document, dict):
        raise CannotEdit("it holds no table at its top")
    return document or {}


def _keys_of(text: str) -> tuple[yaml.ScalarNode, Any] | None:
    root: Any = yaml.compose(text, yaml.SafeLoader)
    if root is None:
        return None
    if root.flow_style:
        raise CannotEdit("it is written between braces")
    return next(((name, value) for name, value in root.value if name.value == _SECTION), None)


def _added(text: str, name: yaml.ScalarNode, value: Any, wanted: Document, entry: Entry) -> str:
    lines = text.splitlines(keepends=True)
    if isinstance(value, yaml.SequenceNode) and value.value and not value.flow_style:
        at, indent = _last_line(value) + 1, " " * value.start_mark.column
    elif isinstance(value, yaml.SequenceNode) and value.value:
        return _replaced(text, name, value, wanted[_SECTION])
    else:
        emptied = text[: value.start_mark.index] + text[value.end_mark.index :]
        lines = emptied.splitlines(keepends=True)
        lines[name.start_mark.line] = lines[name.start_mark.line].rstrip(" \r\n") + "\n"
        at, indent = name.start_mark.line + 1, "  "
    if not lines[at - 1].endswith("\n"):
        lines[at - 1] += "\n"
    return "".join([*lines[:at], _block(entry, indent), *lines[at:]])


def _replaced(text: str, name: yaml.ScalarNode, value: Any, kept: list[Any]) -> str:
    """Return the text with the whole list in one line; only where no comment is lost by it."""
    end = value.end_mark.index if value.flow_style else _end_of_line(text, _last_line(value))
    if "#" in text[name.end_mark.index : end]:
        raise CannotEdit(f"its {_SECTION} hold a comment that would be lost")
    return f"{text[: name.end_mark.index]}: {json.dumps(kept)}{text[end:]}"


def _end_of_line(text: str, line: int) -> int:
    return len("".join(text.splitlines(keepends=True)[: line + 1]).rstrip("\r\n"))


def _last_line(node: yaml.Node) -> int:
    """Return the last line that a node's content is on: a block's own mark is beyond comments."""
    return max(_lines_of(node), default=node.start_mark.line)


def _lines_of(node: yaml.Node) -> Iterator[int]:
    if isinstance(node, yaml.ScalarNode) or (
        isinstance(node, yaml.CollectionNode) and node.flow_style
    ):
        # The mark is behind the last character, which for a block scalar is on the next line.
        yield node.end_mark.line - (node.end_mark.column == 0)
    elif isinstance(node, yaml.MappingNode):
        for pair in node.value:
            for part in pair:
                yield from _lines_of(part)
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _lines_of(item)


def _block(entry: Entry, indent: str) -> str:
    # A JSON value is a YAML value.
    lines = [f"{key}: {json.dumps(value)}" for key, value in entry.items()]
    return "".join(
        f"{indent}{'- ' if number == 0 else '  '}{line}\n" for number, line in enumerate(lines)
    )


def _with_its_line_ends(before: str, after: str) -> str:
    if "\r\n" not in before:
        return after
    return after.replace("\r\n", "\n").replace("\n", "\r\n")


def _checked(text: str, wanted: Document) -> str:
    try:
        same = _parsed(text) == wanted
    except yaml.YAMLError:
        same = False
    if not same:
        raise CannotEdit("it is laid out in a way that cannot be edited safely")
    return text
