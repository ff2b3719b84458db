"""Takes noise out of chat messages for a caller's own model.

It only removes. No message is changed, merged, moved or made, and no request of the service has a field for messages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from evidencegate_client.errors import SessionError
from evidencegate_client.vocabulary import kind_of

MessageT = TypeVar("MessageT", bound=Mapping[str, Any])

_TOOL_ROLES = ("tool", "function")
_DUPLICATES = ("keep", "adjacent", "all")


@dataclass(frozen=True, slots=True)
class MessageFilter:
    """What counts as noise.

    `drop_roles`: every message of these roles. `drop_tool_chatter`: calls of tools that say nothing beside the call,
    and the answers of tools. `drop_empty`: messages without text, call or other content. `duplicates`: which of
    several equal messages are dropped: none (`keep`), those right behind their equal (`adjacent`), or every later one
    (`all`).
    """

    drop_roles: frozenset[str] = frozenset()
    drop_tool_chatter: bool = True
    drop_empty: bool = True
    duplicates: str = "adjacent"

    def __post_init__(self) -> None:
        """Refuses what would filter otherwise than it reads."""
        if isinstance(self.drop_roles, str):
            raise ValueError(f"drop_roles must be a set of roles, not the text {self.drop_roles!r}")
        if self.duplicates not in _DUPLICATES:
            raise ValueError(f"duplicates is {self.duplicates!r}; it must be one of {', '.join(_DUPLICATES)}")


def filter_messages(messages: Sequence[MessageT], config: MessageFilter | None = None) -> list[MessageT]:
    """Returns the messages that are no noise: the same objects, in the same order.

    A message is a mapping with `role`, and `content` (a text, a list of parts or None), `tool_calls` and
    `tool_call_id` as chat models have them. A call that stays keeps its answers, so that no model is shown one
    without the other; `drop_roles` goes before that. Raises SessionError, with the place, for what is no message.
    """
    wanted = config or MessageFilter()
    if isinstance(messages, str | bytes | Mapping) or not isinstance(messages, Sequence):
        raise SessionError("messages", f"a list is wanted, not {kind_of(messages)}")
    kept: list[MessageT] = []
    answered: set[object] = set()
    for index, message in enumerate(messages):
        _check(message, f"messages[{index}]")
        if message["role"] in wanted.drop_roles:
            continue
        if not _is_answer_to(message, answered) and _is_noise(message, kept, wanted):
            continue
        answered |= _call_ids(message)
        kept.append(message)
    return kept


def _is_noise(message: Mapping[str, Any], kept: Sequence[Mapping[str, Any]], wanted: MessageFilter) -> bool:
    blank = _is_blank(message.get("content"))
    calls = bool(message.get("tool_calls") or message.get("function_call"))
    if wanted.drop_tool_chatter and (message["role"] in _TOOL_ROLES or (calls and blank)):
        return True
    if wanted.drop_empty and blank and not calls:
        return True
    if wanted.duplicates == "adjacent":
        return bool(kept) and kept[-1] == message
    return wanted.duplicates == "all" and message in kept


def _is_answer_to(message: Mapping[str, Any], answered: set[object]) -> bool:
    return message["role"] in _TOOL_ROLES and message.get("tool_call_id") in answered


def _call_ids(message: Mapping[str, Any]) -> set[object]:
    calls = message.get("tool_calls") or ()
    return {call["id"] for call in calls if isinstance(call, Mapping) and isinstance(call.get("id"), str)}


def _is_blank(content: object) -> bool:
    if content is None:
        return True
    if isinstance(content, str):
        return not content.strip()
    if isinstance(content, Sequence):
        return all(
            isinstance(part, Mapping) and part.get("type") == "text" and not str(part.get("text") or "").strip()
            for part in content
        )
    return False


def _check(message: object, place: str) -> None:
    if not isinstance(message, Mapping):
        raise SessionError(place, f"an object is wanted, not {kind_of(message)}")
    if not isinstance(message.get("role"), str):
        raise SessionError(f"{place}.role", "a text is wanted")
