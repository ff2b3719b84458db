"""Tells the words that look like marks of reach and are none where they stand.

A word reads one way before an amount and another behind an event (只要 30 毫秒 is what it costs and no condition,
三天后才 is when and no "only"). What a word does not claim needs no witness.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from evidencegate_server.judge.claims.model import Clause
from evidencegate_server.judge.values.model import Instant, Quantity
from evidencegate_server.judge.vocabulary import Term, Vocabulary

_BESIDE: Final = 2  # code points between a word and the amount that it stands before
_TIMES: Final = re.compile(r"\btimes\s*\Z")
_THAN: Final = re.compile(r"\b(?:more|less|as)\s*\Z", re.IGNORECASE)
_ONE: Final = re.compile(r"\s*(?:one|a|an)\b|有?一", re.IGNORECASE)
_WHEN: Final = re.compile(r"\s*(?:then|after|when|once)\b", re.IGNORECASE)
_BOTH_AND: Final = re.compile(r"\s+((?:[^\s,;]+\s+){1,5}?)and\s", re.IGNORECASE)
_SHARE_OF: Final = re.compile(r"(?:\bof|占了?)\s*\Z", re.IGNORECASE)
_LATE: Final = ("@order.after", "@order.then")
_EVENTS: Final = ("后", "时")
_FROM: Final = ("从", "自")
_LIMITS: Final = ("statistic", "attribute")
_OF_THINGS: Final = frozenset({"the only", "sole", "alone", "exclusively", "no other", "唯一", "唯", "唯独", "单单"})
_ENDING: Final = "ing"


def is_idle(name: str, term: Term, clause: Clause, text: str, vocabulary: Vocabulary) -> bool:
    """Returns whether a mark claims nothing of what it mostly does."""
    check = _CHECKS.get(name)
    return check is not None and check(term, clause, text, vocabulary)


def _cost(term: Term, clause: Clause, text: str, _vocabulary: Vocabulary) -> bool:
    """只要 before an amount is what it takes; `3 times as long as` compares."""
    if text[term.start : term.end].isascii():
        return _TIMES.search(text, clause.start, term.start) is not None and bool(clause.values)
    return text.startswith("只要", term.start) and _before_amount(term, clause)


def _ran_out(term: Term, _clause: Clause, text: str, _vocabulary: Vocabulary) -> bool:
    """What ran out, or runs out at a time, is no more near to it."""
    words = text[term.start : term.end].lower().split()
    return words[0].startswith(("run", "ran")) and not words[0].endswith(_ENDING)


def _begun(term: Term, clause: Clause, text: str, _vocabulary: Vocabulary) -> bool:
    """起 says since when only behind a time, or where 从 stands before it (起不来, 拉起); 自 only before a time."""
    word = text[term.start : term.end]
    if word == "起":
        times = any(0 <= term.start - value.outer_end <= _BESIDE for value in clause.values)
        return not times and not any(sign in text[clause.start : term.start] for sign in _FROM)
    if word == "自":
        instants = (value for value in clause.values if isinstance(value.value, Instant))
        ends = ("起", "以来", "之后", "后", "开始", "至今")
        return not any(0 <= value.outer_start - term.end <= _BESIDE for value in instants) and not any(
            end in text[term.end : clause.end] for end in ends
        )
    return False


def _not_only(term: Term, clause: Clause, text: str, vocabulary: Vocabulary) -> bool:
    """Only 25 rows: the figure is what is said. 才 behind what it waits for, and `only then`, tell an order."""
    if _is_of_figure(term, clause, text, vocabulary):
        return True
    if text[term.start : term.end].isascii():
        return _WHEN.match(text, term.end) is not None
    if text[term.start : term.end] != "才":
        return False
    if text[: clause.start].rstrip(" ,\uff0c").endswith(_EVENTS) and not text[clause.start : term.start].strip():
        return True  # a Chinese word of order ends the clause of what is waited for
    return any(name.startswith(_LATE) and one.end <= term.start for name, one in clause.marks) or any(
        isinstance(value.value, Instant) and value.outer_end <= term.start for value in clause.values
    )


def _is_of_figure(term: Term, clause: Clause, text: str, vocabulary: Vocabulary) -> bool:
    """Returns whether a word for only is told of an amount behind it, and of no thing (only web-1 restarted twice)."""
    value = next((one for one in clause.values if one.start >= term.end), None)
    if value is None or text[term.start : term.end].lower() in _OF_THINGS:
        return False
    between = (one for one in clause.terms if term.end <= one.start < value.outer_start)
    return not any(one.is_name or any(vocabulary.kind(name) == "thing" for name in one.names) for one in between)


def _not_then(term: Term, clause: Clause, text: str, _vocabulary: Vocabulary) -> bool:
    """才 before an amount says how little it is."""
    return text[term.start : term.end] == "才" and any(
        isinstance(value.value, Quantity) and value.start >= term.end for value in clause.values
    )


def _both_and(term: Term, clause: Clause, text: str, vocabulary: Vocabulary) -> bool:
    """`both A and B` lists what the clause states anyway; in `both nodes failed and ...` a verb stands between."""
    found = _BOTH_AND.match(text, term.end)
    if text[term.start : term.end].lower() != "both" or found is None:
        return False
    between = [
        one for one in clause.terms if found.start(1) <= one.start < found.end(1) and one.names[0][0] not in "=+"
    ]
    kinds = [{vocabulary.kind(name) for name in one.names} for one in between]
    of_things = next((at for at, kind in enumerate(kinds) if "thing" in kind), None)
    return of_things is None or not any(kind & {"state", "event"} for kind in kinds[of_things + 1 :])


def _at_least_one(term: Term, clause: Clause, text: str, vocabulary: Vocabulary) -> bool:
    """At least one is some; `went over` something that is no bound is no comparison."""
    word = text[term.start : term.end].lower()
    if word in ("at least", "至少", "起码"):
        return _ONE.match(text, term.end) is not None and not any(
            0 <= value.start - term.end <= _BESIDE for value in clause.values
        )
    if word in ("went over", "goes over"):
        noun = next((one for one in clause.terms if one.start >= term.end and "article" not in one.names), None)
        amount = any(0 <= value.outer_start - term.end <= 1 for value in clause.values)
        return noun is not None and not amount and not any(vocabulary.kind(name) in _LIMITS for name in noun.names)
    return False


def _compared_otherwise(term: Term, clause: Clause, text: str, _vocabulary: Vocabulary) -> bool:
    """What a word for than compares, another mark or a figure tells; 比 web-3 多 has neither, and is not known."""
    if text[term.start : term.end].isascii() or clause.values:
        return True
    return any(name.startswith(("@comparison", "@change", "@trend")) and one is not term for name, one in clause.marks)


def _more_often(term: Term, _clause: Clause, text: str, _vocabulary: Vocabulary) -> bool:
    """`more often than` compares counts."""
    return text[term.start : term.end].lower() in ("often", "frequently") and (
        _THAN.search(text, max(0, term.start - len("more ") - 1), term.start) is not None
    )


def _share_of_all(term: Term, clause: Clause, text: str, _vocabulary: Vocabulary) -> bool:
    """A share of all of something (70 % of all series) is told by the share."""
    before = _SHARE_OF.search(text, clause.start, term.start)
    if before is None or text[term.start : term.end].lower() not in ("all", "全部", "所有"):
        return False
    return any(
        isinstance(value.value, Quantity)
        and value.value.measure == "share"
        and 0 <= before.start() - value.outer_end <= _BESIDE
        for value in clause.values
    )


def _before_amount(term: Term, clause: Clause) -> bool:
    return any(
        isinstance(value.value, Quantity) and 0 <= value.outer_start - term.end <= _BESIDE for value in clause.values
    )


_Check = Callable[[Term, Clause, str, Vocabulary], bool]
_CHECKS: Final[Mapping[str, _Check]] = {
    "@conditions": _cost,
    "@near": _ran_out,
    "@time_scope.since": _begun,
    "@quantifiers.only": _not_only,
    "@order.then": _not_then,
    "@quantifiers.both": _both_and,
    "@comparison.greater": _at_least_one,
    "@comparison.than": _compared_otherwise,
    "@quantifiers.sometimes": _more_often,
    "@quantifiers.all": _share_of_all,
}
