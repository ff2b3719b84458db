"""Names the classes of characters that quoting text depends on."""

from __future__ import annotations

from typing import Final

CJK_RANGES: Final = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3040-\u30ff\u3100-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
"""Ideographs, kana and Hangul, ready for a regex character class: scripts in which white space joins nothing."""

CJK_PUNCTUATION_RANGES: Final = "\u3000-\u3004\u3008-\u3020\u3030\ufe30-\ufe4f\uff00-\uffef"
"""Punctuation that is drawn as wide as an ideograph."""

JOINERS: Final = "-./@\\"
"""Characters that join words to one name: `order-service`, `db.prod`, `a/b`, `user@host`, `C:\\logs`."""

SIGNS: Final = "+-\u00b1"
CURRENCIES: Final = "$\u20ac\u00a3\u00a5"
CHINESE_NUMERALS: Final = frozenset("零〇一二三四五六七八九十百千万亿两廿卅")
CHINESE_MAGNITUDES: Final = frozenset("十百千万亿")

_CJK_STARTS: Final = 0x2E80


def is_cjk(char: str) -> bool:
    """Returns whether one character is an ideograph, kana or Hangul."""
    code = ord(char)
    if code < _CJK_STARTS:
        return False
    return (
        0x3400 <= code <= 0x4DBF
        or 0x4E00 <= code <= 0x9FFF
        or 0x3040 <= code <= 0x30FF
        or 0xAC00 <= code <= 0xD7FF
        or 0x20000 <= code <= 0x3FFFF
        or 0x2E80 <= code <= 0x2FDF
        or 0x3005 <= code <= 0x3007
        or 0x3021 <= code <= 0x3029
        or 0x3031 <= code <= 0x3035
        or 0x3100 <= code <= 0x31BF
        or 0x31F0 <= code <= 0x31FF
        or 0xA960 <= code <= 0xA97F
        or 0xF900 <= code <= 0xFAFF
        or 0x1B000 <= code <= 0x1B16F
    )


def is_wide(char: str) -> bool:
    """Returns whether white space beside the character is layout alone: CJK and its wide punctuation."""
    code = ord(char)
    return code >= _CJK_STARTS and (
        is_cjk(char) or 0x3000 <= code <= 0x303F or 0xFE30 <= code <= 0xFE4F or 0xFF00 <= code <= 0xFFEF
    )


def is_word(char: str) -> bool:
    """Returns whether a character belongs to a word that is written without gaps (letters, digits, underscore)."""
    return (char.isalnum() or char == "_") and not is_cjk(char)
