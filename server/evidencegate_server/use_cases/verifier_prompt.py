"""Writes what a verifier model is asked: exactly the inputs that it may see, bounded, between the prompt's marks."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from evidencegate_server.catalog.prompts import PromptCatalog, PromptRole
from evidencegate_server.contract.records import record
from evidencegate_server.judge.model import ClaimLabel, EngineResult, JudgeView, Witness
from evidencegate_server.trace.model import TraceItem
from evidencegate_server.trace.summary import trace_ref
from evidencegate_server.words import ParseStatus

# Where a prompt is too long for its model, less is sent in these steps: shares of final answer and trace summary.
_STEPS: Final = ((1.0, 1.0), (0.0, 1.0), (0.0, 0.5), (0.0, 0.25), (0.0, 0.0))
_SHOWN: Final = frozenset({"stated", "derivable", "part", "in_conflict"})


@record
class ModelPrompt:
    """A prompt, and how many code points of material it leaves out."""

    text: str
    left_out_chars: int


class VerifierPrompt:
    """The prompt of one judgement. With `asked`, it is about these claims alone and tells what code found of them."""

    def __init__(
        self, view: JudgeView, prompts: PromptCatalog, code: EngineResult, asked: frozenset[int] | None = None
    ) -> None:
        self._view = view
        self._prompts = prompts
        self._asked = asked
        self._code = {label.index: label for label in code.labels}

    def write(self, max_bytes: int) -> ModelPrompt:
        """Returns the prompt; shortened where it would be longer than so many UTF-8 bytes, if that is enough."""
        written = ModelPrompt("", 0)
        for answer_share, trace_share in _STEPS:
            written = self._write(answer_share, trace_share)
            if len(written.text.encode("utf-8", "replace")) <= max_bytes:
                break
        return written

    def _write(self, answer_share: float, trace_share: float) -> ModelPrompt:
        view, chars = self._view, self._prompts.verifier_chars
        cut = _Cut()
        report = view.parse_report
        status = report.status.value if report.reason is None else f"{report.status.value} ({report.reason.value})"
        trace = [_item(item) for item in view.trace.items]
        text = self._prompts.of(PromptRole.VERIFIER).fill(
            original_query=cut.text(view.original_query, chars.query),
            executor_final_answer=cut.text(view.final_answer, int(chars.final_answer * answer_share)),
            executor_structured_output=cut.text(self._structured_output(), chars.structured_output),
            executor_output_parse_status=status,
            tool_trace_summary=cut.items(trace, int(chars.trace_summary * trace_share)),
            gatekeeper_result=cut.text(_json(self._gatekeeper_result()), chars.gatekeeper_result),
            retry_context=cut.text(self._retry_context(), chars.retry_context),
        )
        return ModelPrompt(text, cut.left_out)

    def _structured_output(self) -> str:
        output = self._view.output
        if output is None or self._view.parse_report.status is not ParseStatus.VALID:
            return ""
        if self._asked is None:
            return _json(output.raw)
        claims = [{"claim_index": one.index, **one.raw} for one in output.claims if one.index in self._asked]
        return _json({"claims": claims})

    def _gatekeeper_result(self) -> dict[str, Any]:
        found = self._view.gatekeeper
        bindings = [
            {
                "claim_index": check.claim_index,
                "claim_id": check.claim_id,
                "trace_ref": trace_ref(check.invocation_id),
                "raw_path": check.raw_path,
                "verified": check.verified,
                # The words of one that is not verified are nobody's but the executor's.
                **({"evidence": check.evidence_excerpt} if check.verified else {}),
            }
            for check in found.bindings
            if self._asked is None or check.claim_index in self._asked
        ]
        result: dict[str, Any] = {
            "status": found.status.value,
            "severity": found.severity.value,
            "failed_rules": list(found.failed_rules),
            "bindings": bindings,
        }
        if self._asked is not None:
            result["code_reading"] = [
                _reading(self._code[index]) for index in sorted(self._asked) if index in self._code
            ]
        return result

    def _retry_context(self) -> str:
        context = self._view.retry_context
        if context is None:
            return ""
        weak = [
            {
                "claim_id": claim.claim_id,
                "claim_text": claim.claim_text,
                "verification": claim.verification.value,
                "missing_evidence": claim.missing_evidence,
            }
            for claim in context.weak_claims
        ]
        return _json(
            {
                "verdict": context.verdict.value,
                "groundedness_score": context.groundedness_score,
                "weak_claims": weak,
                "missing_info": list(context.missing_info),
            }
        )


class _Cut:
    """Shortens texts and counts what is left out."""

    def __init__(self) -> None:
        self.left_out = 0

    def text(self, text: str, most: int) -> str:
        if len(text) <= most:
            return text
        self.left_out += len(text) - most
        return text[:most]

    def items(self, items: Iterable[dict[str, Any]], most: int) -> str:
        """Returns a JSON list of as many whole items as fit."""
        kept: list[str] = []
        room = most
        for item in items:
            line = _json(item)
            if len(line) > room:
                room = 0
                self.left_out += len(line)
                continue
            room -= len(line)
            kept.append(line)
        return f"[{','.join(kept)}]"


def _item(item: TraceItem) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "trace_ref": item.trace_ref,
        "tool_name": item.tool_name,
        "success": item.success,
        "evidence_level": item.evidence_level.value,
        "source_invocation_ids": list(item.source_invocation_ids),
        "input_summary": item.input_summary,
        "output_summary": item.output_summary,
    }
    more: Mapping[str, tuple[str, ...]] = {
        "queries": item.queries,
        "retrieval_layers": item.retrieval_layers,
        "relevance_levels": item.relevance_levels,
        "source_documents": item.source_documents,
    }
    return shown | {name: list(values) for name, values in more.items() if values}


def _reading(label: ClaimLabel) -> dict[str, Any]:
    return {
        "claim_index": label.index,
        "label": label.verification.value,
        "witnessed": [_witness(one) for one in label.witnesses if one.relation in _SHOWN],
        "not_witnessed": [_witness(one) for one in label.witnesses if one.relation not in _SHOWN],
    }


def _witness(witness: Witness) -> dict[str, str]:
    shown = {"claim": witness.claim_quote, "relation": witness.relation, "evidence": witness.evidence_quote}
    return {name: text for name, text in shown.items() if text}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
