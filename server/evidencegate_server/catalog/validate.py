"""Fits plain data to a pydantic model and says in house words, with the line, where it does not fit."""

from __future__ import annotations

import json
import re
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, Final, TypeVar, Union, get_args, get_origin

import orjson
from pydantic import BaseModel, ValidationError

from evidencegate_server.catalog.problems import MAX_PROBLEMS, Problem, did_you_mean, key_path, show
from evidencegate_server.catalog.strict_yaml import KeyPath, Lines

ModelT = TypeVar("ModelT", bound=BaseModel)

_QUOTED_WORD = re.compile(r"'([^']*)'")

_KINDS: Final[dict[str, str]] = {
    "string_type": "text",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing": "a whole number",
    "int_parsing_size": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "tuple_type": "a list",
    "list_type": "a list",
    "set_type": "a list",
    "frozen_set_type": "a list",
    "dict_type": "a mapping of keys",
    "model_type": "a mapping of keys",
    "model_attributes_type": "a mapping of keys",
    "dataclass_type": "a mapping of keys",
}
_BOUNDS: Final[dict[str, tuple[str, str]]] = {
    "greater_than_equal": ("at least", "ge"),
    "less_than_equal": ("at most", "le"),
    "greater_than": ("greater than", "gt"),
    "less_than": ("less than", "lt"),
}


def fit(
    model: type[ModelT], data: Any, file: str, lines: Callable[[], Lines], prefix: KeyPath = ()
) -> ModelT | list[Problem]:
    """Returns the model's instance, or every problem that keeps the data from being one.

    `prefix` is the path at which the data stands in its file; `lines` is called only where there is a problem.
    """
    try:
        # By way of JSON, since strict models take lists for tuples and words for enums only from there.
        return model.model_validate_json(_as_json(data))
    except ValidationError as error:
        known = lines()
        details = _without_echoes(error.errors(include_url=False))
        problems = [_problem(model, detail, file, known, prefix) for detail in details[:MAX_PROBLEMS]]
        if len(details) > MAX_PROBLEMS:
            problems.append(Problem(file, 0, "", f"{len(details) - MAX_PROBLEMS} further problems are not listed"))
        return problems


def _as_json(data: Any) -> bytes | str:
    try:
        return orjson.dumps(data)
    except TypeError:  # a whole number of more than 64 bits
        return json.dumps(data)


def _without_echoes(details: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Returns the complaints without those that a list is too short only since an item of it is refused."""
    above = {detail["loc"][:depth] for detail in details for depth in range(len(detail["loc"]))}
    return [detail for detail in details if detail["type"] != "too_short" or detail["loc"] not in above]


def written_as(pattern: str, words: str) -> Callable[[str], str]:
    """Returns a validator for text that matches the whole pattern; `words` say what the pattern means."""
    compiled = re.compile(pattern)

    def check(text: str) -> str:
        if compiled.fullmatch(text) is None:
            raise ValueError(f"must {words}, not {show(text)}")
        return text

    return check


def one_of(words: Iterable[str], value: Any) -> str:
    """Returns the message for a value outside a fixed set of words."""
    allowed = list(words)
    listed = allowed[0] if len(allowed) == 1 else f"one of {', '.join(allowed)}"
    hint = did_you_mean(value, allowed) if isinstance(value, str) else ""
    return f"must be {listed}, not {show(value)}{hint}"


def _problem(model: type[BaseModel], detail: Mapping[str, Any], file: str, lines: Lines, prefix: KeyPath) -> Problem:
    loc: KeyPath = tuple(detail["loc"])
    path = (*prefix, *loc)
    kind: str = detail["type"]
    if kind == "missing":
        return Problem(file, lines.of(path), key_path(path), "the key is missing")
    while path and not lines.known(path):  # pydantic adds words of its own, for unions and mapping keys
        path = path[:-1]
    return Problem(file, lines.of(path), key_path(path), _message(model, kind, loc, detail))


def _message(model: type[BaseModel], kind: str, loc: KeyPath, detail: Mapping[str, Any]) -> str:
    value = detail["input"]
    context: Mapping[str, Any] = detail.get("ctx", {})
    if kind == "extra_forbidden":
        return f"unknown key{did_you_mean(str(loc[-1]), _fields_at(model, loc[:-1]))}"
    if kind in _KINDS:
        quote = "; quote it" if kind == "string_type" and isinstance(value, bool | int | float) else ""
        return f"must be {_KINDS[kind]}, not {show(value)}{quote}"
    if kind in _BOUNDS:
        words, name = _BOUNDS[kind]
        return f"must be {words} {show(context[name])}, not {show(value)}"
    if kind in ("enum", "literal_error"):
        return one_of(_QUOTED_WORD.findall(str(context["expected"])), value)
    if kind == "value_error":
        return " ".join(str(context["error"]).split())
    if kind == "too_short":
        return f"must have at least {_items(context['min_length'])}, not {context['actual_length']}"
    if kind == "too_long":
        return f"must have at most {_items(context['max_length'])}"
    if kind == "string_too_short":
        least = context["min_length"]
        return "must not be empty" if least == 1 else f"must have at least {least} characters, not {show(value)}"
    message: str = detail["msg"]
    return f"{message[:1].lower()}{message[1:]}, not {show(value)}"


def _items(count: int) -> str:
    return "1 item" if count == 1 else f"{count} items"


def _fields_at(model: type[BaseModel], loc: Sequence[str | int]) -> list[str]:
    """Returns the keys that the model knows at a path, none where the path leads to no model."""
    current: Any = model
    for part in loc:
        found = _model_in(current)
        if found is not None:
            field = found.model_fields.get(str(part))
            current = field.annotation if field is not None else None
        else:
            current = _item_of(current)
    found = _model_in(current)
    return list(found.model_fields) if found is not None else []


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """Returns the model that an annotation names, alone or in a union."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    if get_origin(annotation) in (Union, types.UnionType, Annotated):
        for argument in get_args(annotation):
            found = _model_in(argument)
            if found is not None:
                return found
    return None


def _item_of(annotation: Any) -> Any:
    """Returns what a list or mapping annotation holds."""
    arguments = [argument for argument in get_args(annotation) if argument is not Ellipsis]
    return arguments[-1] if arguments else None
