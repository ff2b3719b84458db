"""Names every closed set of words that the service speaks, once.

The values are the words that callers, stores and rule editors see. The proto enums mirror these sets (a test keeps
both equal), so no other module spells one of these words by hand.
"""

from __future__ import annotations

from enum import StrEnum


class ParseStatus(StrEnum):
    """How far an LLM's text was readable as its contract."""

    VALID = "valid"
    MISSING = "missing"
    MALFORMED = "malformed"


class ParseReason(StrEnum):
    """Why a text is not valid: a closed list, so that callers can count them."""

    EMPTY = "empty"
    REASONING_ONLY = "reasoning_only"
    REASONING_UNCLOSED = "reasoning_unclosed"
    NO_JSON = "no_json"
    TRUNCATED = "truncated"
    SEVERAL_OBJECTS = "several_objects"
    DUPLICATE_KEY = "duplicate_key"
    NON_FINITE = "non_finite"
    NUMBER_OUT_OF_RANGE = "number_out_of_range"
    NUMBER_TOO_LONG = "number_too_long"
    TOO_DEEP = "too_deep"
    TOO_LARGE = "too_large"
    INVALID_UNICODE = "invalid_unicode"
    RAW_CONTROL_CHAR = "raw_control_char"
    INVALID_ESCAPE = "invalid_escape"
    FULLWIDTH_SYNTAX = "fullwidth_syntax"
    FOREIGN_FENCE = "foreign_fence"
    TEXT_OUTSIDE_JSON = "text_outside_json"
    NOT_OBJECT = "not_object"
    SCHEMA = "schema"
    UNSUPPORTED_VERSION = "unsupported_version"
    SYNTAX = "syntax"
    INTERNAL_ERROR = "internal_error"


class OutputVariant(StrEnum):
    """In which form the executor's output travelled."""

    TEXT = "text"
    RAW = "raw"
    OBJECT = "object"
    NONE = "none"


class InvocationStatus(StrEnum):
    """How a persisted tool call ended."""

    SUCCESS = "SUCCESS"
    FAILED = "FAILED"
    NO_HIT = "NO_HIT"
    DEDUPED = "DEDUPED"


class EvidenceKind(StrEnum):
    """Whether a text was seen in this incident or tells what one should do in general."""

    OBSERVATION = "observation"
    GUIDANCE = "guidance"


class EvidenceLevel(StrEnum):
    """What a trace item can prove; `none` marks failed, empty, deduplicated and unusable calls."""

    NONE = "none"
    GUIDANCE = "guidance"
    OBSERVATION = "observation"


class Outcome(StrEnum):
    """What came of one rule on one subject."""

    PASS = "pass"
    FAIL = "fail"
    NOT_APPLICABLE = "not_applicable"
    ERROR = "error"


class GatekeeperStatus(StrEnum):
    """The Gatekeeper's answer as a whole."""

    PASS = "pass"
    WARN = "warn"
    FAIL = "fail"


class Severity(StrEnum):
    """How far a failed rule caps the verdict."""

    NONE = "none"
    LOW_CONFID = "low_confid"
    REJECT = "reject"


class Resolution(StrEnum):
    """How a binding came to its invocation."""

    UNRESOLVED = "unresolved"
    NAMED = "named"
    LEGACY_IDS = "legacy_ids"
    BACKFILLED = "backfilled"


class ExcerptStatus(StrEnum):
    """Whether an excerpt is a quotation of its evidence."""

    SUPPORTED = "supported"
    MISMATCH = "mismatch"
    UNINFORMATIVE = "uninformative"


class Verification(StrEnum):
    """The six labels of a claim."""

    DIRECT_OBSERVATION = "direct_observation"
    REASONABLE_INFERENCE = "reasonable_inference"
    OVERSTATED = "overstated"
    UNSUPPORTED = "unsupported"
    EXTERNAL_UNKNOWN = "external_unknown"
    CONTRADICTED = "contradicted"


class FactVerification(StrEnum):
    """The four labels of the older `facts_checked`."""

    DIRECT_EVIDENCE = "direct_evidence"
    INDIRECT_SUPPORT = "indirect_support"
    NO_EVIDENCE = "no_evidence"
    CONTRADICTED = "contradicted"


class Verdict(StrEnum):
    """What the answer as a whole is worth."""

    PASS = "PASS"
    LOW_CONFID = "LOW_CONFID"
    REJECT = "REJECT"


class Route(StrEnum):
    """What the caller does next."""

    COMPOSE = "COMPOSE"
    COMPOSE_WITH_UNCERTAINTY = "COMPOSE_WITH_UNCERTAINTY"
    RETRY = "RETRY"
    DEGRADE = "DEGRADE"


class Engine(StrEnum):
    """Who labels the claims."""

    DETERMINISTIC = "deterministic"
    LLM = "llm"
    HYBRID = "hybrid"
    SUPPLIED = "supplied"


class EvaluationSource(StrEnum):
    """Where an evaluation was made."""

    SERVER = "SERVER"
    CLIENT_FALLBACK = "CLIENT_FALLBACK"


class Language(StrEnum):
    """The languages of answers."""

    ZH = "zh"
    EN = "en"


class Writer(StrEnum):
    """Who writes the answer."""

    TEMPLATE = "template"
    MODEL = "model"
    SUPPLIED = "supplied"


class FallbackReason(StrEnum):
    """Why the fixed template speaks for another writer."""

    LEAK = "leak"
    UNREADABLE = "unreadable"
    UNAVAILABLE = "unavailable"
    FORM = "form"
    VERDICT = "verdict"
