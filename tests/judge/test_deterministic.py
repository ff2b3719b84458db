"""The whole engine over the sentences of its first step: what is stated stays so, what a word changes is refused."""

from __future__ import annotations

import re
from functools import cache

import pytest
import yaml
from evidencegate_server.contract.records import replace
from evidencegate_server.evidence.model import EvidenceRef, Invocation, Span
from evidencegate_server.judge.claims.model import ClaimReading
from evidencegate_server.judge.claims.reader import ClaimReader
from evidencegate_server.judge.deterministic import DeterministicEngine
from evidencegate_server.judge.deterministic import engine as engine_module
from evidencegate_server.judge.model import ClaimLabel
from evidencegate_server.words import EvidenceKind, InvocationStatus, Verification
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.excerpts.support import lexicon
from tests.judge.helpers import call, case_over, claim, labelled_by, view_of
from tests.judge.known_wrong import ACCEPTED as WRONGLY_ACCEPTED
from tests.judge.literal import test_pairs as pairs
from tests.judge.literal import test_statements as statements
from tests.judge.rows import own_rows
from tests.support import ROOT, words_of

DIRECT = Verification.DIRECT_OBSERVATION
UNSUPPORTED = Verification.UNSUPPORTED
CONTRADICTED = Verification.CONTRADICTED
SUPPORTED = (DIRECT, Verification.REASONABLE_INFERENCE)

# A reader could take these for supported: the words differ more than what they say.
ARGUABLE = {
    ("down", "down"),
    ("node state Ready NotReady", "node state Ready -> NotReady"),
    ("replica 3 failed", "replica #3 failed"),
    ("flag enabled false", "flag enabled==false"),
    ("cost per day 5", "cost per day $5"),
    ("当前连接数为 50,000", "当前连接数：50000"),
    ("reason is OOMKilled", "Last State:     Terminated\n  Reason:       OOMKilled"),
    ("restart count is 16", pairs.TWO_CONTAINERS),
    ("web,3,1", "name,desired,actual\nweb,3,1"),
    ("rack height is 5", 'rack height is 5"'),
    ("budget exceeded by 5%", "Error budget exceeded by 5%"),
    ("budget exceeded by 5%", "ERROR budget exceeded by 5%"),
    ("Pod is down.", "Pod a is down"),
    ("database replica ready", "database replica ready ❌"),
}
REFUSED = [row for row in dict.fromkeys([*statements.NOT_STATED, *pairs.REFUSED]) if row not in ARGUABLE]
WHY = {row: why for why, rows in WRONGLY_ACCEPTED.items() for row in rows}


FAULT = engine_module._fault  # as it is outside these tests
LEXICON = ROOT / "rules" / "lexicon"
WORDS = sorted({word for path in LEXICON.glob("*.yaml") for word in words_of(yaml.safe_load(path.read_text("utf-8")))})
SIGNS = ["1", "3.5", "92%", "10:00", "2024-13-45", ".", ",", "，", "-", "/", "(", '"', "{", "=", ":", "|", "\n", "  "]
SALAD = st.lists(st.sampled_from(WORDS) | st.sampled_from(SIGNS), max_size=12).map(" ".join)


@cache
def engine() -> DeterministicEngine:
    return DeterministicEngine(lexicon())


def labelled(
    text: str, *evidence: str, bound: bool = True, span: Span | None = None, more: tuple[Invocation, ...] = ()
) -> ClaimLabel:
    """Labels a claim with the whole engine."""
    return labelled_by(engine(), text, *evidence, bound=bound, span=span, more=more)


@pytest.mark.req("VO-10")
@pytest.mark.parametrize(("text", "evidence"), [*statements.STATED, *pairs.ACCEPTED])
def test_a_claim_that_its_clause_states_is_direct(text: str, evidence: str) -> None:
    label = labelled(text, evidence)
    assert label.verification is DIRECT
    witness = label.witnesses[0]
    assert (witness.relation, witness.invocation_id, witness.raw_path) == ("stated", "1", "lines[0]")
    assert witness.evidence_span is not None
    assert witness.evidence_quote == evidence[witness.evidence_span.start : witness.evidence_span.end]


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        pytest.param(*row, marks=[pytest.mark.xfail(strict=True, reason=WHY[row])] if row in WHY else [])
        for row in REFUSED
    ],
)
def test_what_something_changes_is_not_confirmed(text: str, evidence: str) -> None:
    label = labelled(text, evidence)
    assert label.detail
    assert label.verification not in SUPPORTED


def test_what_is_known_to_be_wrong_is_looked_at() -> None:
    assert set(WHY) <= set(REFUSED)


@pytest.mark.req("VD-04")
@pytest.mark.parametrize(("text", "evidence"), statements.IN_CONFLICT)
def test_another_value_on_the_same_quantity_contradicts(text: str, evidence: str) -> None:
    label = labelled(text, evidence)
    assert label.verification is CONTRADICTED
    assert evidence.removeprefix("ERROR: ").strip(". ") in label.detail


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ("Retry attempt 3 failed.", "Retry attempt 1 failed"),
        ("The restart count is at least 5.", "Restart Count: 6"),
        ("The limit is 100Mi.", "The request is 50Mi"),
        ("Request 8841 failed.", "Request 8842 failed"),
        ("The limit is 100m.", "The limit is 100M"),
    ],
)
def test_another_thing_or_an_interval_is_no_conflict(text: str, evidence: str) -> None:
    assert labelled(text, evidence).verification is not CONTRADICTED


@pytest.mark.req("VO-09")
def test_without_a_quotation_a_claim_is_never_confirmed_and_can_be_refuted() -> None:
    assert labelled("The restart count is 6.", "Restart Count: 6", bound=False).verification is UNSUPPORTED
    assert labelled("The restart count is 61.", "Restart Count: 6", bound=False).verification is CONTRADICTED


def test_a_value_that_another_call_shows_is_no_conflict_without_a_quotation() -> None:
    other = call("Restart Count: 61", call_id="2")
    label = labelled("The restart count is 61.", "Restart Count: 6", bound=False, more=(other,))
    assert label.verification is UNSUPPORTED


def test_a_quotation_has_to_be_of_what_the_claim_speaks_of() -> None:
    text = "Restart Count: 6\nLimit: 5"
    assert labelled("The limit is 5.", text, span=Span(17, 25)).verification is DIRECT


@pytest.mark.req("EX-08")
def test_guidance_and_failed_calls_refute_nothing() -> None:
    guidance = Invocation(
        "2",
        "lookup_knowledge",
        InvocationStatus.SUCCESS,
        refs=(EvidenceRef("documents[0]", "Restart Count: 6", EvidenceKind.GUIDANCE),),
    )
    failed = call("Restart Count: 6", call_id="3", status=InvocationStatus.FAILED)
    assert labelled("The restart count is 61.", more=(guidance, failed)).verification is UNSUPPORTED


@given(st.text(max_size=120), st.text(max_size=300))
def test_any_text_gets_a_label_and_always_the_same(text: str, evidence: str) -> None:
    first, second = labelled(text, evidence), labelled(text, evidence)
    assert first == second
    assert first.verification in Verification


_NUMBER = r"(?<![\w,.\-#&])\d+(?![\w,.\-])"


def _changed(text: str) -> dict[str, list[str]]:
    """Returns what a true claim becomes by one change of its sense, kind by kind."""
    body = text.rstrip(".。")
    return {
        "another number": [re.sub(r"\d+", lambda number: str(int(number[0]) + 1), text, count=1)],
        "a digit more": [re.sub(rf"({_NUMBER})", r"\g<1>3", text, count=1)],
        "another unit": [re.sub(rf"({_NUMBER})(?! ?%)", rf"\1 {unit}", text, count=1) for unit in ("s", "MB", "%")],
        "over instead of at": [re.sub(rf"(?<![>≥] )({_NUMBER})", r"> \1", text, count=1)],
        "other than instead of at": [re.sub(rf"(?<![>≥] )({_NUMBER})", r"!= \1", text, count=1)],
        "a negation put in": [
            *(re.sub(rf"(?<!\w){word}(?!\w)(?! not)", f"{word} not", text, count=1) for word in ("is", "are")),
            re.sub(r"(?<!\w)failed(?!\w)(?! to)", "has not failed", text, count=1),
            *(re.sub(word, f"没有{word}", text, count=1) for word in ("已", "达到")),
        ],
        "a negation left out": [re.sub(word, "", text, count=1) for word in (" not", "未")],
        "everywhere": [f"{body} everywhere", f"{body}，其他节点也一样"],
        "once more": [f"{body} again", f"{body}，再次发生"],
        "all of them": [f"all {text}", f"{body}以及备库"],
        "denied": [f"It is not true that {text}", f"并非{text}"],
        "under a condition": [f"if {text}", f"如果{text}"],
        "the opposite": [text.replace("down", "up"), text.replace("true", "false")],
    }


def _headed(evidence: str) -> dict[str, str]:
    """Returns evidence whose words a heading or a frame takes the force from."""
    lines = [f"  {line}" for line in evidence.split("\n")]
    return {
        "not observed": "\n".join(("Not observed in the last hour:", *lines)),
        "expected": "\n".join(("expected:", *lines)),
        "examples": f"# Examples\n{evidence}",
        "desired": "\n".join(('"desired": {', *lines, "}")),
        "not fired": "\n".join(("以下检查未触发：", *lines)),
    }


CHANGES = [
    (kind, claim, evidence)
    for text, evidence in pairs.ACCEPTED
    for kind, claims in _changed(text).items()
    for claim in claims
    if claim != text
]
HEADED = [(kind, text, headed) for text, evidence in pairs.ACCEPTED for kind, headed in _headed(evidence).items()]


def _kinds(rows: list[tuple[str, str, str]]) -> list[str]:
    return list(dict.fromkeys(row[0] for row in rows))


def _accepted(kind: str, rows: list[tuple[str, str, str]]) -> list[tuple[str, str]]:
    return [
        (text, evidence)
        for one, text, evidence in rows
        if one == kind and labelled(text, evidence).verification in SUPPORTED
    ]


@pytest.mark.parametrize("kind", _kinds(CHANGES))
def test_no_change_of_a_true_statement_is_confirmed(kind: str) -> None:
    assert _accepted(kind, CHANGES) == []


@pytest.mark.parametrize("kind", _kinds(HEADED))
def test_a_heading_takes_its_force_from_a_statement(kind: str) -> None:
    assert _accepted(kind, HEADED) == []


@pytest.mark.req("VO-11")
@pytest.mark.parametrize(
    ("text", "evidence", "values"),
    [
        ("the pool of payment-api was exhausted after 90 s", "payment-api: pool exhausted after 30 s\nok", ("90 s",)),
        ("the pool of payment-api was exhausted after 30 s", "payment-api: pool exhausted after 30 s\nok", ()),
        ("the queue of payment-api is long", "payment-api: pool exhausted after 30 s", ()),
    ],
)
def test_the_label_says_which_values_stand_nowhere(text: str, evidence: str, values: tuple[str, ...]) -> None:
    assert labelled(text, evidence).foreign_values == values


@pytest.mark.req("EX-04")
def test_a_fault_of_the_engine_is_a_label_and_a_warning_and_spares_the_other_claims(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read = ClaimReader.read

    def failing(self: ClaimReader, text: str) -> ClaimReading:
        if "boom" in text:
            raise RecursionError(text)
        return read(self, text)

    monkeypatch.setattr(ClaimReader, "read", failing)
    monkeypatch.setattr(engine_module, "_fault", FAULT)
    evidence = call("pod a-1: boom happened 3 times", "pod a-2 restarted 5 times")
    texts = ("Did it go boom on pod a-1?", "Pod a-2 restarted 5 times.")
    cases = [case_over(claim(text, at), evidence) for at, text in enumerate(texts)]
    result = engine().judge(view_of(cases, [evidence]))
    first, second = result.labels
    assert (first.verification, second.verification) == (Verification.UNSUPPORTED, DIRECT)
    (warning,) = result.warnings
    assert (warning.id, warning.place) == ("judge.claim_not_judged", "claims[0]")
    assert "RecursionError at test_deterministic.py" in warning.message
    assert "boom" not in warning.message


@pytest.mark.parametrize(("failed", "label"), [(1, Verification.OVERSTATED), (0, Verification.EXTERNAL_UNKNOWN)])
def test_what_only_an_unsound_quotation_has_is_not_from_outside(failed: int, label: Verification) -> None:
    """The call that a broken binding names has the figure, so that the claim says more than is quoted, and no worse."""
    sound = call("Job get-data: 0 Succeeded / 1 Failed", call_id="1")
    other = call("Exit Code: 6", call_id="2")
    case = replace(
        case_over(claim("Job get-data has 1 failed pod, which exited with code 6."), sound), failed_bindings=failed
    )
    (got,) = engine().judge(view_of([case], [sound, other])).labels
    assert got.verification is label


@settings(max_examples=150)
@given(SALAD, SALAD, st.sampled_from([row.evidence[0].text for row in own_rows()]), st.booleans())
def test_no_salad_of_known_words_makes_the_engine_fail(claimed: str, added: str, text: str, beside: bool) -> None:
    """Whatever an LLM writes is judged; a fault of the engine is raised in these tests."""
    labelled(claimed, f"{text}\n{added}" if beside else added)
