"""Turns request messages into the engine's own types, and a caller's mistakes into field violations.

One pass reads and checks: the fields of a sound request are read once. Sizes are looked at first, so that an oversized
request costs no more than its decoding.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

from evidencegate.v1 import (
    executor_output_pb2,
    gatekeeper_pb2,
    invocation_pb2,
    text_pb2,
    trace_pb2,
    verifier_pb2,
)

from evidencegate_server.catalog.model import Catalog, Limits
from evidencegate_server.evidence.model import EvidenceRef, Invocation
from evidencegate_server.service.enum_words import EVIDENCE_KIND, INVOCATION_STATUS
from evidencegate_server.service.struct_json import UnsetValueError, canonical_json
from evidencegate_server.use_cases.errors import (
    FieldViolation,
    InvalidRequestError,
    LimitExceededError,
    RuleSetVersionMismatchError,
)
from evidencegate_server.use_cases.summarize import SummaryInput
from evidencegate_server.use_cases.validate import ValidationInput
from evidencegate_server.words import EvidenceKind, OutputVariant

_STATUS = INVOCATION_STATUS.word
# A kind that is not set is decided by the catalog's tool registry, after the digest is made.
_KIND = {0: EvidenceKind.OBSERVATION, **EVIDENCE_KIND.word}
_INVOCATION_ROUNDS = (0, 1, 2)

# Names and questions are short; what is longer is no name, and would be repeated with each binding. In UTF-8 bytes.
MAX_NAME_BYTES = 1_024
MAX_QUERY_BYTES = 65_536
_SURELY_SHORT = MAX_NAME_BYTES // 4  # in characters, of at most four bytes each
_LEAST_BYTES_OF_A_REF = 2  # its tag and its length, where it is empty

# Letters that are drawn as nothing.
_BLANK_LETTERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")


class Violations:
    """Collects what is wrong with a request's fields, all of it, so that a caller mends it in one go."""

    def __init__(self) -> None:
        self._found: list[FieldViolation] = []

    def add(self, field: str, description: str) -> None:
        """Notes one wrong field by its path."""
        self._found.append(FieldViolation(field, description))

    def raise_if_any(self) -> None:
        """Raises InvalidRequestError with everything that was noted."""
        if self._found:
            raise InvalidRequestError(self._found)


def read_validate_request(
    message: gatekeeper_pb2.ValidateRequest, catalog: Catalog, request_bytes: int | None = None
) -> ValidationInput:
    """Returns what is to be validated; raises CallerError where the request cannot be carried out as it was sent.

    `request_bytes` is the serialized size, counted here where it is not given.
    """
    check_request(message, catalog, request_bytes)
    violations = Violations()
    invocations = read_invocations(message.tool_invocations, violations)
    violations.raise_if_any()
    variant, output = read_output(message.executor_output)
    return ValidationInput(variant, output, invocations, message.narrow_question)


def read_summarize_request(
    message: trace_pb2.SummarizeTraceRequest, catalog: Catalog, request_bytes: int | None = None
) -> SummaryInput:
    """Returns what is to be summarized; `request_bytes` and errors as for `read_validate_request`."""
    _check_sizes(message.tool_invocations, catalog.limits, request_bytes or message.ByteSize())
    violations = Violations()
    check_text_bytes("original_query", message.original_query, MAX_QUERY_BYTES)
    invocations = read_invocations(message.tool_invocations, violations)
    violations.raise_if_any()
    variant, output = read_output(message.executor_output)
    return SummaryInput(invocations, message.original_query, variant, output)


def check_request(
    message: gatekeeper_pb2.ValidateRequest | verifier_pb2.JudgeRequest, catalog: Catalog, request_bytes: int | None
) -> None:
    """Raises where the caller pinned another rule set, or the request is over a limit."""
    _check_rule_set_version(message.expected_rule_set_version, catalog.rule_set.rule_set_version)
    _check_sizes(message.tool_invocations, catalog.limits, request_bytes or message.ByteSize())


def _check_rule_set_version(expected: str, actual: str) -> None:
    """Raises where the caller pinned another version of the rule set than the one in use."""
    if expected and expected != actual:
        message = f"expected_rule_set_version is {expected!r} and the server uses {actual!r}"
        raise RuleSetVersionMismatchError(message, {"expected": expected, "actual": actual})


def _check_sizes(invocations: Sequence[invocation_pb2.ToolInvocation], limits: Limits, request_bytes: int) -> None:
    """Raises LimitExceededError for too many invocations or refs, or too much evidence.

    Refs and evidence are counted exactly only where the request is large enough to hold more than its limits allow.
    """
    if len(invocations) > limits.max_invocations:
        raise LimitExceededError("tool_invocations", limits.max_invocations, len(invocations))
    if request_bytes > limits.max_refs * _LEAST_BYTES_OF_A_REF:
        refs = sum(len(invocation.retrieval_details.evidence_refs) for invocation in invocations)
        if refs > limits.max_refs:
            raise LimitExceededError("evidence_refs", limits.max_refs, refs)
    if request_bytes > limits.max_evidence_bytes:
        evidence = sum(_evidence_bytes(invocation) for invocation in invocations)
        if evidence > limits.max_evidence_bytes:
            raise LimitExceededError("evidence_bytes", limits.max_evidence_bytes, evidence)


def _evidence_bytes(invocation: invocation_pb2.ToolInvocation) -> int:
    texts = [invocation.input, invocation.output, invocation.error]
    texts.extend(ref.text for ref in invocation.retrieval_details.evidence_refs)
    return sum(len(text) if text.isascii() else len(text.encode()) for text in texts)


def check_text_bytes(field: str, text: str, limit: int) -> None:
    """Raises LimitExceededError for a text with more UTF-8 bytes than the limit."""
    if len(text) * 4 > limit:
        size = len(text) if text.isascii() else len(text.encode())
        if size > limit:
            raise LimitExceededError(f"{field} bytes", limit, size)


def read_output(message: executor_output_pb2.ExecutorOutput) -> tuple[OutputVariant, str | bytes | None]:
    """Returns the variant in which the output came and its content; an object as its canonical JSON text."""
    variant = message.WhichOneof("content")
    if variant == "text":
        return OutputVariant.TEXT, message.text
    if variant == "raw":
        return OutputVariant.RAW, message.raw
    if variant == "object":
        try:
            return OutputVariant.OBJECT, canonical_json(message.object)
        except UnsetValueError as error:
            field = f"executor_output.object{error.path}"
            raise InvalidRequestError.of(field, "is a Value with nothing set; set null_value for null") from None
    return OutputVariant.NONE, None


def read_model_text(message: text_pb2.ModelText) -> str | bytes | None:
    """Returns what a model wrote, None where no variant is set."""
    variant = message.WhichOneof("content")
    if variant == "text":
        return message.text
    if variant == "raw":
        return message.raw
    return None


def read_invocations(
    messages: Iterable[invocation_pb2.ToolInvocation], violations: Violations
) -> tuple[Invocation, ...]:
    """Returns the invocations in request order. What is wrong with one is noted, and that one is left out."""
    invocations: list[Invocation] = []
    first_at: dict[str, int] = {}
    for index, message in enumerate(messages):
        identity = message.id
        tool_name = message.tool_name
        status = _STATUS.get(message.status)
        round_ = message.round
        if len(identity) + len(tool_name) > _SURELY_SHORT:
            check_text_bytes(f"tool_invocations[{index}].id", identity, MAX_NAME_BYTES)
            check_text_bytes(f"tool_invocations[{index}].tool_name", tool_name, MAX_NAME_BYTES)
        fault = _name_fault(identity)
        if fault:
            violations.add(f"tool_invocations[{index}].id", fault)
        elif identity in first_at:
            first = f"tool_invocations[{first_at[identity]}]"
            violations.add(f"tool_invocations[{index}].id", f"repeats the ID of {first}; each row's ID is unique")
        else:
            first_at[identity] = index
        fault = _name_fault(tool_name)
        if fault:
            violations.add(f"tool_invocations[{index}].tool_name", fault)
        if round_ not in _INVOCATION_ROUNDS:
            violations.add(f"tool_invocations[{index}].round", f"is {round_}; allowed are 1, 2, and 0 for not known")
        if status is None:
            violations.add(f"tool_invocations[{index}].status", _status_fault(message.status))
            continue
        details = message.retrieval_details
        # The others are mostly empty, and to ask costs a fifth of what a tuple of nothing costs.
        refs = _read_refs(details.evidence_refs, index, violations)
        queries = tuple(given) if (given := details.queries) else _NONE
        layers = tuple(given) if (given := details.retrieval_layers) else _NONE
        levels = tuple(given) if (given := details.relevance_levels) else _NONE
        documents = tuple(given) if (given := details.source_documents) else _NONE
        invocations.append(
            Invocation(
                identity,
                tool_name,
                status,
                round_,
                message.topic_domain,
                message.input,
                message.output,
                message.error,
                refs,
                queries,
                layers,
                levels,
                documents,
            )
        )
    return tuple(invocations)


def _name_fault(name: str) -> str:
    """Returns what is wrong with an ID or a tool's name, which models repeat without what nobody sees; else nothing."""
    if name and "!" <= name[0] <= "~" and "!" <= name[-1] <= "~":
        return ""
    if all(map(_is_unseen, name)):
        return "is blank"
    if _is_unseen(name[0]) or _is_unseen(name[-1]):
        return "has white space or an invisible character at an edge"
    return ""


def _is_unseen(char: str) -> bool:
    # Separators and controls, formats such as the zero-width space among them.
    return unicodedata.category(char) in _UNSEEN or char in _BLANK_LETTERS


_UNSEEN = frozenset(("Zs", "Zl", "Zp", "Cc", "Cf"))
_NONE: tuple[str, ...] = ()


def _read_refs(messages: Any, invocation: int, violations: Violations) -> tuple[EvidenceRef, ...]:
    refs: list[EvidenceRef] = []
    texts: dict[str, str] = {}
    for index, message in enumerate(messages):
        raw_path = message.raw_path
        text = message.text
        kind_number = message.kind
        kind = _KIND.get(kind_number)
        if not raw_path or raw_path.isspace():
            violations.add(_ref_field(invocation, index, "raw_path"), "is blank")
        elif texts.setdefault(raw_path, text) != text:
            description = f"occurs twice in this invocation with different texts: {raw_path[:80]!r}"
            violations.add(_ref_field(invocation, index, "raw_path"), description)
        if kind is None:
            violations.add(_ref_field(invocation, index, "kind"), f"has the unknown number {kind_number}")
            continue
        source, truncated, implied, kind_given = message.source_document, message.truncated, False, kind_number != 0
        refs.append(EvidenceRef(raw_path, text, kind, source, truncated, implied, kind_given))
    return tuple(refs)


def _ref_field(invocation: int, index: int, name: str) -> str:
    return f"tool_invocations[{invocation}].retrieval_details.evidence_refs[{index}].{name}"


def _status_fault(number: int) -> str:
    allowed = ", ".join(f"{INVOCATION_STATUS.prefix}{word}" for word in INVOCATION_STATUS.number)
    return f"is not set; set one of {allowed}" if number == 0 else f"has the unknown number {number}"
