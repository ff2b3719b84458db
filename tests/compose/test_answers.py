"""Answers: from the material alone, by verdict, in both languages, and never what a model made up."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

import pytest
from evidencegate_server.compose.sections import has_form
from evidencegate_server.use_cases.errors import EvaluationInconsistentError
from evidencegate_server.words import FallbackReason, Language, ParseStatus, Route, Verdict, Verification, Writer

from tests.compose.helpers import EVIDENCE, check, composed, evaluated, fallback
from tests.trace.helpers import shipped

DIRECT, INFERRED = Verification.DIRECT_OBSERVATION, Verification.REASONABLE_INFERENCE
FACT = check(0, "order-svc restarted 3 times", DIRECT)
GUESS = check(1, "the restarts are because the disk of db-3 is full", INFERRED, "root_cause")
WEAK = check(2, "pay-svc lost 40% of its calls", Verification.UNSUPPORTED, "impact")
GROUNDED = evaluated(FACT, GUESS)
UNCERTAIN = evaluated(FACT, GUESS, WEAK, hypotheses=["a slow disk of db-3"], actions=["look at the disk of db-3"])
REJECTED = evaluated(
    FACT, GUESS, check(2, "order-svc has 9 disks", Verification.CONTRADICTED), hypotheses=["a slow disk"]
)
LANGUAGES = list(Language)
HEADINGS = {
    Language.ZH: ["已确认的事实", "可能的方向", "证据缺口", "下一步建议"],
    Language.EN: ["Confirmed facts", "Possible directions", "Evidence gaps", "Next steps"],
}


def parts(text: str) -> dict[str, list[str]]:
    """Returns the lines under each heading."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("- "):
            found[next(reversed(found))].append(line[2:])
        elif line:
            found[line] = []
    return found


@pytest.mark.req("CP-01", "RT-02")
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_pass_tells_confirmed_and_inferred_claims_apart(language: Language) -> None:
    answer = composed(GROUNDED, language=language)
    first, second = parts(answer.text).values()
    assert (first, second) == ([FACT.claim_text], [GUESS.claim_text])
    assert (answer.writer, answer.fallback_reason) == (Writer.TEMPLATE, None)


@pytest.mark.req("CP-02", "RT-03")
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_uncertain_answer_has_the_four_parts_and_nothing_else(language: Language) -> None:
    found = parts(composed(UNCERTAIN, language=language).text)
    assert list(found) == HEADINGS[language]
    confirmed, directions, gaps, next_steps = found.values()
    assert confirmed == [FACT.claim_text]
    assert [GUESS.claim_text in directions[0], "a slow disk of db-3" in directions[1]] == [True, True]
    assert [WEAK.claim_text in gaps[0], len(gaps)] == [True, 1]
    assert next_steps == ["look at the disk of db-3"]


@pytest.mark.req("CP-03", "RT-05")
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_degraded_answer_has_facts_gaps_and_steps_of_its_own_and_no_cause(language: Language) -> None:
    text = composed(REJECTED, language=language).text
    assert HEADINGS[language][1] not in text
    assert FACT.claim_text in text
    for forbidden in (GUESS.claim_text, "9", "disks", "a slow disk"):
        assert forbidden not in text


@pytest.mark.req("CP-01")
def test_the_answer_is_chinese_where_nothing_is_said() -> None:
    from evidencegate_server.use_cases.compose import ComposeInput

    assert ComposeInput(GROUNDED, "").language is Language.ZH


@pytest.mark.req("CP-01", "SE-04")
@pytest.mark.parametrize("status", [ParseStatus.MISSING, ParseStatus.MALFORMED])
def test_an_output_that_could_not_be_read_is_said_to_be_a_gap(status: ParseStatus) -> None:
    given = evaluated(status=status)
    gaps = parts(composed(given).text)["Evidence gaps"]
    assert gaps == ["The executor's result could not be read as agreed, so no conclusion was checked."]


@pytest.mark.req("GK-15", "CP-01")
def test_a_client_that_reached_nobody_confirms_nothing() -> None:
    found = parts(composed(fallback()).text)
    assert found["Confirmed facts"] == ["Nothing can be confirmed so far."]
    assert found["Evidence gaps"] == ["The checking service could not be reached, so no conclusion was checked."]


GOOD_PASS = "We looked. order-svc restarted 3 times. The restarts are because the disk of db-3 is full."
GOOD_PARTS = """## Confirmed facts
- order-svc restarted 3 times.
## Possible directions
- The restarts are because the disk of db-3 is full, which is inferred.
- A slow disk of db-3 is a hypothesis.
## Evidence gaps
- There is not enough evidence for this: pay-svc lost 40% of its calls.
## Next steps
1. Look at the disk of db-3.
"""


@pytest.mark.req("CP-04", "CP-05")
@pytest.mark.parametrize(
    ("given", "text"), [(GROUNDED, GOOD_PASS), (UNCERTAIN, GOOD_PARTS)], ids=["pass", "low_confid"]
)
def test_a_text_that_keeps_to_the_material_is_taken(given: object, text: str) -> None:
    answer = composed(given, text)  # type: ignore[arg-type]
    assert (answer.leaks, answer.fallback_detail) == ((), "")
    assert (answer.text, answer.writer) == (text.strip(), Writer.SUPPLIED)


@pytest.mark.req("CP-04")
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("order-svc restarted 4 times.", "number"),
        ("order-svc restarted three times within five minutes.", "number"),
        ("order-svc 重启了五次。", "number"),
        ("order-svc and cart-svc-2 restarted 3 times.", "identifier"),
        ("order-svc restarted 3 times due to a memory leak.", "root_cause"),
        ("order-svc 重启 3 次，根因是内存泄漏。", "root_cause"),
        ("The disk of db-3 is full because of the restarts.", "root_cause"),
        ("The restarts are not because the disk of db-3 is full.", "root_cause"),
    ],
)
def test_what_the_material_does_not_have_sends_the_template(text: str, kind: str) -> None:
    answer = composed(GROUNDED, text)
    assert kind in {leak.kind for leak in answer.leaks}
    assert (answer.writer, answer.fallback_reason) == (Writer.TEMPLATE, FallbackReason.LEAK)
    assert answer.text == composed(GROUNDED).text
    assert all(text[leak.span.start : leak.span.end].startswith(leak.quote[:20]) for leak in answer.leaks)


@pytest.mark.req("CP-01", "CP-04")
@pytest.mark.parametrize("heading", HEADINGS[Language.EN])
def test_a_heading_in_an_answer_without_parts_excuses_nothing(heading: str) -> None:
    answer = composed(GROUNDED, f"order-svc restarted 3 times.\n## {heading}\n- A memory leak is the root cause.")
    assert (answer.writer, answer.fallback_reason) == (Writer.TEMPLATE, FallbackReason.LEAK)


@pytest.mark.req("CP-04")
def test_a_sentence_too_long_to_be_read_to_its_end_is_not_taken() -> None:
    """What a claim says in its first two hundred words bears out no word behind them."""
    long = "the restarts are because the disk of db-3 is full " + "and the disk of db-3 stays full " * 40
    given = evaluated(FACT, check(1, long, INFERRED, "root_cause"))
    text = f"{long}and the cause is that the mesh lost its certificates."
    assert composed(given, text).fallback_reason is FallbackReason.LEAK


@pytest.mark.req("CP-02")
def test_blanks_behind_a_heading_take_no_more_than_their_length() -> None:
    """A heading's pattern once tried every way to divide the blanks; with 200,000 of them this did not end."""
    blanks = " " * 200_000
    text = GOOD_PARTS.replace("## Evidence gaps", f"## Evidence gaps{blanks}: {blanks}**{blanks}x")
    sections = shipped().composer.languages.of(Language.EN).sections
    assert not has_form(text, sections)
    assert has_form(text.replace("**" + blanks + "x", "**" + blanks), sections)


@pytest.mark.req("CP-04")
def test_the_same_amount_in_another_unit_is_no_leak() -> None:
    given = evaluated(check(0, "p99 latency of order-svc is 500 ms", DIRECT))
    assert composed(given, "The p99 latency of order-svc is 0.5 s.").writer is Writer.SUPPLIED


@pytest.mark.req("CP-02", "CP-04")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("- order-svc restarted 3 times.", "- pay-svc lost 40% of its calls."),
        ("- order-svc restarted 3 times.", "- A slow disk of db-3."),
        ("- order-svc restarted 3 times.", "- order-svc never restarted 3 times."),
        ("1. Look at the disk of db-3.", "1. Look at the disk of db-3; pay-svc lost 40% of its calls."),
    ],
)
def test_what_is_not_confirmed_does_not_stand_among_the_facts(old: str, new: str) -> None:
    answer = composed(UNCERTAIN, GOOD_PARTS.replace(old, new))
    assert [leak.kind for leak in answer.leaks] == ["claim"]
    assert answer.writer is Writer.TEMPLATE


@pytest.mark.req("CP-02")
@pytest.mark.parametrize(
    "text",
    [
        "order-svc restarted 3 times.",
        GOOD_PARTS.replace("## Possible directions\n", ""),
        "In short:\n" + GOOD_PARTS,
        GOOD_PARTS.replace("Confirmed facts", "X").replace("Next steps", "Confirmed facts").replace("X", "Next steps"),
        GOOD_PARTS + "## Confirmed facts\n- order-svc restarted 3 times.\n",
    ],
)
def test_an_uncertain_text_in_another_form_is_not_taken(text: str) -> None:
    answer = composed(UNCERTAIN, text)
    assert (answer.writer, answer.fallback_reason) == (Writer.TEMPLATE, FallbackReason.FORM)


@pytest.mark.req("CP-05", "CP-06", "SE-04")
@pytest.mark.parametrize(
    ("text", "status"),
    [
        (None, ParseStatus.MISSING),
        (" \n", ParseStatus.MISSING),
        ('{"answer": "order-svc restarted 3 times"}', ParseStatus.VALID),
        ("```\norder-svc restarted 3 times\n```", ParseStatus.VALID),
        ("claim_id c1: order-svc restarted 3 times", ParseStatus.VALID),
        ("order-svc restarted 3 times. " * 1_000, ParseStatus.VALID),
    ],
)
def test_a_text_that_is_no_answer_is_on_record_and_not_shown(text: str | None, status: ParseStatus) -> None:
    answer = composed(GROUNDED, text, failure="")
    assert (answer.writer, answer.fallback_reason) == (Writer.TEMPLATE, FallbackReason.UNREADABLE)
    assert answer.parse_report is not None
    assert answer.parse_report.status is status
    assert answer.fallback_detail


@pytest.mark.req("CP-05", "SE-03")
def test_a_model_that_does_not_answer_leaves_the_template() -> None:
    answer = composed(GROUNDED, None, failure="timeout")
    assert answer.fallback_reason is FallbackReason.UNAVAILABLE
    assert answer.fallback_detail == "The model gave no text: timeout."
    assert answer.prompt_audit is not None
    assert [prompt.role for prompt in answer.prompt_audit.prompts] == ["planner", "executor", "verifier", "composer"]


@pytest.mark.req("CP-03")
def test_a_reject_is_told_by_the_template_whoever_is_asked() -> None:
    answer = composed(REJECTED, "order-svc restarted 3 times")
    assert (answer.writer, answer.fallback_reason) == (Writer.TEMPLATE, FallbackReason.VERDICT)
    assert answer.text == composed(REJECTED).text


@pytest.mark.req("CP-07")
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("verdict", Verdict.PASS),
        ("route", Route.COMPOSE),
        ("groundedness_score", 0.99),
        ("critical_fact_count", 7),
        ("executor_status", None),
        ("gatekeeper", None),
        ("material", replace(UNCERTAIN.material, confirmed=GROUNDED.material.inferred)),
        ("material", replace(UNCERTAIN.material, inferred=())),
        ("material", replace(UNCERTAIN.material, gaps=())),
        ("material", replace(UNCERTAIN.material, directions=UNCERTAIN.material.next_steps)),
        ("checks", tuple(replace(one, verification=DIRECT) for one in UNCERTAIN.checks)),
        ("checks", tuple(replace(one, is_critical=False) for one in UNCERTAIN.checks)),
    ],
)
def test_an_evaluation_that_was_edited_is_refused(field: str, value: object) -> None:
    with pytest.raises(EvaluationInconsistentError) as caught:
        composed(replace(UNCERTAIN, **{field: value}))
    assert caught.value.violations[0].field.startswith("evaluation.")


@pytest.mark.req("CP-07", "CP-01")
@pytest.mark.parametrize(
    ("labels", "claim_type", "language"),
    list(itertools.product(itertools.product(Verification, repeat=2), ["root_cause", "observation"], LANGUAGES)),
)
def test_nothing_but_allowed_material_is_in_any_answer(
    labels: tuple[Verification, Verification], claim_type: str, language: Language
) -> None:
    texts = ("order-svc restarted 3 times", "disk of db-3 is full")
    checks = [check(at, text, label, claim_type) for at, (text, label) in enumerate(zip(texts, labels, strict=True))]
    given = evaluated(*checks, hypotheses=["a loose cable at rack-77"], actions=["buy 900 disks"])
    text = composed(given, language=language).text
    material = given.material
    allowed = [item.text for item in (*material.confirmed, *material.inferred)]
    allowed += [sentence for gap in material.gaps for spoken, sentence in gap.sentences if spoken is language]
    rest = text
    for one in sorted(allowed, key=len, reverse=True):
        rest = rest.replace(one, "")
    assert not re.search(r"order-svc|db-3|rack-77|900|what a model wrote", rest)
    assert EVIDENCE not in text
