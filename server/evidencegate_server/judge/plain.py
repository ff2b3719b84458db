"""Makes of a text what it says in whatever layout: one kind of blank, half-width signs, denials written out."""

from __future__ import annotations

import re
from typing import Final

from evidencegate_server.contract.records import record

_HAN: Final = "\u3400-\u9fff"
_BLANK: Final = r"[\s\u200b\ufeff]"
_SEAM: Final = rf"(?<=[{_HAN}])(?=[0-9A-Za-z])|(?<=[0-9A-Za-z%])(?=[{_HAN}])"
# A denial that is run into its verb; `can` and `will` change theirs.
_DENIAL: Final = "(?:(?<![A-Za-z])wo|(?<=[A-Za-z]))n['\u2019]t(?![A-Za-z])"
# What is laid out otherwise: runs of blanks, one that is no space, where two scripts meet, and a denial run in.
_OTHERWISE: Final = re.compile(rf"{_BLANK}{{2,}}|(?! ){_BLANK}|\A |(?<= )\Z|{_SEAM}|{_DENIAL}", re.IGNORECASE)
# A comma behind a digit of its own width groups thousands; a wide one behind a narrow digit parts a list.
_COMMA: Final = re.compile("(?<![0-9])\uff0c")
_WIDE: Final = 0xFEE0
_NARROW: Final = {code: code - _WIDE for code in range(0xFF01, 0xFF5F) if code != 0xFF0C}
# In evidence each sign keeps its place, and blanks part columns: only what is one character for one is changed.
_LEVEL: Final = {code: code - _WIDE for code in (*range(0xFF10, 0xFF1B), 0xFF0E, 0xFF05, 0xFF0F, 0xFF0D,
                                                 *range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B))}  # fmt: skip
_LEVEL_BLANKS: Final = dict.fromkeys((0x0D, 0xA0, *range(0x2000, 0x200B), 0x202F), 0x20)
_TO_LEVEL: Final = _LEVEL | _LEVEL_BLANKS
# Blanks in prose say nothing: all but the first of a run become this one, which joins what it stands between.
JOINT: Final = "\u00a0"
_WRAP: Final = re.compile(r"[ \t]*\n[ \t\n]*|[ \t]{2,}")
_UNEVEN: Final = re.compile(f"[{''.join(map(chr, _TO_LEVEL))}]")


@record
class Plain:
    """A text in its plain layout. `places` has where each of its characters stood, None where the text was plain."""

    text: str
    places: tuple[int, ...] | None = None

    def written(self, start: int, end: int) -> tuple[int, int]:
        """Returns where a stretch of the plain text stands in the text as it was written."""
        if self.places is None:
            return start, end
        if end > start:
            return self.places[start], self.places[end - 1] + 1
        at = self.places[start] if start < len(self.places) else self.places[-1] + 1 if self.places else 0
        return at, at


def plain(text: str) -> Plain:
    """Returns a text in its plain layout. Linear in the text."""
    level_text = text if text.isascii() else _COMMA.sub(",", text).translate(_NARROW)
    if _OTHERWISE.search(level_text) is None:
        return Plain(text) if level_text == text else Plain(level_text, tuple(range(len(text))))
    parts: list[str] = []
    places: list[int] = []
    at = 0
    for found in _OTHERWISE.finditer(level_text):
        start, end = found.span()
        said = _denied(level_text, found) if found[0][-1:] in ("t", "T") else " "
        parts += [level_text[at:start], said]
        places.extend(range(at, start))
        if said == " ":
            places.append(start if end > start else max(0, start - 1))
        else:
            places.extend(min(start + step, end - 1) for step in range(len(said)))
        at = end
    parts.append(level_text[at:])
    places.extend(range(at, len(text)))
    made = "".join(parts)
    left = len(made) - len(made.lstrip(" "))
    right = max(left, len(made.rstrip(" ")))
    return Plain(made[left:right], tuple(places[left:right]))


def _denied(text: str, found: re.Match[str]) -> str:
    """Returns in full what a denial run into its verb says (is not, cannot, will not)."""
    if len(found[0]) > len("n't"):
        return f"{found[0][0]}ill not"
    return "nnot" if text[max(0, found.start() - 2) : found.start()].lower() == "ca" else " not"


def level(text: str) -> str:
    """Returns evidence with its full-width digits and letters narrow and its odd blanks plain, each at its place."""
    return text if _UNEVEN.search(text) is None else text.translate(_TO_LEVEL)


def joined(prose: str) -> str:
    """Returns prose as if it stood on one line with single blanks, each character at its place."""
    return _WRAP.sub(lambda found: " " + JOINT * (len(found[0]) - 1), prose)
