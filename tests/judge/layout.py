"""Changes of how a claim or its evidence is laid out and written, which say nothing new."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from decimal import Decimal
from typing import Final

from tests.judge.rows import Change, Row, with_texts

_WIDTHS: Final = (56, 72, 100)
_BLANKS: Final = (" ", "  ", "\t", "\n", "\r\n", "\u00a0", "\u3000", " \n\t ")
_HAN: Final = "\u3400-\u9fff"


def _claim(row: Row, claim: str) -> Row | None:
    return None if claim == row.claim else replace(row, claim=claim)


def other_blanks_in_the_claim(row: Row, chance: random.Random) -> Row | None:
    """Writes each blank as tabs, line breaks, wide blanks and several of them."""
    return _claim(row, re.sub(" ", lambda _: chance.choice(_BLANKS), row.claim))


def blanks_around_the_claim(row: Row, chance: random.Random) -> Row | None:
    return _claim(row, chance.choice(_BLANKS) + row.claim + chance.choice(_BLANKS))


_SEAM: Final = re.compile(rf"(?<=[{_HAN}])(?=[0-9A-Za-z])|(?<=[0-9A-Za-z%])(?=[{_HAN}])")
_SEAM_BLANK: Final = re.compile(rf"(?<=[{_HAN}]) +(?=[0-9A-Za-z])|(?<=[0-9A-Za-z%]) +(?=[{_HAN}])")


def blanks_between_the_scripts_of_the_claim(row: Row, chance: random.Random) -> Row | None:
    """Puts a blank wherever Chinese meets Latin, or takes all of them away."""
    without = _SEAM_BLANK.sub("", row.claim)
    return _claim(row, _SEAM.sub(" ", without) if chance.random() < 0.5 else without)


_WIDE: Final = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}


def full_width_claim(row: Row, chance: random.Random) -> Row | None:
    """Writes every sign of the claim in its full width, and some blanks."""
    wide = row.claim.translate(_WIDE)
    return _claim(row, wide.replace(" ", "\u3000") if chance.random() < 0.5 else wide)


def _number(value: Decimal) -> str:
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def another_full_stop(row: Row, chance: random.Random) -> Row | None:
    """Drops the full stop, or puts one where none is."""
    del chance
    bare = row.claim.rstrip(".。")
    if bare != row.claim:
        return replace(row, claim=bare)
    return replace(row, claim=f"{row.claim}{'。' if re.search(f'[{_HAN}]', row.claim) else '.'}")


_CONTRACTED: Final = (
    ("can't", "cannot"),
    ("won't", "will not"),
    *((f"{verb}n't", f"{verb} not") for verb in (
        "do", "does", "did", "is", "are", "was", "were", "has", "have", "had", "could", "should", "would", "must",
    )),
)  # fmt: skip
_SHORT: Final = dict(_CONTRACTED)
_LONG: Final = {long: short for short, long in _CONTRACTED}
_EITHER: Final = re.compile(rf"(?<![\w'])(?:{'|'.join([*_SHORT, *_LONG])})(?!\w)", re.IGNORECASE)


def _other_contraction(text: str, chance: random.Random) -> str:
    def change(found: re.Match[str]) -> str:
        said = found[0].lower()
        new = _SHORT.get(said) or _LONG[said]
        new = new.replace("'", chance.choice("'\u2019"))
        return new[0].upper() + new[1:] if found[0][0].isupper() else new

    return _EITHER.sub(change, text)


def contracted_denials_in_the_claim(row: Row, chance: random.Random) -> Row | None:
    """Writes `do not` as `don't` and the other way round."""
    return _claim(row, _other_contraction(row.claim, chance))


def contracted_denials_in_the_evidence(row: Row, chance: random.Random) -> Row | None:
    return with_texts(row, lambda text: _other_contraction(text, chance))


# A word in lower case that is no part of a name.
_PLAIN: Final = re.compile(r"(?<![\w./:@#$%&*+=~<>\"'`\\\u2019-])[a-z]{3,}(?=[ ,;.]?(?:[ ]|\Z))")
_OPENING: Final = re.compile(r"\A[A-Z](?=[a-z]* [a-z])")


def other_capitals_in_the_claim(row: Row, chance: random.Random) -> Row | None:
    """Writes some ordinary words with a capital, and the first without."""
    claim = _PLAIN.sub(lambda found: found[0].capitalize() if chance.random() < 0.5 else found[0], row.claim)
    return _claim(row, _OPENING.sub(lambda found: found[0].lower(), claim))


def line_ends_of_windows(row: Row, chance: random.Random) -> Row | None:
    del chance
    return with_texts(row, lambda text: text.replace("\r\n", "\n").replace("\n", "\r\n"))


# Sentences and nothing else: no key, no column, no time in front, and words enough to go over a line.
_SENTENCES: Final = re.compile(
    r"^(?=(?:[^\n ]+ ){7})[A-Z][a-z]*(?: (?:[A-Za-z0-9,;'\"\u2019/&$%.-]+|\([^\n()|=:{}]*\),?))+[.]$", re.MULTILINE
)


def prose_wrapped_anew(row: Row, chance: random.Random) -> Row | None:
    width = chance.choice(_WIDTHS)
    return with_texts(row, lambda text: _SENTENCES.sub(lambda found: _wrapped(found[0], width), text))


def _wrapped(text: str, width: int) -> str:
    lines = [""]
    for word in text.split(" "):
        # A line that begins with a capital or a figure can begin a record as well.
        if len(lines[-1]) + len(word) > width and lines[-1] and word[0].islower():
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}" if lines[-1] else word
    return "\n".join(lines)


def full_width_digits_in_the_evidence(row: Row, chance: random.Random) -> Row | None:
    del chance
    return with_texts(row, lambda text: re.sub("[0-9]", lambda digit: chr(ord(digit[0]) + 0xFEE0), text))


_CHINESE_LINE: Final = re.compile(rf"^[^\n{{}}\"|=\t]*[{_HAN}][^\n{{}}\"|=\t]*$", re.MULTILINE)
_SIGN: Final = re.compile(r"[,:;()%!?](?!\d)(?<![\d][:,])")


def full_width_signs_in_the_evidence(row: Row, chance: random.Random) -> Row | None:
    """Writes the signs of Chinese lines in full width, or in half width."""
    widen = chance.random() < 0.5

    def change(found: re.Match[str]) -> str:
        if widen:
            return _SIGN.sub(lambda sign: chr(ord(sign[0]) + 0xFEE0), found[0])
        return re.sub("[：（）％；]", lambda sign: chr(ord(sign[0]) - 0xFEE0), found[0])

    return with_texts(row, lambda text: _CHINESE_LINE.sub(change, text))


# What a figure can be written as as well: the units of one spelling, by how many of the second make one of the first.
_UNITS: Final = (
    ("s", "ms", 1000),
    ("ms", "us", 1000),
    ("s", "ms", 1000),
    ("GiB", "MiB", 1024),
    ("MiB", "KiB", 1024),
    ("Gi", "Mi", 1024),
    ("秒", "毫秒", 1000),
    ("分钟", "秒", 60),
    ("小时", "分钟", 60),
)


def _in_units(text: str, other: str, *, shared: bool) -> str:
    """Returns a text with its figures in the next smaller unit; `shared` are those alone that `other` has as well."""
    for large, small, factor in _UNITS:
        figure = re.compile(rf"(?<![\w.,:/-])(\d+(?:\.\d+)?)( ?){large}(?![A-Za-z{_HAN}/.]|\()")

        def change(found: re.Match[str], small: str = small, factor: int = factor) -> str:
            if shared and not re.search(rf"(?<![\d.]){re.escape(found[1])}(?![\d.])", other):
                return found[0]
            return f"{_number(Decimal(found[1]) * factor)}{found[2]}{small}"

        new = figure.sub(change, text)
        if new != text:
            return new
    return text


def smaller_units_in_the_claim(row: Row, chance: random.Random) -> Row | None:
    """Writes figures that the evidence has as well in a smaller unit: of others the last place would count."""
    del chance
    return _claim(row, _in_units(row.claim, "\n".join(one.text for one in row.evidence), shared=True))


def smaller_units_in_the_evidence(row: Row, chance: random.Random) -> Row | None:
    del chance
    return with_texts(row, lambda text: _in_units(text, row.claim, shared=True))


_SHARE: Final = re.compile(r"(\"?\w*ratio\"?\s*[:=]\s*)(0\.\d\d)(?![\d.])")


def percent_for_a_ratio(row: Row, chance: random.Random) -> Row | None:
    """Writes the value of a field that says ratio as percent."""
    del chance
    return with_texts(
        row, lambda text: _SHARE.sub(lambda found: f"{found[1]}{_number(Decimal(found[2]) * 100)}%", text)
    )


LAYOUTS: Final[dict[str, Change]] = {
    change.__name__: change
    for change in (
        other_blanks_in_the_claim,
        blanks_around_the_claim,
        blanks_between_the_scripts_of_the_claim,
        full_width_claim,
        another_full_stop,
        contracted_denials_in_the_claim,
        contracted_denials_in_the_evidence,
        other_capitals_in_the_claim,
        line_ends_of_windows,
        prose_wrapped_anew,
        full_width_digits_in_the_evidence,
        full_width_signs_in_the_evidence,
        smaller_units_in_the_claim,
        smaller_units_in_the_evidence,
        percent_for_a_ratio,
    )
}
