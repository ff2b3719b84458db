"""Tells the number of some from the number of all of them (12 of 340), and a count from a number that is a name."""

from __future__ import annotations

import re
from typing import Final

_REACH: Final = 40  # code points around a number
_WHOLE_BEHIND: Final = re.compile(r"\d[\d,.]*\s*(?:of|out of|/)\s*(?:the |all )?$", re.IGNORECASE)
_PART_BEFORE: Final = re.compile(r"\s*(?:of|out of|/)\s*(?:the |all )?\d", re.IGNORECASE)
_WHOLE_BEFORE_ZH: Final = re.compile(r"\s*[\u4e00-\u9fff]{0,6}\s*(?:\u4e2d|\u91cc)(?:\u6709|\u7684)?\s*\d")
_WITHIN: Final = re.compile(r"\b(?:in|within|over|during)(?: the)?(?: last| past)?\s*$", re.IGNORECASE)
_WITHIN_ZH: Final = re.compile(r"\s*(?:之?内|里|期间|间)")
_HOST: Final = re.compile(r"(?<![\w=])[a-z][a-z0-9]*[-.][\w.-]*\w:\Z")
_PORT: Final = re.compile(r"(?:[\w.]:|\bports?\b[^,;.]*|端口[^，；。]*)\Z", re.IGNORECASE)
_CODE_BEFORE: Final = re.compile(r"(?:\b(?:code|errno|error|port|exit|line|pid|id)\b\W{0,3}|[\w.]:)$", re.IGNORECASE)
_CODE_AROUND: Final = ("''", '""', "(:")


def share_of(text: str, start: int, end: int) -> str:
    """Returns `part` for the first number of `12 of 340`, `whole` for the second, else an empty text."""
    before, behind = text[max(0, start - _REACH) : start], text[end : end + _REACH]
    if _PART_BEFORE.match(behind):
        return "part"
    if _WHOLE_BEHIND.search(before) or _WHOLE_BEFORE_ZH.match(behind):
        return "whole"
    return ""


def is_stretch(text: str, start: int, end: int) -> bool:
    """Returns whether a length of time says within how long something came about (in 5 minutes, 5 分钟内)."""
    before, behind = text[max(0, start - _REACH) : start], text[end : end + _REACH]
    return _WITHIN.search(before) is not None or _WITHIN_ZH.match(behind) is not None


def is_port(text: str, start: int) -> bool:
    """Returns whether a number stands right behind a host's name (`idx-7:9300`)."""
    return _HOST.search(text, max(0, start - _REACH), start) is not None


def is_told_as_port(text: str, start: int) -> bool:
    """Returns whether a claim tells of a number as a port, or as a part of an address."""
    return _PORT.search(text, max(0, start - _REACH), start) is not None


def is_code(text: str, start: int, end: int) -> bool:
    """Returns whether a number in a text is a name and counts nothing: a port, an exit code, a key in quotes."""
    before, behind = text[max(0, start - _REACH) : start], text[end : end + 1]
    around = before[-1:] + behind
    return _CODE_BEFORE.search(before) is not None or around in _CODE_AROUND
