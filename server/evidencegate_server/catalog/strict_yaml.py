"""Reads one YAML file as plain data, and nothing else that YAML can do.

The data is what JSON has: mappings with text keys, lists, text, numbers, true, false, null. Scalars follow YAML 1.2's
core schema, so that `no`, `on` and `12:30` are text as they look. Anchors, aliases, tags, merge keys, directives,
several documents, repeated keys, infinities and deep nesting are problems, each with its line.

The C parser gives events and this module builds the data from them: composing nodes in C recurses without a bound, and
a file of brackets would end the process.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, Final

import yaml

from evidencegate_server.catalog.problems import MAX_PROBLEMS, Problem, key_path

MAX_FILE_BYTES: Final = 1_048_576  # a lexicon of ten thousand lines has half of this
MAX_DEPTH: Final = 16  # the deepest catalog file has five levels
_MAX_NUMBER_CHARS: Final = 40  # no parameter needs more digits; longer ones make conversion slow

_PARSER: type[Any] = getattr(yaml, "CLoader", yaml.Loader)

_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)\Z")
_FLOAT = re.compile(r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]+)?\Z")
_NOT_FINITE = re.compile(r"(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\Z")
_WORDS: Final[dict[str, bool | None]] = {
    "": None,
    "~": None,
    "null": None,
    "Null": None,
    "NULL": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
_NUMBER_START: Final = frozenset("-+.0123456789")

KeyPath = tuple[str | int, ...]


class Lines:
    """Where each key and item of a file stands."""

    def __init__(self, first_line: int = 1) -> None:
        self._lines: dict[KeyPath, int] = {(): first_line}

    def note(self, path: KeyPath, line: int) -> None:
        """Remembers the line of a path."""
        self._lines.setdefault(path, line)

    def of(self, path: KeyPath) -> int:
        """Returns the line of the path, or of the nearest one above it."""
        while path not in self._lines:
            path = path[:-1]
        return self._lines[path]

    def known(self, path: KeyPath) -> bool:
        """Returns whether the file has that path."""
        return path in self._lines


class YamlError(Exception):
    """Occurs where a file is no plain data. Holds every problem that was found before reading had to stop."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = problems
        super().__init__("\n".join(map(str, problems)))


def decode(content: bytes, file: str) -> str:
    """Returns the file's text; raises YamlError where it is too large or no UTF-8."""
    if len(content) > MAX_FILE_BYTES:
        raise YamlError([Problem(file, 0, "", f"the file has more than {MAX_FILE_BYTES} bytes")])
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise YamlError([Problem(file, line, "", "the text is not UTF-8")]) from error


def read_yaml(text: str, file: str, first_line: int = 1, lines: Lines | None = None) -> dict[str, Any]:
    """Returns the file's mapping; raises YamlError.

    `first_line` is the line at which the text starts in its file. Lines are noted only where `lines` is given: they
    are needed for a problem and cost time otherwise.
    """
    reader = _Reader(file, first_line, lines)
    try:
        reader.read(text)
    except yaml.YAMLError as error:
        reader.problems.append(_syntax_problem(error, text, file, first_line))
    except (ValueError, RecursionError, MemoryError) as error:
        reader.report(0, (), f"the file cannot be read as YAML ({type(error).__name__})")
    except _StopReadingError:
        pass
    if not reader.problems and not isinstance(reader.root, dict):
        message = "the file is empty" if reader.root is None else "the file must be a mapping of keys"
        reader.report(0, (), message)
    if reader.problems:
        raise YamlError(reader.problems)
    root: dict[str, Any] = reader.root
    return root


class _StopReadingError(Exception):
    """Occurs where going on would only cost time."""


class _Reader:
    """Builds data from events with a stack of its own, so that depth is bounded by a number and not by the C stack."""

    def __init__(self, file: str, first_line: int, lines: Lines | None) -> None:
        self.file = file
        self.first_line = first_line
        self.lines = lines
        self.problems: list[Problem] = []
        self.root: Any = None
        # The open containers, and beside each mapping the key whose value is being read, None where a key comes next.
        self._stack: list[dict[str, Any] | list[Any]] = []
        self._keys: list[str | None] = []
        self._documents = 0

    def report(self, line: int, path: KeyPath, message: str) -> None:
        """Adds a problem; `line` counts from 0 in the text that is read."""
        if len(self.problems) == MAX_PROBLEMS:
            raise _StopReadingError
        self.problems.append(Problem(self.file, line + self.first_line, key_path(path), message))

    def read(self, text: str) -> None:
        """Reads every event of the text."""
        loader = _PARSER(text)
        handlers: dict[type[Any], Callable[[Any], None]] = {
            yaml.ScalarEvent: self._scalar,
            yaml.MappingStartEvent: self._open_mapping,
            yaml.SequenceStartEvent: self._open_list,
            yaml.MappingEndEvent: self._close,
            yaml.SequenceEndEvent: self._close,
            yaml.AliasEvent: self._alias,
            yaml.DocumentStartEvent: self._document,
        }
        get_event = loader.get_event
        try:
            while True:
                event = get_event()
                handler = handlers.get(type(event))
                if handler is not None:
                    handler(event)
                elif type(event) is yaml.StreamEndEvent:
                    return
        finally:
            loader.dispose()

    def _document(self, event: Any) -> None:
        self._documents += 1
        if self._documents == 2:
            self.report(event.start_mark.line, (), "a second document starts here; one file is one document")
            raise _StopReadingError
        if event.version or event.tags:
            self.report(event.start_mark.line, (), "directives (%YAML, %TAG) are not allowed")

    def _alias(self, event: Any) -> None:
        self.report(event.start_mark.line, self._here(), f"alias *{event.anchor}: aliases are not allowed")
        if self._wants_key():
            self._keys[-1] = "*"  # so that the value behind it finds a key
        else:
            self._place(None, event)

    def _wants_key(self) -> bool:
        return bool(self._stack) and self._keys[-1] is None and type(self._stack[-1]) is dict

    def _here(self) -> KeyPath:
        """Returns the path of the value that comes next, or of the mapping where a key comes next."""
        path: list[str | int] = []
        last = len(self._stack) - 1
        for level, container in enumerate(self._stack):
            if isinstance(container, list):
                path.append(len(container) - (level < last))
            elif (key := self._keys[level]) is not None:
                path.append(key)
        return tuple(path)

    def _check_properties(self, event: Any) -> None:
        if event.anchor is not None:
            self.report(event.start_mark.line, self._here(), f"anchor &{event.anchor}: anchors are not allowed")
        if event.tag is not None:
            self.report(event.start_mark.line, self._here(), f"tag {event.tag}: tags are not allowed")

    def _scalar(self, event: Any) -> None:
        if event.anchor is not None or event.tag is not None:
            self._check_properties(event)
        text: str = event.value
        value: Any = text
        if not event.style:  # plain
            if text in _WORDS:
                value = _WORDS[text]
            elif text[0] in _NUMBER_START:
                value = self._number(text, event)
        if self._wants_key():
            self._key(text, value, event)
        else:
            self._place(value, event)

    def _number(self, text: str, event: Any) -> Any:
        """Returns the number that a plain scalar writes, or the text where it writes none."""
        if _INTEGER.match(text):
            if len(text) <= _MAX_NUMBER_CHARS:
                return int(text)
            message = f"a number of more than {_MAX_NUMBER_CHARS} characters"
        elif _FLOAT.match(text):
            if len(text) <= _MAX_NUMBER_CHARS and math.isfinite(number := float(text)):
                return number
            message = f"{text[:_MAX_NUMBER_CHARS]} is too large a number"
        elif _NOT_FINITE.match(text):
            message = f"{text} is no finite number"
        else:
            return text
        self.report(event.start_mark.line, self._here(), message)
        return None

    def _key(self, text: str, value: Any, event: Any) -> None:
        line = event.start_mark.line
        if text == "<<" and not event.style:
            self.report(line, self._here(), "merge keys (<<) are not allowed")
        elif not isinstance(value, str):
            self.report(line, self._here(), f"key {text or 'null'} is not text; quote it")
        elif text in self._stack[-1]:
            self.report(line, (*self._here(), text), "the key stands here a second time")
        self._keys[-1] = text
        if self.lines is not None:
            self.lines.note(self._here(), line + self.first_line)

    def _place(self, value: Any, event: Any) -> None:
        """Puts a value where it belongs. A mapping's key stays set while its value is an open container."""
        if not self._stack:
            self.root = value
            return
        container = self._stack[-1]
        if type(container) is list:
            if self.lines is not None:
                self.lines.note(self._here(), event.start_mark.line + self.first_line)
            container.append(value)
        else:
            container[self._keys[-1]] = value  # type: ignore[index, call-overload]
            self._keys[-1] = None

    def _open_mapping(self, event: Any) -> None:
        self._open(event, {})

    def _open_list(self, event: Any) -> None:
        self._open(event, [])

    def _open(self, event: Any, container: dict[str, Any] | list[Any]) -> None:
        if event.anchor is not None or event.tag is not None:
            self._check_properties(event)
        if self._wants_key():
            self.report(event.start_mark.line, self._here(), "a key must be text, not a list or a mapping")
            raise _StopReadingError
        if len(self._stack) >= MAX_DEPTH:
            self.report(event.start_mark.line, self._here(), f"the nesting is deeper than {MAX_DEPTH} levels")
            raise _StopReadingError
        key = self._keys[-1] if self._keys else None
        self._place(container, event)
        if self._keys:
            self._keys[-1] = key
        self._stack.append(container)
        self._keys.append(None)

    def _close(self, _event: Any) -> None:
        self._stack.pop()
        self._keys.pop()
        if self._keys:
            self._keys[-1] = None


def _syntax_problem(error: yaml.YAMLError, text: str, file: str, first_line: int) -> Problem:
    """Returns the parser's complaint in one line."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    what = getattr(error, "problem", None) or getattr(error, "reason", None) or "unreadable"
    context = getattr(error, "context", None)
    detail = f"{what} ({context})" if context else str(what)
    if mark is not None:
        return Problem(file, mark.line + first_line, "", f"no YAML: {detail}")
    position = getattr(error, "position", None)
    if isinstance(position, int):
        # The C reader counts bytes of UTF-8, the Python reader characters; either way the count ends on the line.
        return Problem(file, text.encode()[:position].count(b"\n") + first_line, "", f"no YAML: {detail}")
    return Problem(file, 0, "", f"no YAML: {detail}")
