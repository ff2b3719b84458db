"""Says what an identifier is, and brings texts into the form in which names are read and searched."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import field
from enum import Enum
from typing import Final

from evidencegate_server.contract.records import record


class Form(Enum):
    """What gave an identifier away, which decides how it is searched."""

    WORD = "word"
    NAME = "name"
    DOTTED = "dotted"
    CAMEL = "camel"
    PRODUCT = "product"
    HEX = "hex"
    ADDRESS = "address"
    VERSION = "version"
    PATH = "path"


@record
class Identifier:
    """One identifier of a claim.

    `text` is how the claim writes it, `name` what is searched of it, in the letter case of the claim: of `10.0.0.1:80`
    the host is an identifier of its own, and what is left is the port. Two spellings in letter case are the same.
    """

    text: str = field(compare=False)
    name: str = field(compare=False)
    key: str
    form: Form

    @classmethod
    def of(cls, text: str, form: Form, name: str | None = None) -> Identifier:
        """Makes an identifier; the name is the text where nothing else is given."""
        searched = text if name is None else name
        return cls(text, searched, searched.lower(), form)


FOREIGN_LETTERS: Final = (
    "\u00aa\u00b5\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0250-\u02af\u0370-\u0373\u0376-\u037d\u0386-\u0481"
    "\u048a-\u0587\u10a0-\u10ff\u13a0-\u13ff\u1c80-\u1cbf\u1d00-\u1dbf\u1e00-\u1fff\u2c00-\u2dff\ua640-\ua69f\ua720-\ua7ff"
    "\uab30-\uabbf"
)
"""Letters of the scripts that look like Latin, ready for a regex character class: one of them can hide in a name."""

_SIGNS: Final = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
_SIGNS.update(dict.fromkeys((*range(0x2010, 0x2016), 0x2212), "-"))
_SIGNS.update(dict.fromkeys((0x3000, 0x00A0), " "))
# Letters, digits and the signs that join names; the full-width comma and its like part words as they are.
_ODD_SIGNS: Final = re.compile(
    "[\uff05\uff0b\uff0d-\uff19\uff20-\uff3a\uff3c\uff3f\uff41-\uff5a\u2010-\u2015\u2212\u3000\u00a0]+"
)
# Letters in other clothes: bold, circled, double-struck.
_STYLED: Final = re.compile("[\u2460-\u24ff\U0001d400-\U0001d7ff]+")
_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\U000e0000-\U000e0fff]+"
)
_TERMINAL: Final = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")


def plain_signs(text: str) -> str:
    """Returns a text with full-width letters and odd dashes made plain, invisible signs and terminal codes removed."""
    if "\x1b" in text:
        text = _TERMINAL.sub("", text)
    if not text.isascii():
        text = _INVISIBLE.sub("", text)
        text = _ODD_SIGNS.sub(lambda run: run[0].translate(_SIGNS), text)
        text = _STYLED.sub(lambda run: unicodedata.normalize("NFKC", run[0]), text)
    return text
