"""Maps the engine's words to the numbers of the proto enums and back, once for each enum.

The names follow one rule: the enum's prefix and the word in upper case. A word without a number is an error at import,
so that a new word cannot reach a caller as UNSPECIFIED.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Generic, TypeVar

from evidencegate.v1 import (
    catalog_pb2,
    composer_pb2,
    evaluation_pb2,
    gatekeeper_pb2,
    invocation_pb2,
    material_pb2,
    prompt_pb2,
    text_pb2,
    trace_pb2,
)
from google.protobuf.descriptor import EnumDescriptor

from evidencegate_server import words

_Word = TypeVar("_Word", bound=str)
_EnumWord = TypeVar("_EnumWord", bound=StrEnum)

# The prompts' roles are open words in the engine: it never decides by one.
PROMPT_ROLES = ("planner", "executor", "verifier", "composer", "semantic_guard", "evidence_repair")


class EnumWords(Generic[_Word]):
    """One enum's mapping: `number[word]` and `word[number]`, both without the UNSPECIFIED zero."""

    def __init__(self, descriptor: EnumDescriptor, members: tuple[_Word, ...]) -> None:
        zero = descriptor.values_by_number[0].name
        self.prefix = zero.removesuffix("UNSPECIFIED")
        numbers = {value.name: value.number for value in descriptor.values if value.number != 0}
        # Any: the generated stubs give each enum a type of its own, which cannot be named here.
        self.number: dict[_Word, Any] = {member: numbers[self.prefix + member.upper()] for member in members}
        self.word: dict[int, _Word] = {number: member for member, number in self.number.items()}
        unnamed = sorted(numbers.values() - self.word.keys())
        if unnamed:
            raise ValueError(f"{descriptor.full_name} has numbers without a word: {unnamed}")


def enum_fault(number: int) -> str:
    """Returns what is wrong with a number that has no word."""
    return "is not set" if number == 0 else f"has the unknown number {number}"


def _of(descriptor: EnumDescriptor, enum: type[_EnumWord]) -> EnumWords[_EnumWord]:
    return EnumWords(descriptor, tuple(enum))


PARSE_STATUS = _of(text_pb2.ParseStatus.DESCRIPTOR, words.ParseStatus)
INVOCATION_STATUS = _of(invocation_pb2.InvocationStatus.DESCRIPTOR, words.InvocationStatus)
EVIDENCE_KIND = _of(invocation_pb2.EvidenceKind.DESCRIPTOR, words.EvidenceKind)
EVIDENCE_LEVEL = _of(trace_pb2.EvidenceLevel.DESCRIPTOR, words.EvidenceLevel)
OUTCOME = _of(gatekeeper_pb2.CheckOutcome.DESCRIPTOR, words.Outcome)
GATEKEEPER_STATUS = _of(gatekeeper_pb2.GatekeeperStatus.DESCRIPTOR, words.GatekeeperStatus)
RESOLUTION = _of(gatekeeper_pb2.BindingResolution.DESCRIPTOR, words.Resolution)
SEVERITY = _of(catalog_pb2.Severity.DESCRIPTOR, words.Severity)
VERIFICATION = _of(evaluation_pb2.Verification.DESCRIPTOR, words.Verification)
FACT_VERIFICATION = _of(evaluation_pb2.FactVerification.DESCRIPTOR, words.FactVerification)
VERDICT = _of(evaluation_pb2.Verdict.DESCRIPTOR, words.Verdict)
ROUTE = _of(evaluation_pb2.Route.DESCRIPTOR, words.Route)
ENGINE = _of(evaluation_pb2.JudgeEngine.DESCRIPTOR, words.Engine)
SOURCE = _of(evaluation_pb2.EvaluationSource.DESCRIPTOR, words.EvaluationSource)
PROMPT_ROLE = EnumWords(prompt_pb2.PromptRole.DESCRIPTOR, PROMPT_ROLES)
LANGUAGE = _of(material_pb2.Language.DESCRIPTOR, words.Language)
WRITER = _of(composer_pb2.ComposerWriter.DESCRIPTOR, words.Writer)
FALLBACK_REASON = _of(composer_pb2.FallbackReason.DESCRIPTOR, words.FallbackReason)
