"""Puts other words into a claim: quantifiers, negations, causes and hedges."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tools.twin_mutators.clauses import DENIES, EXISTENTIAL, UNCERTAIN, clause
from tools.twin_mutators.model import TrueClaim, first_few, scattered

_NOUNS = (
    r"(?:pods?|nodes?|replicas?|hosts?|instances?|brokers?|threads?|shards?|indices|requests?|connections?|containers?|claims?"
    r"|tasks?|volumes?|members?|processes|process|partitions?|servers?|services?|queries|messages?|certificates?|disks?|alerts?)"
)
_ENGLISH_QUANTIFIERS: Final = re.compile(
    rf"(?<!the )\b(?P<of>(?:at least )?(?:one|two|three|some|several|most|many|a few)) of (?:the|its)\b"
    rf"|(?<!the )(?<!all )\b(?P<plural>two|three|some|several|most|many|a few) (?=(?:[\w-]+ )?{_NOUNS}\b)"
    rf"|\b(?P<single>one|at least one) (?=(?:[\w-]+ )?{_NOUNS}\b)",
    re.IGNORECASE,
)
_CHINESE_NOUNS = (
    "(?:节点|副本|实例|主机|机器|线程|分片|请求|连接|容器|进程|服务|消息|邮件|证书|磁盘|告警|任务|分区|索引|Pod|pod)"
)
_CHINESE_QUANTIFIERS: Final = re.compile(
    rf"(?P<many>有些|部分|多数|大部分|少数|若干|一些)(?:的)?(?={_CHINESE_NOUNS})"
    rf"|(?P<counted>(?:至少)?有(?:[一两二三]|\d+) ?(?:个|台|条|封|块))(?={_CHINESE_NOUNS})"
)
# What can prove a claim of all: a count of n out of n, or the evidence's own word for it.
_PROVES_ALL: Final = re.compile(
    r"(?<!\d)(?P<n>[1-9]\d*)(?:/| of | out of )(?P=n)(?!\d)|\b(?:all|every|each|both)\b|全部|所有|均为|都",
    re.IGNORECASE,
)
_TOTAL_SAID: Final = re.compile(r"\blists?\b|\blisted\b|\bin total\b|\ball\b|\bboth\b|共|全部|均|都", re.IGNORECASE)


def stronger_quantifier(case: TrueClaim) -> Iterator[str]:
    """Turns one, two, some, most into all. Left out where the evidence or the claim itself can prove that it is all."""

    def twins() -> Iterator[str]:
        if _PROVES_ALL.search(case.evidence) or _TOTAL_SAID.search(case.claim):
            return
        for match in _ENGLISH_QUANTIFIERS.finditer(case.claim):
            new = "all of the" if match["of"] else "every " if match["single"] else "all "
            yield case.replaced(*match.span(), new.capitalize() if match[0][0].isupper() else new)
        for match in _CHINESE_QUANTIFIERS.finditer(case.claim):
            yield case.replaced(*match.span(), "所有")

    return first_few(twins(), case.claim)


_DROPPED: Final = re.compile(
    r"(?P<english>(?:(?<=is|as|id)|(?<=are|has|had)|(?<=were|have)|(?<=could)) not(?= )"
    r"(?! (?:only|just|merely|more|less|fewer|necessarily)))|(?P<never> never(?= \w))|(?P<nolonger> no longer(?= \w))"
    r"|(?<![并非])(?P<chinese>没有任何|没有(?!人)|从未|并无|并未|尚未|(?<!从)未能|尚不|未(?=[\u4e00-\u9fff])(?!来|知|必|免|遂|完待)|无法)"
)
_INSERTED_ENGLISH: Final = re.compile(
    r"\b(?:is|are|was|were|has been|have been|had been|can|could)\b(?! (?:not|no|never)\b)"
)
_CHINESE_VERBS: Final = (
    "收到|重启|恢复|返回|触发|超时|退出|完成|达到|出现|升到|切到|扩到|通过|断开|被标记|被|处于|阻塞|持有|报告|运行|访问|耗时|上升|下降"
    "|回到|关闭|拒绝|接受|占用|使用|变为|迁移"
)
# As a noun, or before 之前 and 时, a denied verb can leave the sentence as it was.
_INSERTED_CHINESE: Final = re.compile(
    rf"(?<![不未没无非别有被])(?P<verb>{_CHINESE_VERBS})(?!率|时长|量|中|的|之?[前后时]|是|为)"
)


def dropped_negation(case: TrueClaim) -> Iterator[str]:
    """Leaves a `not`, `never`, 没有 or 未 out. Left out for "not only" and for denials of denials."""

    def twins() -> Iterator[str]:
        for match in _DROPPED.finditer(case.claim):
            if re.search(r"并非$|不是$|不能$", case.claim[: match.start()]):
                continue
            if match["chinese"] in ("没有", "没有任何", "并无"):
                new = "有"
            elif match["chinese"] == "从未":
                new = "曾"  # 从 alone would be no sentence
            elif match["chinese"] in ("无法", "未能"):
                new = "能够" if match["chinese"] == "无法" else "成功"
            else:
                new = ""
            yield case.replaced(*match.span(), new)

    return first_few(twins(), case.claim)


def inserted_negation(case: TrueClaim) -> Iterator[str]:
    """Denies the first verb that it knows. Left out in clauses that deny already, and where nothing firm is said."""
    pattern = _INSERTED_CHINESE if case.is_chinese else _INSERTED_ENGLISH

    def twins() -> Iterator[str]:
        for match in pattern.finditer(case.claim):
            before, after = clause(case.claim, match.start(), match.end())
            if any(check.search(f"{before} {after}") for check in (DENIES, UNCERTAIN)):
                continue
            # Others can be in the state that some are not in; and "at most" bounds, it does not state.
            if EXISTENTIAL.search(before) or re.search("最多|至多|about", before, re.IGNORECASE):
                continue
            if case.is_chinese:
                denial = "没有" if match["verb"] in ("被", "被标记", "处于", "使用", "占用", "持有") else "未"
                firm = re.search("已经$|已$", case.claim[: match.start()])  # 已恢复 becomes 未恢复
                yield case.replaced(firm.start() if firm else match.start(), match.end(), denial + match["verb"])
            else:
                first, _, more = match[0].partition(" ")
                yield case.replaced(*match.span(), f"{first} not{' ' if more else ''}{more}")
            return

    return first_few(twins(), case.claim)


_FOREIGN_ENGLISH: Final = (
    ("node-x9", ", caused by a kernel bug in node-x9"),
    ("kernel", ", caused by a kernel bug"),
    ("license", " because the license had run out"),
    ("cooling", ", since the cooling of the rack failed"),
)
_FOREIGN_CHINESE: Final = (
    ("交换机", "，根因是交换机光模块故障"),
    ("内核", "，由内核缺陷引起"),
    ("许可证", "，因为许可证已经过期"),
    ("空调", "，根因是机房空调故障"),
)


def foreign_cause(case: TrueClaim) -> Iterator[str]:
    """Adds a cause that neither the evidence nor the claim knows of."""
    known = f"{case.evidence}\n{case.claim}".lower()
    stem = case.claim.rstrip().rstrip(".。;；")
    end = case.claim.rstrip()[len(stem) :]
    causes = _FOREIGN_CHINESE if case.is_chinese else _FOREIGN_ENGLISH
    unknown = [said for word, said in causes if word not in known]
    # One twin: a cause can be added to every claim, and more would make the easiest kind the largest.
    yield from (f"{stem}{said}{end}" for said in scattered(unknown, case.id)[:1])


def hedged(case: TrueClaim) -> Iterator[str]:
    """Puts a hedge in front of a claim, which makes no false claim true. Left out where the claim has one."""
    if UNCERTAIN.search(case.claim):
        return
    first = case.claim[0]
    # An ordinary word gets a small letter; a name keeps its own.
    is_word = re.match(r"[A-Z][a-z]+ |A ", case.claim) is not None
    space = " " if first.isascii() else ""
    yield (
        f"可能{space}{case.claim}"
        if case.is_chinese
        else f"Probably {first.lower() if is_word else first}{case.claim[1:]}"
    )
