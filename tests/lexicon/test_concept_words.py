"""The concepts are strict, fit together, and mean what the field means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from evidencegate_server.catalog.strict_yaml import Lines, read_yaml
from evidencegate_server.catalog.validate import fit
from evidencegate_server.judge.vocabulary import Vocabulary, stem
from evidencegate_server.lexicon.concept_words import NOT, ConceptWords
from evidencegate_server.lexicon.wording_words import Terms

from tests.excerpts.support import lexicon

_SMALL: dict[str, Any] = {
    "version": 1,
    "concepts": {
        "memory": {"kind": "attribute", "en": "memory | ram", "zh": "内存"},
        "maximum": {"kind": "statistic", "en": "max", "zh": "最大", "excludes": "average"},
        "average": {"kind": "statistic", "en": "average"},
        "up": {"kind": "state", "en": "up", "opposite": "down"},
        "down": {"kind": "state", "en": "down"},
    },
    "compounds": {"最大内存": "maximum memory", "not up": "not up"},
    "columns": {"free": {"beside": 1, "names": {"Mem:": "memory"}}},
    "links": [{"claim": "down", "columns": ["up"], "form": "zero", "label": "stated"}],
}


def _words() -> ConceptWords:
    return lexicon().concepts


def _vocabulary() -> Vocabulary:
    return Vocabulary(_words(), lexicon().wording)


def _changed(**change: Any) -> dict[str, Any]:
    return {**_SMALL, **change}


def _with_concept(name: str, **fields: Any) -> dict[str, Any]:
    return _changed(concepts={**_SMALL["concepts"], name: {"kind": "thing", **fields}})


def _message(data: dict[str, Any]) -> str:
    lines = Lines()
    read_yaml("version: 1\n", "lexicon/concepts.yaml", lines=lines)
    fitted = fit(ConceptWords, data, "lexicon/concepts.yaml", lambda: lines)
    assert isinstance(fitted, list), "the words were taken"
    return "\n".join(map(str, fitted))


def test_names_and_terms_stand_in_one_text() -> None:
    words = fit(ConceptWords, _SMALL, "lexicon/concepts.yaml", Lines)
    assert isinstance(words, ConceptWords)
    assert words.concepts["memory"].en == ("memory", "ram")
    assert words.compounds["最大内存"] == ("maximum", "memory")
    assert words.columns["free"].names["Mem:"] == ("memory",)
    assert words.links[0].claim == ("down",)


@pytest.mark.req("RC-02")
@pytest.mark.parametrize(
    ("data", "message"),
    [
        (_with_concept("table", en="Table"), "terms in lower case"),
        (_with_concept("table", en="base-table"), "without hyphens"),
        (_with_concept("table", en="table|relation"), '" | " between'),
        (_with_concept("table", en=""), "terms in lower case"),
        (_with_concept("table", en=["table"]), "terms in lower case"),
        (_with_concept("table", zh="table"), "Chinese characters"),
        (_with_concept("table", zh="一二三四五六七八九"), "one to eight"),
        (_with_concept("table", kind="object"), "must be one of thing, attribute"),
        (_with_concept("table", words="table"), "unknown key"),
        (_with_concept("table", opposite="view"), 'concepts.table.opposite: there is no concept "view"'),
        (_with_concept("table", implies="table"), "concepts.table.implies: names the concept itself"),
        (_with_concept("table", traits="heavy"), "must be some of light, free"),
        (_with_concept("table", traits="light  free"), "with one space between"),
        (_with_concept("table", traits="light light"), "concepts.table.traits: one stands there twice"),
        (_with_concept("table", akin="view"), 'concepts.table.akin: there is no concept "view"'),
        (_with_concept("table", akin="up", excludes="up"), 'concepts.table.akin: "up" is excluded as well'),
        (_with_concept("table", kind="attribute", en="ram"), 'concepts.table.en: "ram" is a term of concepts.memory'),
        (_with_concept("table", en="table | table"), '"table" is a term of concepts.table already'),
        (_with_concept("table", zh="最大内存"), "stands under compounds already"),
        (_with_concept(NOT, en="none"), "kept for denial"),
        (_changed(compounds={"a-b": "memory"}), "compounds.a-b: must be lower-case words"),
        (_changed(compounds={"ab": "disk"}), 'compounds.ab: there is no concept "disk"'),
        (_changed(compounds={"ab": "memory  up"}), "with one space between"),
        (_changed(columns={"df": {"beside": 0, "names": {"Use%": "usage"}}}), "columns.df.names.Use%"),
        (_changed(columns={"df": {"beside": 9, "names": {}}}), "must be at most 5"),
        (_changed(links=[{"claim": "gone", "texts": ["x"], "label": "usual"}]), "links[0].claim"),
        (_changed(links=[{"claim": "up", "label": "usual"}]), "either texts, or columns with a form"),
        (_changed(links=[{"claim": "up", "columns": ["up"], "label": "usual"}]), "columns with a form"),
        (
            _changed(links=[{"claim": "up", "columns": ["up"], "form": "zero", "cells": ["x"], "label": "usual"}]),
            "with a form or cells",
        ),
        (_changed(bonds=[{"lower": "gone", "upper": "up", "keys": ["x"]}]), "bonds[0].lower"),
        (_changed(outcomes=[{"shown": "up", "likely": "not gone"}]), "outcomes[0].likely"),
        (_changed(bonds=[{"lower": "up", "upper": "up"}]), "either keys or a label"),
        (_changed(bonds=[{"lower": "up", "upper": "up", "label": "x", "same": ["y"]}]), "belong to keys"),
        (_changed(links=[{"claim": "up", "texts": ["x"], "label": "sure"}]), "must be one of stated, usual"),
    ],
)
def test_a_fault_is_told_with_its_place(data: dict[str, Any], message: str) -> None:
    assert message in _message(data)


def test_terms_of_a_kind_differ_in_more_than_an_ending() -> None:
    """Only what is going on may differ from what is done by its ending (starting, started)."""
    owners: dict[tuple[str, tuple[str, ...]], set[str]] = {}
    for name, concept in _words().concepts.items():
        for term in concept.en:
            if not (concept.kind == "state" and term.endswith("ing")):
                owners.setdefault((concept.kind, tuple(map(stem, term.split()))), set()).add(name)
    assert {key: sorted(names) for key, names in owners.items() if len(names) > 1} == {}


def test_no_concept_is_both_implied_and_opposite() -> None:
    concepts = _words().concepts
    both = [
        (name, other)
        for name, concept in concepts.items()
        for other in concept.implies
        if other in concept.opposite or name in concepts[other].opposite
    ]
    assert both == []


def test_every_concept_can_be_named() -> None:
    silent = [name for name, concept in _words().concepts.items() if not concept.en and not concept.zh]
    assert silent == []


def test_both_languages_are_covered() -> None:
    """A claim in Chinese over logs in English needs both names of a thing."""
    kinds = Counter(
        concept.kind
        for concept in _words().concepts.values()
        if concept.kind not in ("name", "soft") and not (concept.en and concept.zh)
    )
    assert sum(kinds.values()) <= 20


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("内存使用率", {"memory", "usage", "ratio"}),
        ("memory usage", {"memory", "usage", "used"}),
        ("平均耗时", {"average", "latency"}),
        ("丢包率", {"packet_loss", "ratio"}),
        ("连接池耗尽", {"connection_pool", "exhausted"}),
        ("未就绪", {NOT, "ready"}),
        ("Insufficient memory", {"memory", "insufficient"}),
        ("OOMKilled", {"oom", "killed"}),
        ("死锁", {"deadlock"}),
        ("主从延迟", {"replication_lag"}),
        ("gateway timeout", {"gateway", "timed_out"}),
        ("rolled back", {"rollback"}),
        ("最大连接数", {"maximum", "limit", "connection", "count"}),
    ],
)
def test_a_term_means(text: str, names: set[str]) -> None:
    found = {name for term in _vocabulary().terms(text) for name in term.names}
    assert names <= found


@pytest.mark.parametrize(
    ("text", "trap"),
    [
        ("平均耗时", "@quantifiers.all"),
        ("均值", "@quantifiers.all"),
        ("无线网卡", "@negation.before"),
        ("非常高", "@negation.before"),
        ("不断上升", "@negation.before"),
        ("不但", "@negation.before"),
        ("并非没有", "@negation.before"),
        ("cannot rule out", "@negation.before"),
        ("not only", "@negation.before"),
        ("从节点", "@change.source"),
        ("只读", "@quantifiers.only"),
        ("每秒", "@quantifiers.each"),
        ("请求值", "request"),
        ("使用率", "used"),
        ("未命中", "hit"),
        ("不可用", "usable"),
        ("小时", "small"),
        ("存在", "in"),
    ],
)
def test_a_longer_term_hides_a_trap(text: str, trap: str) -> None:
    assert trap not in {name for term in _vocabulary().terms(text) for name in term.names}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("maximum", "average"),
        ("limit", "used"),
        ("limit", "requested"),
        ("p99", "average"),
        ("committed", "used"),
        ("threshold", "measured"),
        ("desired", "available"),
        ("total", "free"),
    ],
)
def test_statistics_exclude_each_other_both_ways(one: str, other: str) -> None:
    excludes = _vocabulary().excludes
    assert other in excludes[one]
    assert one in excludes[other]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("running", "stopped"),
        ("healthy", "unhealthy"),
        ("succeeded", "failed"),
        ("increase", "decrease"),
        ("read", "write"),
        ("send", "receive"),
        ("publish", "ack"),
        ("source", "destination"),
        ("user_mode", "kernel_mode"),
        ("hit", "miss"),
        ("leader", "follower"),
        ("soft_limit", "hard_limit"),
    ],
)
def test_opposites_hold_both_ways(one: str, other: str) -> None:
    vocabulary = _vocabulary()
    pairs = vocabulary.excludes if one == "soft_limit" else vocabulary.opposites
    assert other in pairs[one]
    assert one in pairs[other]


def test_wording_has_both_languages_in_every_list() -> None:
    def lists(words: object) -> Iterator[Terms]:
        for name in getattr(type(words), "model_fields", {}):
            value = getattr(words, name)
            if isinstance(value, Terms):
                yield value
            else:
                yield from lists(value)

    assert [terms for terms in lists(lexicon().wording) if not terms.en or not terms.zh] == []


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("probably", "@hedges"),
        ("疑似", "@hedges"),
        ("because of", "@cause.backward"),
        ("导致", "@cause.forward"),
        ("led to", "@cause.forward"),
        ("根因", "@cause.heads"),
        ("之后", "@order.after"),
        ("随后", "@order.then"),
        ("所有", "@quantifiers.all"),
        ("从未", "@quantifiers.never"),
        ("一度", "@quantifiers.once"),
        ("largest", "@comparison.highest"),
        ("不超过", "@comparison.less"),
        ("越来越", "@trend.accelerating"),
        ("至今", "@time_scope.until"),
        ("仍", "@time_scope.still"),
        ("升到", "@change.up"),
        ("went from", "@change.turn"),
        ("如果", "@conditions"),
        ("建议", "@advice"),
        ("sharply", "@judgements"),
        ("接近", "@near"),
        ("whereas", "@contrasts"),
    ],
)
def test_wording_knows(text: str, role: str) -> None:
    assert role in {name for term in _vocabulary().terms(text) for name in term.names}
