"""Works out from Python's Unicode tables what folding changes.

Run it (`python -m tests.text.fold_source`) to write `text/fold_data.py` anew; a test compares the two.
"""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Final

import evidencegate_server.text
from evidencegate_server.text.fold_tables import COMMON, INVISIBLE, QUOTES_AND_DASHES, SENTENCE_MARKS

DATA: Final = Path(evidencegate_server.text.__file__).with_name("fold_data.py")
_LINE: Final = 112

_COMPATIBILITY_BLOCKS: Final = (
    (0x00A0, 0x0250),
    (0x02B0, 0x0300),
    (0x0370, 0x0600),
    (0x0E30, 0x0F80),
    (0x1D00, 0x1F00),
    (0x1FB0, 0x2E80),
    (0x2E80, 0x3000),
    (0x3030, 0x3400),
    (0xA690, 0xA7FF),
    (0xAB50, 0xAB70),
    (0xF900, 0xFE00),
    (0xFE10, 0x10000),
    (0x1D400, 0x1D800),
    (0x1F100, 0x1F270),
    (0x2F800, 0x2FA20),
)
_MEANINGFUL_FORMS: Final = ("<super>", "<sub>", "<fraction>")
_WIDTH_FORMS: Final = ("<wide>", "<narrow>", "<font>", "<small>", "<vertical>")


def build() -> tuple[dict[str, str], dict[str, str]]:
    """Returns what is folded wherever it stands, and what only where no number is beside it."""
    plain: dict[str, str] = {}
    numbered: dict[str, str] = {}
    for first, last in _COMPATIBILITY_BLOCKS:
        for code in range(first, last):
            char = chr(code)
            form = unicodedata.decomposition(char)
            if not form.startswith("<"):
                continue
            folded = unicodedata.normalize("NFKC", char)
            if char.isspace() or folded == char or char in INVISIBLE or form.startswith(_MEANINGFUL_FORMS):
                continue
            if _has_meaningful_form(form):
                continue
            if any(part.isspace() for part in folded):
                continue  # a spacing accent, drawn as a space with a mark: leave it
            if any(part.isdigit() for part in folded) and not form.startswith(_WIDTH_FORMS):
                numbered[char] = folded
            else:
                plain[char] = folded
    for char in (*SENTENCE_MARKS, *QUOTES_AND_DASHES, *(char for char, _ in COMMON)):
        plain.pop(char, None)
    return plain, numbered


def _has_meaningful_form(form: str) -> bool:
    """Returns whether a character's parts hold a superscript or the like, as in the square metre sign."""
    parts = form.split()[1:]
    return any(unicodedata.decomposition(chr(int(part, 16))).startswith(_MEANINGFUL_FORMS) for part in parts)


def source() -> str:
    """Returns the module that holds the tables."""
    plain, numbered = build()
    head = (
        '"""Holds what folding changes, written by tests/text/fold_source.py from Unicode '
        + unicodedata.unidata_version
    )
    parts = [f'{head}."""\n\nfrom __future__ import annotations\n\nfrom typing import Final\n']
    for name, table in (("PLAIN_PAIRS", plain), ("NUMBERED_PAIRS", numbered)):
        parts.append(f"{name}: Final = (  # each a character and what it becomes\n")
        parts.extend(f'    "{line}"\n' for line in _lines([f"{char}{table[char]}" for char in sorted(table)]))
        parts.append(")\n")
    return "\n".join((parts[0], "".join(parts[1:])))


def _lines(pairs: list[str]) -> list[str]:
    lines = [""]
    for number, pair in enumerate(pairs):
        written = (" " if number else "") + ascii(pair)[1:-1].replace('"', '\\"')
        if len(lines[-1]) + len(written) > _LINE:
            lines.append("")
        lines[-1] += written
    return lines


if __name__ == "__main__":
    DATA.write_text(source(), "utf-8")
