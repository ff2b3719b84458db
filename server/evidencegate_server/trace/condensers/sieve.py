"""Tells cheaply that a word stands nowhere in a long text: most telling words stand in none.

What is looked through is a part of the text: its bytes without digits, signs, blanks, the commonest letters and the
first byte of each letter that is not ASCII, and of lines that are the same without them only one. Whatever is left out
of a line is left out of the word as well, so a word that stands in the text stands in what is left of it; the other way
round it need not, and then the text itself is asked.
"""

from __future__ import annotations

import string
from typing import Final

_COMMONEST: Final = "eots"  # with more left out, too little of a word remains to tell it by
_KEPT: Final = frozenset(string.ascii_letters) - frozenset(_COMMONEST + _COMMONEST.upper()) | {"\n"}
_LEFT_OUT: Final = bytes(byte for byte in range(256) if byte >= 0xC0 or (byte < 0x80 and chr(byte) not in _KEPT))
_LOWER: Final = bytes(range(256)).lower()
_LOWERED_TO_ASCII: Final = "\u0130\u212a"  # the letters beyond ASCII whose lower case begins with an ASCII one


class Sieve:
    """What is left of one text. A word is looked up in lower case, and the text's case does not count."""

    def __init__(self, text: str) -> None:
        self._is_ascii = text.isascii()
        self._holds_any = not self._is_ascii and any(letter in text for letter in _LOWERED_TO_ASCII)
        self._rest = b"\n".join(dict.fromkeys(_rest(text).split(b"\n")))

    def may_hold(self, word: str) -> bool:
        """Returns False only where the text in lower case has no such word."""
        if self._holds_any or "\n" in word:
            return True
        # Beyond ASCII the bytes of a letter and of its lower case have nothing in common.
        if not word.isascii() and (self._is_ascii or word.upper() != word):
            return not self._is_ascii
        return _rest(word) in self._rest


def _rest(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass").translate(_LOWER, _LEFT_OUT)
