"""Says of an evaluation what the log and the metrics hold: words and counts, never a text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from evidencegate.v1 import evaluation_pb2

from evidencegate_server.service import enum_words
from evidencegate_server.service.metrics import CallFacts


def label_counts(labels: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """Returns how often each label occurs, in alphabetical order."""
    # Plain text: the log writes no enum as a key.
    return tuple(sorted(Counter(map(str, labels)).items()))


def evaluation_facts(session_id: str, evaluation: evaluation_pb2.Evaluation) -> CallFacts:
    """Returns the facts of an evaluation that a caller hands in; what has no word here reads as `unknown`."""
    gatekeeper = evaluation.gatekeeper_result
    verification, facts = enum_words.VERIFICATION.word, enum_words.FACT_VERIFICATION.word
    return CallFacts(
        session_id=session_id,
        parse_status=enum_words.PARSE_STATUS.word.get(evaluation.executor_output_parse_status.status, "unknown"),
        gatekeeper_status=enum_words.GATEKEEPER_STATUS.word.get(gatekeeper.status, "unknown"),
        failed_rules=tuple(gatekeeper.failed_rules),
        verdict=enum_words.VERDICT.word.get(evaluation.verdict, "unknown"),
        route=enum_words.ROUTE.word.get(evaluation.route, "unknown"),
        claim_labels=label_counts(verification.get(check.verification, "unknown") for check in evaluation.claim_checks),
        fact_labels=label_counts(facts.get(check.verification, "unknown") for check in evaluation.facts_checked),
        counted=False,
    )
