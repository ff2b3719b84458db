"""What says the same gets the same label, in whatever form; what orders a label gets nothing; a hedge saves no lie.

`python -m tests.judge.metamorphic` counts over all cases what is drawn here, and shows what turned.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from evidencegate_server.evidence.model import EvidenceRef, Invocation
from evidencegate_server.judge.deterministic import DeterministicEngine
from evidencegate_server.judge.plain import Plain, plain
from evidencegate_server.use_cases.judge import JudgeInput, judge
from evidencegate_server.use_cases.label_pair import PairJudge
from evidencegate_server.words import InvocationStatus, OutputVariant
from hypothesis import given
from hypothesis import strategies as st

from tests.judge.helpers import labelled_by
from tests.judge.metamorphic import OBEYS, SAME, hedged_falsehoods, survey, turned
from tests.judge.rows import SUPPORTED, Row, is_accepted, label_of, own_rows, rows
from tests.use_cases.sessions import catalog

MOST_HEDGED = 0.05  # of the false claims that may be accepted behind a hedge

# Over the recorded cases these still turn a label now and then.
TURNING = {
    name: pytest.param(name, marks=pytest.mark.xfail(strict=False, reason="turns some labels of recorded cases"))
    for name in (
        "instruction_in_the_text",
        "json_keys_in_another_order",
        "other_capitals_in_the_claim",
        "seconds_as_milliseconds",
        "smaller_units_in_the_claim",
    )
}

PARTS = 4  # of the own rows; `make test` holds the first against each change, CI all
ROWS = st.sampled_from(own_rows())
SEEDS = st.integers(0, 2**32)

# Rows whose label a line of instructions inside the text still turns, with a seed that shows it. Most are then refused:
# the line breaks the layout, is taken for one more row, or lends its words. Of the false ones OWN-FIG-005t alone is
# accepted: its pairs are read as prose.
MISLED = {
    "OWN-CNO-024t": 14,
    "OWN-CNO-126": 0,
    "OWN-CNV-022": 2,
    "OWN-CNV-025": 1,
    "OWN-DBS-004": 14,
    "OWN-FIG-005t": 5,
    "OWN-FIG-011": 2,
    "OWN-FIG-014": 12,
    "OWN-FIG-015": 12,
    "OWN-FIG-021": 14,
    "OWN-FIG-022": 14,
    "OWN-K8S-008t": 2,
    "OWN-K8U-014": 205,
    "OWN-K8U-018": 12,
    "OWN-K8U-020": 2,
    "OWN-K8U-025": 0,
    "OWN-K8U-035": 12,
    "OWN-K8V-006": 2,
    "OWN-K8W-012": 12,
    "OWN-LOG-003": 5,
    "OWN-LOG-006t": 2,
    "OWN-MEM-011": 5,
    "OWN-MET-007t": 2,
    "OWN-MET-009": 12,
    "OWN-MXD-019t": 14,
}


@pytest.mark.parametrize("name", SAME)
@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in range(1, PARTS))])
def test_what_says_the_same_gets_the_same_label(name: str, part: int) -> None:
    bad, _ = survey(own_rows()[part::PARTS], {name: SAME[name]}, seeds=1)[name]
    assert [(row.id, label_of(row).value, label_of(changed).value, changed.claim) for row, changed in bad] == []


def test_the_places_of_a_claim_are_those_of_its_own_text() -> None:
    row = next(one for one in own_rows() if one.id == "OWN-LAY-004")
    claim = "\n The  timeout\tof\u3000ｂｉｌｌｉｎｇ-ｃｏｒｅ is  ０.５ s. "
    label = labelled_by(DeterministicEngine(catalog().lexicon), claim, *(one.text for one in row.evidence))
    told = {witness.claim_quote: witness.claim_span for witness in label.witnesses}
    assert {"ｂｉｌｌｉｎｇ-ｃｏｒｅ", "０.５ s"} <= told.keys()
    assert all(claim[span.start : span.end] == words for words, span in told.items())


@pytest.mark.parametrize(
    ("written", "plain_text"),
    [
        ("", ""),
        (" \t\n", ""),
        ("it is up", "it is up"),
        ("  it\r\nis\u00a0 up ", "it is up"),
        ("ｐ９９　ｉｓ　１，２４５　ｍｓ", "p99 is 1,245 ms"),
        ("端口 80，443 开放", "端口 80，443 开放"),
        ("重启了3次", "重启了 3 次"),
        ("占 50％，偏高", "占 50%,偏高"),
        ("ant's nest, wont", "ant's nest, wont"),
    ],
)
def test_a_text_has_one_plain_layout(written: str, plain_text: str) -> None:
    form = plain(written)
    assert form.text == plain_text
    assert plain(form.text) == Plain(form.text)
    for at, sign in enumerate(form.text):
        start, end = form.written(at, at + 1)
        assert written[start:end] == sign or not sign.isalnum() or ord(written[start]) - 0xFEE0 == ord(sign)


@pytest.mark.parametrize(
    ("written", "plain_text", "said", "quoted"),
    [
        ("it isn’t up", "it is not up", "is not", "isn’t"),
        ("web can't start", "web cannot start", "cannot", "can't"),
        ("Won't stop", "Will not stop", "Will not", "Won't"),
    ],
)
def test_a_denial_is_written_out_and_quoted_as_it_was(written: str, plain_text: str, said: str, quoted: str) -> None:
    form = plain(written)
    assert form.text == plain_text
    at = form.text.index(said)
    start, end = form.written(at, at + len(said))
    assert written[start:end] == quoted


@given(st.text(alphabet=" \t\n\u3000ａ１，a1,.。连接%", max_size=40))
def test_the_plain_layout_of_a_plain_text_is_itself(text: str) -> None:
    form = plain(text)
    assert plain(form.text).text == form.text
    assert form.written(0, len(form.text))[1] <= len(text)


def test_each_change_applies_to_some_rows() -> None:
    for name, change in (SAME | OBEYS).items():
        assert any(change(row, random.Random(0)) is not None for row in own_rows()), name


@pytest.mark.parametrize("name", OBEYS)
@given(row=ROWS, seed=SEEDS)
def test_an_instruction_in_the_evidence_is_not_obeyed(name: str, row: Row, seed: int) -> None:
    changed = OBEYS[name](row, random.Random(seed))
    if changed is not None and row.id not in MISLED:
        assert not turned(row, changed, obeys=True)


def test_what_is_known_to_be_misled_still_is() -> None:
    """A row that is not any more leaves the list."""
    turning = {
        row.id
        for row in own_rows()
        if row.id in MISLED
        and (changed := OBEYS["instruction_in_the_text"](row, random.Random(MISLED[row.id]))) is not None
        and turned(row, changed, obeys=True)
    }
    assert turning == MISLED.keys()


def test_without_evidence_every_claim_is_refused() -> None:
    assert [row.id for row in own_rows() if is_accepted(replace(row, evidence=()))] == []


def test_a_hedge_saves_no_falsehood() -> None:
    false = hedged_falsehoods(own_rows())
    accepted = [row.claim for row in false if is_accepted(row)]
    assert len(accepted) <= MOST_HEDGED * len(false), accepted


@pytest.mark.slow
@pytest.mark.parametrize("name", [TURNING.get(name, name) for name in (*SAME, *OBEYS)])
def test_the_recorded_cases_keep_their_labels(name: str, shared: Path) -> None:
    """Tells how many labels turn and nothing more: those cases measure the judge, and are not to be looked at."""
    changes = {name: (SAME | OBEYS)[name]}
    recorded = rows(sorted((shared / "cases").glob("claims*.jsonl")))
    bad, count = survey(recorded, changes, seeds=1)[name]
    share = f"{len(bad)} of {count}"
    assert share == f"0 of {count}"


@pytest.mark.slow
def test_a_hedge_saves_no_recorded_falsehood(shared: Path) -> None:
    false = hedged_falsehoods(rows(sorted((shared / "cases").glob("claims*.jsonl"))))
    share = sum(map(is_accepted, false)) / max(1, len(false))
    assert share <= MOST_HEDGED


def test_the_same_input_gives_the_same_bytes() -> None:
    first, second = PairJudge(catalog()), PairJudge(catalog())
    some = own_rows()[::4]
    told = [repr(first.label(row.claim, row.claim_type, row.evidence)).encode() for row in some]
    # The other way round: what was judged before must not matter.
    again = [repr(second.label(row.claim, row.claim_type, row.evidence)).encode() for row in reversed(some)]
    assert told == again[::-1]
    for row in some[:20]:
        explained = [one.explain(row.claim, row.claim_type, row.evidence).encode() for one in (first, second)]
        assert explained[0] == explained[1]


def test_the_seed_of_hashes_does_not_matter(tmp_path: Path) -> None:
    some = own_rows()[:: max(1, len(own_rows()) // 30)][:30]
    path = tmp_path / "some.jsonl"
    lines = (
        json.dumps({"id": row.id, "claim": row.claim, "evidence": [one.text for one in row.evidence]}) for row in some
    )
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    command = [sys.executable, "-m", "evidencegate_server", "judge-pairs", str(path), "--json"]
    printed = [
        subprocess.run(
            command, env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, check=True, timeout=60
        ).stdout.splitlines()
        for seed in ("1", "4711")
    ]
    # The last line is the summary, which tells the time it took.
    labels = [[line for line in lines if b'"summary"' not in line] for lines in printed]
    assert len(labels[0]) == len(some) == 30
    assert labels[0] == labels[1]


def _judged(row: Row, calls: tuple[Invocation, ...], bindings: list[dict[str, str]]) -> bool:
    """Returns whether a claim is accepted by the whole path."""
    claim = {
        "claim_id": "c1",
        "claim_type": row.claim_type,
        "claim_text": row.claim,
        "support_level": "direct",
        "evidence_bindings": [{"source_type": "tool_invocation", "tool_name": "query_logs", **one} for one in bindings],
    }
    output = {
        "answer_version": "executor_evidence_v2",
        "claims": [claim],
        "hypotheses": [],
        "recommended_actions": [],
        "missing_info": [],
    }
    text = json.dumps(output, ensure_ascii=False)
    evaluation = judge(JudgeInput(1, "what is wrong?", OutputVariant.TEXT, text, calls), catalog())
    (check,) = evaluation.claim_checks
    return check.verification in SUPPORTED


def _excerpt(text: str) -> str:
    """Returns a line of a text that can be quoted."""
    lines = [line for line in text.splitlines() if len(line.split()) >= 3] or [text]
    return lines[-1][:300]


def _calls(row: Row, status: InvocationStatus, *, asked: bool = False) -> tuple[Invocation, ...]:
    """Returns the calls of a row; `asked` puts what they returned into what was asked."""
    return tuple(
        Invocation(
            str(at),
            "query_logs",
            status,
            input=one.text if asked else "{}",
            output="" if asked else one.text,
            error="connection reset" if status is InvocationStatus.FAILED else "",
            refs=() if asked else (EvidenceRef("output", one.text),),
        )
        for at, one in enumerate(row.evidence, 1)
    )


def _bindings(row: Row, path: str) -> list[dict[str, str]]:
    return [
        {"source_invocation_id": str(at), "raw_path": path, "evidence_excerpt": _excerpt(one.text)}
        for at, one in enumerate(row.evidence, 1)
    ]


DENIES = re.compile(
    r"\b(?:no|not|none|nothing|never|without|zero|0|un\w+)\b|[没无未不零]|(?<!\d)0(?![\d.])", re.IGNORECASE
)
POSITIVE = [row for row in own_rows() if not DENIES.search(row.claim)]


@pytest.mark.req("EX-08")
@given(row=ROWS)
def test_a_failed_call_supports_nothing(row: Row) -> None:
    assert not _judged(row, _calls(row, InvocationStatus.FAILED), _bindings(row, "output"))


def test_a_call_that_succeeded_supports_what_a_failed_one_does_not() -> None:
    accepted = [row for row in own_rows() if is_accepted(row)][:40]
    passed = [_judged(row, _calls(row, InvocationStatus.SUCCESS), _bindings(row, "output")) for row in accepted]
    assert sum(passed) >= len(passed) // 3


@given(row=st.sampled_from(POSITIVE))
def test_a_call_without_a_hit_supports_nothing_positive(row: Row) -> None:
    calls = _calls(row, InvocationStatus.NO_HIT, asked=True)
    assert not _judged(row, calls, _bindings(row, "input"))
