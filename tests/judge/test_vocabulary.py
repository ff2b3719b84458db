"""Words of both languages become the terms that they can be compared by, at the place where they stand."""

from __future__ import annotations

import pytest
from evidencegate_server.judge.vocabulary import Term, meant, narrow, stem

from tests.judge.reading import terms, vocabulary


def names(text: str) -> set[str]:
    return {name for found in terms(text).values() for name in found}


@pytest.mark.parametrize(
    ("one", "other", "shared"),
    [
        ("the pod restarted", "Pod 重启了", {"pod", "restart"}),
        ("timed out", "超时", {"timed_out"}),
        ("errors", "报错", {"error"}),
        ("OOMKilled", "oomkilled", {"oom_killed"}),
        ("connection pools", "连接池", {"connection_pool"}),
        ("memory", "内存", {"memory"}),
        ("not ready", "未就绪", {"ready"}),
    ],
)
def test_both_languages_and_all_forms_mean_the_same(one: str, other: str, shared: set[str]) -> None:
    assert shared <= names(one)
    assert shared <= names(other)


def test_every_term_stands_where_it_is_written() -> None:
    text = "  Pod web-0 重启了 3 次，CrashLoopBackOff。"
    found = vocabulary().terms(text, offset=100)
    assert [text[term.start - 100 : term.end - 100] for term in found][:3] == ["Pod", "web-0", "重启"]
    assert [term.start for term in found] == sorted(term.start for term in found)


def test_the_longest_term_of_several_words_wins() -> None:
    assert terms("connection pool") == {"connection pool": ("connection_pool",)}
    assert list(terms("connection  pool of")) != ["connection  pool", "of"]  # two spaces part columns


def test_each_part_of_a_compound_is_a_term_at_the_place_of_the_whole() -> None:
    found = vocabulary().terms("内存使用率")
    assert {(term.start, term.end) for term in found} == {(0, 5)}
    assert {"memory", "ratio"} <= {name for term in found for name in term.names}


@pytest.mark.parametrize("name", ["3.5.13", "10.2.3.4:6379", "var/lib/orders", "db_main_1", "OrderRepository"])
def test_a_machines_name_keeps_its_own_form(name: str) -> None:
    (term,) = vocabulary().terms(name)
    assert term.is_name
    assert term.names[0] == "=" + name.lower()


def test_a_name_brings_the_meaning_of_its_parts() -> None:
    assert {"restart", "count"} <= set(terms("restartCount")["restartCount"])
    assert {"maximum", "memory"} <= set(terms("maxMemory")["maxMemory"])
    assert {"memory", "usage"} <= set(terms("memory_usage_bytes")["memory_usage_bytes"])


def test_words_with_a_hyphen_may_be_a_name_and_are_words_too() -> None:
    (term,) = vocabulary().terms("order-database")
    assert term.names[0] == "+order-database"
    assert {"order", "database"} <= set(term.names)
    assert "read_only" in names("read-only")  # a term of the lexicon as it stands


def test_full_width_signs_read_as_usual_ones_at_their_own_places() -> None:
    assert narrow("ｐｏｄ－１：５０％") == "pod-1:50%"
    text = "在 ｐｏｄ－１ 上"
    (term,) = [one for one in vocabulary().terms(text) if one.is_name]
    assert text[term.start : term.end] == "ｐｏｄ－１"
    assert term.names[0] == "=pod-1"


def test_an_unknown_word_is_its_stem() -> None:
    assert terms("flurbles") == {"flurbles": ("~flurbl",)}
    assert terms("flurble")["flurble"] == terms("flurbled")["flurbled"]


@pytest.mark.parametrize(
    ("one", "others"),
    [
        ("retry", ["retries"]),
        ("drop", ["dropped", "dropping", "drops"]),
        ("queue", ["queues", "queued", "queuing"]),
        ("flush", ["flushes", "flushed"]),
        pytest.param(
            "reply",
            ["replied"],
            marks=pytest.mark.xfail(strict=False, reason="-ied is cut to -i where -ies becomes -y"),
        ),
    ],
)
def test_forms_of_one_word_have_one_stem(one: str, others: list[str]) -> None:
    assert {stem(other) for other in others} == {stem(one)}


@pytest.mark.parametrize("word", ["status", "process", "analysis", "id", "gas", "bus"])
def test_an_s_that_is_no_plural_stays(word: str) -> None:
    assert stem(word).endswith("s") == word.endswith("s")


def test_a_term_that_denies_itself_says_so_of_what_it_denies() -> None:
    assert meant(Term(("not", "ready"), 0, 7)) == ("!ready",)
    assert meant(Term(("ready",), 0, 5)) == ("ready",)
    assert meant(Term(("=ready-1", "ready"), 0, 7)) == ("ready",)
    assert vocabulary().key_names("notReady") == {"!ready"}
    assert meant(vocabulary().terms("unready")[0]) == ("!ready",)


@pytest.mark.parametrize(
    ("keys", "column", "meaning"),
    [
        ({"r", "b", "swpd", "free", "buff", "cache", "us", "sy", "id", "wa"}, "wa", {"iowait", "cpu"}),
        ({"r", "b", "swpd", "free", "buff", "cache", "us", "sy", "id", "wa"}, "id", {"idle", "cpu"}),
        ({"r/s", "w/s", "rkB/s", "wkB/s", "await", "%util"}, "%util", {"usage", "disk"}),
    ],
)
def test_columns_mean_what_their_tool_means(keys: set[str], column: str, meaning: set[str]) -> None:
    assert meaning <= vocabulary().columns(frozenset(keys))[column]


def test_a_short_column_alone_means_nothing_of_a_tool() -> None:
    assert vocabulary().columns(frozenset({"id", "name"})) == {}
    assert vocabulary().columns(frozenset()) == {}


def test_words_that_change_a_statement_are_marked() -> None:
    assert "@hedges" in names("probably down")
    assert "@hedges" in names("可能已停止")
    assert any(name.startswith("@quantifiers.all") for name in names("all pods"))
    assert any(name.startswith("@cause.backward") for name in names("down because of"))
    assert not any(name.startswith("@negation.before") for name in names("并非没有报错"))


def test_opposites_hold_both_ways() -> None:
    opposites = vocabulary().opposites
    assert opposites
    assert all(one in opposites[other] for one, others in opposites.items() for other in others)


@pytest.mark.parametrize("text", ["", " ", "。", "\x00", "-", "---", "_" * 3000, "中" * 3000, "a-" * 3000, "aB" * 3000])
def test_odd_texts_have_few_terms_and_no_fault(text: str) -> None:
    assert all(0 <= term.start < term.end <= len(text) for term in vocabulary().terms(text))
