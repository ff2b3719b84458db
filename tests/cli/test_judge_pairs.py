"""`evidencegate judge-pairs`: labels, and what the summary counts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from evidencegate_server.cli.pairs import Pair, read_pairs, summarize
from evidencegate_server.cli.sessions import FileProblemError
from evidencegate_server.words import Verification

from tests.cli.conftest import run

TEXT = "Threads_connected: 798"


def written(tmp_path: Path, *rows: dict[str, Any] | str) -> Path:
    """Writes one line a row."""
    path = tmp_path / "pairs.jsonl"
    lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def row(**values: Any) -> dict[str, Any]:
    """Returns a row with a claim that its evidence states."""
    return {"id": "a", "lang": "en", "claim": "Threads_connected is 798.", "evidence": TEXT} | values


def labels(tmp_path: Path, *rows: dict[str, Any]) -> list[str]:
    """Returns the label of each row; the rows get IDs by their place."""
    path = written(tmp_path, *(row | {"id": place} for place, row in enumerate(rows)))
    return [line["verification"] for line in run("judge-pairs", path, "--json").lines[:-1]]


def test_each_claim_gives_a_line_and_the_summary_is_the_last(tmp_path: Path) -> None:
    path = written(
        tmp_path, row(expect="direct_observation"), row(id="at", twin_of="a", claim="x y z", expect="unsupported")
    )
    ran = run("judge-pairs", path, "--json")
    assert ran.code == 0
    assert [sorted(line) for line in ran.lines[:-1]] == [["detail", "id", "verification"]] * 2
    assert [line["id"] for line in ran.lines[:-1]] == ["a", "at"]
    summary = ran.lines[-1]["summary"]
    assert summary["cpu_us_per_claim"] > 0
    names = ("n", "accuracy", "balanced_accuracy", "false_acceptance", "false_rejection", "twins_right")
    assert {name: summary[name] for name in names} == {
        "n": 2,
        "accuracy": 1.0,
        "balanced_accuracy": 1.0,
        "false_acceptance": 0.0,
        "false_rejection": 0.0,
        "twins_right": 1.0,
    }


def test_people_get_the_summary_only_where_labels_are_given(tmp_path: Path) -> None:
    assert "false acceptance" in run("judge-pairs", written(tmp_path, row(label="supported"))).out
    without = run("judge-pairs", written(tmp_path, row()))
    assert (without.code, len(without.lines)) == (0, 1)


def test_people_see_which_rows_came_out_wrong_and_in_which_way(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        row(id="right", claim=TEXT, expect="direct_observation"),
        row(id="accepted", claim=TEXT, expect="contradicted", also=["unsupported"]),
        row(id="rejected", claim="The moon is full.", label="supported"),
        row(id="other", claim=TEXT, expect="reasonable_inference"),
        row(id="unknown", claim=TEXT),
    )
    ran = run("judge-pairs", path, columns=80)
    assert ran.code == 0
    lines = [line.split() for line in ran.out.splitlines() if not line.startswith("{")]
    assert ["accepted", "falsely", "accepted", "direct_observation", "contradicted,", "unsupported"] in lines
    assert ["rejected", "falsely", "rejected", "unsupported", "supported"] in lines
    assert ["other", "another", "label", "direct_observation", "reasonable_inference"] in lines
    assert not {"right", "unknown"} & {line[0] for line in lines if line}
    assert ["claims", "5"] in lines
    assert ["with", "expect", "or", "label", "4"] in lines
    assert json.loads(ran.out.splitlines()[0])["id"] == "right"


DIRECT, INFERENCE, OVERSTATED = "direct_observation", "reasonable_inference", "overstated"
UNSUPPORTED, CONTRADICTED = "unsupported", "contradicted"


def test_the_summary_breaks_the_figures_down(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        row(id="1", claim=TEXT, expect=DIRECT, aspect="number", family="db"),
        row(id="2", claim=TEXT, expect=INFERENCE, also=[DIRECT], aspect="number", family="db"),
        row(id="3", claim=TEXT, expect=CONTRADICTED, aspect="state", lang="zh"),
        row(id="4", claim="The moon is full.", expect=DIRECT, aspect="phase", lang=7, family=None),
        row(id="5", claim="The moon is full.", label="unsupported", aspect="phase"),
        row(id="6", claim="The moon is full."),
    )
    summary = run("judge-pairs", path, "--json").lines[-1]["summary"]
    assert summary["accuracy"] == 0.6
    assert summary["six_label_accuracy"] == 0.5
    counts = {
        (expected, given): count
        for expected, row in summary["confusion"].items()
        for given, count in row.items()
        if count
    }
    assert counts == {
        (DIRECT, DIRECT): 1,
        (DIRECT, UNSUPPORTED): 1,
        (INFERENCE, INFERENCE): 1,
        (CONTRADICTED, DIRECT): 1,
    }
    assert [len(row) for row in summary["confusion"].values()] == [6] * 6
    assert summary["worst_aspects"] == [
        {"aspect": "state", "n": 1, "right": 0, "false_acceptances": 1, "false_rejections": 0},
        {"aspect": "phase", "n": 2, "right": 1, "false_acceptances": 0, "false_rejections": 1},
    ]
    assert {name: group["n"] for name, group in summary["by_lang"].items()} == {"en": 3, "zh": 1}
    assert {name: group["n"] for name, group in summary["by_family"].items()} == {"db": 2, "pairs": 3}
    assert summary["by_family"]["pairs"] == {
        "n": 3,
        "accuracy": 0.3333,
        "balanced_accuracy": 0.25,
        "false_acceptance": 0.5,
        "false_rejection": 1.0,
        "twins_right": None,
    }


def test_only_the_fifteen_worst_aspects_are_told(tmp_path: Path) -> None:
    path = written(tmp_path, *(row(id=at, claim=TEXT, expect=CONTRADICTED, aspect=f"a{at:02}") for at in range(17)))
    worst = run("judge-pairs", path, "--json").lines[-1]["summary"]["worst_aspects"]
    assert [kind["aspect"] for kind in worst] == [f"a{at:02}" for at in range(15)]


def test_people_see_the_confusion_the_worst_aspects_and_the_groups(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        row(id="1", claim=TEXT, expect=DIRECT, aspect="number"),
        row(id="2", claim=TEXT, expect=CONTRADICTED, aspect="wrong row", lang="zh"),
    )
    ran = run("judge-pairs", path, columns=80)
    lines = [line.split() for line in ran.out.splitlines()]
    assert ["expected", "\\", "given", "direct", "inferred", "overst.", "unsupp.", "external", "contrad."] in lines
    assert [DIRECT, "1", *"....."] in lines
    assert [CONTRADICTED, "1", *"....."] in lines
    assert ["wrong", "row", "1", "0", "1", "0"] in lines
    assert ["zh", "1", "0.0%", "-", "100.0%", "-"] in lines
    assert not [line for line in lines if line[:1] == ["family"]]  # one family alone has the figures of the whole
    assert ["six-label", "accuracy", "50.0%"] in lines
    assert max(map(len, ran.out.splitlines()[2:])) <= 80


def test_several_files_are_one_run_and_ids_are_told_apart_in_each_file(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    one = written(tmp_path, row(expect=DIRECT), row(id="at", twin_of="a", claim="x y z", expect=UNSUPPORTED))
    other = written(tmp_path / "other", row(claim="x y z", expect=UNSUPPORTED)).rename(tmp_path / "b.jsonl")
    ran = run("judge-pairs", one, other, one, "--json")
    assert ran.code == 0
    assert [line["id"] for line in ran.lines[:-1]] == ["a", "at", "a"]
    summary = ran.lines[-1]["summary"]
    assert (summary["n"], summary["twins_right"]) == (3, 1.0)
    assert {name: group["n"] for name, group in summary["by_family"].items()} == {"b": 1, "pairs": 2}


def test_rows_of_several_sets_in_one_file_are_told_apart_by_their_ids(tmp_path: Path) -> None:
    rows = [row(id="negation/1"), row(id="negation/2"), row(id="tables/1"), row(id="x/1", family="own"), row(id="7")]
    ran = run("judge-pairs", written(tmp_path, *[one | {"expect": DIRECT} for one in rows]), "--json")
    groups = ran.lines[-1]["summary"]["by_family"]
    assert {name: group["n"] for name, group in groups.items()} == {"negation": 2, "own": 1, "pairs": 1, "tables": 1}


def test_a_file_that_is_unusable_leaves_the_others(tmp_path: Path) -> None:
    ran = run("judge-pairs", tmp_path / "none.jsonl", written(tmp_path, row()), "--json")
    assert (ran.code, ran.lines[0]["id"], "cannot be read" in ran.err) == (2, "a", True)


def test_one_row_is_explained_alone(tmp_path: Path) -> None:
    path = written(tmp_path, row(expect=DIRECT), row(id="b", expect=CONTRADICTED))
    ran = run("judge-pairs", path, "--explain", "b")
    first, _, rest = ran.out.partition("\n")
    assert (ran.code, json.loads(first)["id"]) == (0, "b")
    assert TEXT in rest
    assert "accuracy" not in ran.out
    line = run("judge-pairs", path, "--explain", "b", "--json").lines
    assert [sorted(one) for one in line] == [["detail", "explanation", "id", "verification"]]


def test_an_explanation_steers_no_terminal(tmp_path: Path) -> None:
    evil = "\x1b[31mThreads_connected: 798\x1b[0m"
    out = run("judge-pairs", written(tmp_path, row(evidence=evil)), "--explain", "a").out
    assert "\x1b" not in out


def test_an_id_to_explain_that_no_row_has_is_told(tmp_path: Path) -> None:
    ran = run("judge-pairs", written(tmp_path, row()), "--explain", "q")
    assert (ran.code, ran.out, ran.err) == (2, "", "evidencegate: no row has the id 'q'\n")


def test_the_help_tells_the_format_and_the_figures() -> None:
    out = run("judge-pairs", "--help").out
    for word in (
        "id ",
        "claim ",
        "evidence ",
        "claim_type ",
        "expect ",
        "also ",
        "label ",
        "twin_of ",
        "lang ",
        "aspect ",
        "family ",
    ):
        assert f"\n    {word}" in out
    for figure in ("accuracy ", "balanced accuracy ", "false acceptance ", "false rejection ", "twins right "):
        assert f"\n    {figure}" in out


def test_evidence_is_a_text_a_list_or_objects_with_a_kind(tmp_path: Path) -> None:
    stated = labels(
        tmp_path, row(), row(evidence=[TEXT]), row(evidence={"text": TEXT}), row(evidence=["other", {"text": TEXT}])
    )
    assert stated == ["direct_observation"] * 4


@pytest.mark.req("EX-08")
def test_guidance_is_evidence_for_knowledge_alone(tmp_path: Path) -> None:
    guidance = {"text": TEXT, "kind": "guidance"}
    found = labels(
        tmp_path,
        row(evidence=guidance, claim_type="root_cause"),
        row(evidence=guidance, claim_type="knowledge"),
        row(evidence="kind: guidance\n" + TEXT, claim_type="root_cause"),
    )
    assert found == ["unsupported", "direct_observation", "direct_observation"]


@pytest.mark.req("VD-05")
def test_an_invented_identifier_is_external(tmp_path: Path) -> None:
    assert labels(tmp_path, row(claim="ORA-00600 was raised on 10.1.2.3.")) == ["external_unknown"]


def test_no_evidence_supports_nothing(tmp_path: Path) -> None:
    assert labels(tmp_path, row(claim="The disk is full.", evidence=[])) == ["unsupported"]


def test_a_line_that_is_no_pair_is_named_and_the_others_run(tmp_path: Path) -> None:
    wrong = [row(id="b", claim=5), row(id="c", expect="sure"), row(id="d", evidence=[1])]
    path = written(tmp_path, row(), "{", "", *wrong, row(id="z"))
    ran = run("judge-pairs", path, "--json")
    assert ran.code == 2
    assert [line.get("id") for line in ran.lines] == ["a", "z", None]
    assert ran.err.splitlines() == [
        f"evidencegate: {path}: line 2 column 2: no JSON: Expecting property name enclosed in double quotes",
        f"evidencegate: {path}: line 4 claim: a text is wanted",
        f"evidencegate: {path}: line 5 expect: 'sure' is none of {', '.join(Verification)}",
        f'evidencegate: {path}: line 6 evidence: a text or {{"text", "kind"}} is wanted',
    ]


def test_an_id_that_comes_twice_and_an_empty_claim_are_told(tmp_path: Path) -> None:
    path = written(tmp_path, row(id="1"), row(id=1), row(id="2", claim=" \n"))
    ran = run("judge-pairs", path)
    assert (ran.code, len(ran.lines)) == (2, 1)
    assert ran.err.splitlines() == [
        f"evidencegate: {path}: line 2 id: '1' stands in line 1 already",
        f"evidencegate: {path}: line 3 claim: a text that says something is wanted",
    ]


def test_a_file_of_another_form_is_given_up_after_five_lines(tmp_path: Path) -> None:
    path = tmp_path / "pretty.jsonl"
    path.write_text(json.dumps([row(id=str(number)) for number in range(9)], indent=1), encoding="utf-8")
    ran = run("judge-pairs", path, "--json")
    assert (ran.code, ran.out) == (2, "")
    assert len(ran.err.splitlines()) == 6
    assert ran.err.endswith(f"evidencegate: {path}: one JSON object a line is wanted; see --help. Stopped.\n")


@pytest.mark.parametrize("content", ["", "\n\n", "\ufeff"])
def test_an_empty_file_is_told(tmp_path: Path, content: str) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_text(content, encoding="utf-8")
    ran = run("judge-pairs", path)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"evidencegate: {path}: there is no claim in this file\n"


def test_a_file_that_is_not_there_ends_with_2(tmp_path: Path) -> None:
    ran = run("judge-pairs", tmp_path / "none.jsonl")
    assert (ran.code, "cannot be read" in ran.err) == (2, True)


def pair(name: str, expect: str = "", also: tuple[str, ...] = (), label: str = "", twin_of: str = "") -> Pair:
    """Returns a pair whose right answer is known, or its side alone."""
    right = frozenset(map(Verification, (expect, *also))) if expect else frozenset()
    side = expect in ("direct_observation", "reasonable_inference") if expect else label == "supported"
    return Pair(name, "c", "observation", (), side if expect or label else None, right, twin_of)


def test_the_summary_counts_sides_labels_and_twins() -> None:
    direct, inference, overstated, unsupported = (
        Verification.DIRECT_OBSERVATION,
        Verification.REASONABLE_INFERENCE,
        Verification.OVERSTATED,
        Verification.UNSUPPORTED,
    )
    summary = summarize(
        [
            (pair("a", "direct_observation"), direct),  # right
            (pair("at", "contradicted", twin_of="a"), unsupported),  # its side, another label
            (pair("b", "direct_observation"), inference),  # its side, another label
            (pair("bt", "overstated", twin_of="b"), direct),  # accepted falsely
            (pair("c", "reasonable_inference", ("overstated",)), overstated),  # right by `also`
            (pair("d", label="supported"), unsupported),  # rejected falsely
            (pair("e", label="contradicted"), overstated),  # right: its side is all that is asked
            (pair("et", label="supported", twin_of="gone"), direct),  # right; a twin without its other half
            (pair("f"), direct),  # nothing is known of it
        ],
        cpu_seconds=0.0009,
    )
    assert summary.as_dict() == {
        "n": 9,
        "accuracy": 0.5,
        "balanced_accuracy": round(1 - (1 / 3 + 1 / 5) / 2, 4),
        "false_acceptance": 0.3333,
        "false_rejection": 0.2,
        "twins_right": 0.5,
        "cpu_us_per_claim": 100.0,
    }


def test_shares_of_nothing_are_none() -> None:
    assert set(summarize([], 0.0).as_dict().values()) == {0, None}
    assert summarize([(pair("a", "unsupported"), Verification.UNSUPPORTED)], 0.0).balanced_accuracy is None


def test_every_recorded_pair_is_read(shared: Path) -> None:
    for path in [*sorted((shared / "cases").glob("claims*.jsonl")), shared / "cases" / "public.jsonl"]:
        found = list(read_pairs(path))
        assert found
        assert [one for one in found if isinstance(one, FileProblemError) or one.supported is None] == []
