"""Turns the states and statistics of a claim into others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import yaml
from evidencegate_server.lexicon.concept_words import Concept

from tools.twin_mutators.clauses import DENIES, EXISTENTIAL, clause
from tools.twin_mutators.model import TrueClaim, first_few

Guard = Callable[[TrueClaim, re.Match[str], str], bool]
"""Returns whether putting a text in the place of a match may leave the claim true."""

_CONCEPTS: Final = Path(__file__).resolve().parents[2] / "rules" / "lexicon" / "concepts.yaml"

# The states that the mutator knows by itself, whatever the judge's lexicon has: it must not test the lexicon by itself.
_OPPOSITES: Final = (
    ("is up", "is down"), ("are up", "are down"), ("healthy", "unhealthy"), ("succeeded", "failed"),
    ("succeeds", "fails"), ("passing", "failing"), ("passed", "failed"), ("online", "offline"), ("enabled", "disabled"),
    ("connected", "disconnected"), ("available", "unavailable"), ("running", "stopped"), ("started", "stopped"),
    ("rose", "fell"), ("increased", "decreased"), ("increasing", "decreasing"), ("rising", "falling"),
    ("raised", "lowered"), ("idle", "busy"), ("full", "empty"), ("free", "in use"), ("valid", "expired"),
    ("accepted", "rejected"), ("allowed", "denied"), ("closed", "open"), ("locked", "unlocked"), ("ready", "not ready"),
    ("green", "red"), ("bound", "unbound"), ("largest", "smallest"), ("highest", "lowest"), ("faster", "slower"),
    ("most", "least"), ("primary", "secondary"), ("recovered", "failed"), ("firing", "resolved"),
    ("失败", "成功"), ("正常", "异常"), ("健康", "不健康"), ("上升", "下降"), ("升到", "降到"), ("上涨", "下降"),
    ("增加", "减少"), ("开启", "关闭"), ("启用", "禁用"), ("在线", "离线"), ("恢复", "故障"), ("就绪", "未就绪"),
    ("可用", "不可用"), ("可达", "不可达"), ("空闲", "繁忙"), ("运行中", "已停止"), ("启动", "停止"), ("允许", "拒绝"),
    ("接受", "拒绝"), ("最高", "最低"), ("最大", "最小"), ("主节点", "从节点"), ("变大", "变小"), ("回落", "攀升"),
    ("断开", "连通"), ("占用", "空闲"), ("扩到", "缩到"), ("调大", "调小"), ("been up", "been down"), ("DOWN", "UP"),
)  # fmt: skip
_ENGLISH_EDGE: Final = r"(?![A-Za-z0-9_-])"
# Terms of the lexicon that are also something else, or whose opposite can be true beside them.
_NO_STATES: Final = frozenset(("exhausted", "耗尽", "behind", "warning", "waiting", "退出", "触发", "排队"))
_AT_LEAST: Final = re.compile(
    r"\b(?:at least|more than|over|above|exceed\w*)\b|超过|至少|高于|大于|多于|不少于|不低于|一度", re.IGNORECASE
)
_PREVENTS: Final = re.compile(
    r"\b(?:keep|keeps|kept|prevent|prevents|prevented|stop|stops)\b[^,;]*\bfrom\s*$", re.IGNORECASE
)
# Behind these the word is a part of another one: running out, fell behind, most likely, shut down, raised in.
_PARTICLE: Final = re.compile(r" (?:out|behind|likely|of|to (?!elect)|in [A-Z]|an alert)\b")


def opposite_state(case: TrueClaim) -> Iterator[str]:
    """Turns a state to its opposite. Left out where both can be true: of some, of more than so many, in a denial."""
    return first_few(_replacements(case, _states(), guard=_state_can_stay), case.claim)


_STATISTICS: Final = (
    ("average", "maximum"), ("averages", "maxima"), ("on average", "at most"), ("mean", "maximum"),
    ("maximum", "average"),
    ("max", "average"), ("minimum", "average"), ("peak", "average"), ("median", "maximum"), ("p99", "p50"),
    ("p95", "p50"),
    ("memory limit", "memory usage"), ("cpu limit", "CPU usage"), ("memory request", "memory limit"),
    ("cpu request", "CPU limit"), ("memory usage", "memory limit"), ("cpu usage", "CPU limit"),
    ("requesting", "using"), ("total", "average"), ("in total", "per second"), ("a second", "in total"),
    ("limited to", "using"),
    ("平均", "最大"), ("最大", "平均"), ("最小", "平均"), ("峰值", "平均值"), ("均值", "峰值"), ("累计", "每秒"),
    ("每秒", "累计"),
    ("总", "平均"), ("上限", "用量"), ("使用率", "上限"), ("占用率", "上限"), ("最多使用", "正在使用"),
    ("阈值", "实测值"),
    ("共", "每秒"),
)  # fmt: skip
_NO_STATISTIC: Final = re.compile(r"总评|总共|总体|总线|总是|共享|公共|共识|共同|最大的|总和|max_|max-|total_|最大努力")


def other_statistic(case: TrueClaim) -> Iterator[str]:
    """Tells a value as another statistic of its quantity.

    Left out where the number nearest to it stands more than once in the evidence, since limit and request can be equal.
    """
    return first_few(_replacements(case, _STATISTICS, guard=_value_stands_twice), case.claim)


def _replacements(case: TrueClaim, pairs: Sequence[tuple[str, str]], guard: Guard) -> Iterator[str]:
    """Replaces each of the first words by the second; where one term lies in another, the longer one goes."""
    by_term: Mapping[str, str] = {_key(term): other for term, other in reversed(pairs)}
    longest_first = sorted(by_term, key=lambda term: (-len(term), term))
    pattern = "|".join(
        rf"(?<![A-Za-z0-9_-]){re.escape(term)}{_ENGLISH_EDGE}" if term.isascii() else re.escape(term)
        for term in longest_first
    )
    for match in re.finditer(pattern, case.claim, re.IGNORECASE):
        new = by_term.get(match[0]) or by_term.get(match[0].lower())
        if new is not None and not guard(case, match, new):
            yield case.replaced(*match.span(), _cased(new, match[0]))


def _key(term: str) -> str:
    """Returns how a term is looked up: one in capitals is a tool's own word, and no other spelling of it counts."""
    return term if term.isupper() else term.lower()


def _cased(text: str, like: str) -> str:
    if like.isupper() and like.isascii():
        return text.upper()
    return text[0].upper() + text[1:] if like[0].isupper() else text


def _state_can_stay(case: TrueClaim, match: re.Match[str], _: str) -> bool:
    """Returns whether the opposite can be true as well, or the word is no state.

    Some can be in one state and some in the other; more than 30 failed requests leave room for more than 30 others; and
    where it is denied that something failed, it may be false of its recovery too.
    """
    before, after = clause(case.claim, match.start(), match.end())
    return (
        DENIES.search(before) is not None
        or _PREVENTS.search(before) is not None
        or EXISTENTIAL.search(before) is not None
        or _AT_LEAST.search(before + match[0] + after) is not None
        or _PARTICLE.match(after) is not None
        or (
            match[0].lower() == "raised"
            and re.search(r"\b(?:was|were|is|are|\w+Exception|\w+Error)\s*$", before) is not None
        )
    )


def _value_stands_twice(case: TrueClaim, match: re.Match[str], _: str) -> bool:
    around = case.claim[max(0, match.start() - 6) : match.end() + 6]
    if _NO_STATISTIC.search(around):
        return True
    numbers = [
        (min(abs(number.start() - match.end()), abs(match.start() - number.end())), number[0])
        for number in re.finditer(r"\d+(?:\.\d+)?", case.claim)
    ]
    if not numbers:
        return True  # a statistic of nothing that is told
    nearest = min(numbers)[1]
    return len(re.findall(rf"(?<![\d.]){re.escape(nearest)}(?![\d]|\.\d)", case.evidence)) > 1


@cache
def _states() -> tuple[tuple[str, str], ...]:
    """Returns each state beside its opposite, both ways: those above and those of the judge's lexicon."""
    pairs = [*_OPPOSITES, *((other, one) for one, other in _OPPOSITES), *_of_the_lexicon()]
    return tuple(pairs)


def _of_the_lexicon() -> Iterator[tuple[str, str]]:
    written = yaml.safe_load(_CONCEPTS.read_text(encoding="utf-8"))["concepts"]
    concepts = {name: Concept.model_validate(concept) for name, concept in written.items()}
    for concept in concepts.values():
        if concept.kind != "state":
            continue  # request and response are opposites too, and no states of anything
        for opposite in (concepts[name] for name in concept.opposite):
            for one, other in ((concept, opposite), (opposite, concept)):
                for terms, others in ((one.en, other.en), (one.zh, other.zh)):
                    yield from ((term, others[0]) for term in terms if others and _is_plain_state(term))


def _is_plain_state(term: str) -> bool:
    """Returns whether a term is a state wherever it stands; an empty pool can be an exhausted one."""
    # One sign, up and down, open and on stand inside too many other words.
    least = 5 if term.isascii() else 2
    return len(term) >= least and " " not in term and term not in _NO_STATES
