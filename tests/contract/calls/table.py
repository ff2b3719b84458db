"""Reads the table of calls: for every method a good call and every call that is refused, with what exactly comes back.

The table is JSON, one file for each service, so that clients in other languages read it as well:

    {"methods": {"evidencegate.v1.Verifier/Judge": {
      "before": [["evidencegate.v1.SelfEvaluations/WriteChannel", {"/request_id": "r1"}]],
      "good": {"/evaluation/verdict": "VERDICT_PASS"},
      "refused": [{"name": "a third round", "set": {"/round": 3},
                   "code": "INVALID_ARGUMENT", "reason": "INVALID_REQUEST",
                   "violations": [["round", "is 3; the round is 1 or 2"]]}]}}}

The request of a method is its file in `examples/grpcurl`, as JSON with proto field names. `set` changes it: a JSON
pointer (RFC 6901; `-` appends to a list) and the value there, null to take the field away. In a value,
`{"repeat": X, "times": N}` is a text N times, or a list of N equal items. `good` says what stands where in the answer,
with defaults written out. `before` are calls that come first, each the request of its method with changes; a refused
call may have some of its own. `violations` are field and description of each, in order; `metadata` is that of ErrorInfo
and is compared where it is given. The server has a store that is empty, and no model.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from google.protobuf import json_format
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from tests.contract.methods import METHODS, request_file

FOLDER: Final = Path(__file__).parent

Changes = Mapping[str, Any]
Calls = tuple[tuple[str, Changes], ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """A call that is refused, and with what."""

    name: str
    changes: Changes
    code: str
    reason: str
    before: Calls
    violations: tuple[tuple[str, str], ...]
    metadata: Mapping[str, str] | None


@dataclass(frozen=True, slots=True)
class Row:
    """The calls of one method."""

    method: str
    before: Calls
    good: Mapping[str, Any]
    refused: tuple[Refused, ...] = field(repr=False)


def load() -> dict[str, Row]:
    """Returns the row of each method that has one; raises ValueError where a method has two."""
    rows: dict[str, Row] = {}
    for path in sorted(FOLDER.glob("*.json")):
        for method, row in json.loads(path.read_text(encoding="utf-8"))["methods"].items():
            if method in rows:
                raise ValueError(f"{path.name}: {method} has a row in another file as well")
            rows[method] = Row(method, _calls(row), row["good"], tuple(map(_refused, row["refused"])))
    return rows


def _calls(row: Mapping[str, Any]) -> Calls:
    return tuple((method, changes) for method, changes in row.get("before", []))


def _refused(row: Mapping[str, Any]) -> Refused:
    violations = tuple((place, description) for place, description in row.get("violations", []))
    return Refused(row["name"], row["set"], row["code"], row["reason"], _calls(row), violations, row.get("metadata"))


def request(method: str, changes: Changes | None = None) -> Message:
    """Returns the method's request, changed."""
    tree = json.loads(request_file(method).read_text(encoding="utf-8"))
    for pointer, value in (changes or {}).items():
        _set(tree, pointer, _expanded(value))
    message: Message = GetMessageClass(METHODS[method].input_type)()
    return json_format.ParseDict(tree, message)


def told(message: Message) -> Any:
    """Returns an answer as JSON with proto field names and defaults."""
    return json_format.MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )


def at(tree: Any, pointer: str) -> Any:
    """Returns what stands at a JSON pointer; raises LookupError where nothing does."""
    for key in _keys(pointer):
        tree = tree[int(key)] if isinstance(tree, list) else tree[key]
    return tree


def _keys(pointer: str) -> list[str]:
    return [key.replace("~1", "/").replace("~0", "~") for key in pointer.split("/")[1:]]


def _set(tree: Any, pointer: str, value: Any) -> None:
    *path, last = _keys(pointer)
    for key in path:
        tree = tree[int(key)] if isinstance(tree, list) else tree.setdefault(key, {})
    if isinstance(tree, list) and last == "-":
        tree.append(value)
    elif isinstance(tree, list):
        tree[int(last)] = value
    elif value is None:
        tree.pop(last)
    else:
        tree[last] = value


def _expanded(value: Any) -> Any:
    if isinstance(value, list):
        return [_expanded(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"repeat", "times"}:
        item = _expanded(value["repeat"])
        return item * value["times"] if isinstance(item, str) else [item] * value["times"]
    return {key: _expanded(item) for key, item in value.items()}
