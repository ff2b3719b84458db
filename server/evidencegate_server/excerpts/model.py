"""Holds what came of comparing an excerpt with its evidence."""

from __future__ import annotations

from enum import StrEnum

from evidencegate_server.contract.records import record
from evidencegate_server.evidence.model import Span
from evidencegate_server.words import ExcerptStatus


class MismatchReason(StrEnum):
    """Why an excerpt is not supported: a closed list, so that callers can count them."""

    NOT_FOUND = "not_found"
    MID_TOKEN = "mid_token"
    MID_NUMBER = "mid_number"
    SIGN_OR_JOINER_CROPPED = "sign_or_joiner_cropped"
    UNIT_CROPPED = "unit_cropped"
    COMPARATOR_CROPPED = "comparator_cropped"
    UNIT_CASE_CHANGED = "unit_case_changed"
    NEGATION_CROPPED = "negation_cropped"
    CONDITION_CROPPED = "condition_cropped"
    VALUE_CROPPED = "value_cropped"
    VALUE_TYPE_CHANGED = "value_type_changed"
    GAP_HIDES_POLARITY = "gap_hides_polarity"
    GAP_CROSSES_RECORD = "gap_crosses_record"
    GAP_TOO_LONG = "gap_too_long"
    TOO_MANY_PARTS = "too_many_parts"
    BLANK = "blank"
    TOO_SHORT = "too_short"
    NO_LETTER = "no_letter"
    FUNCTION_WORDS = "function_words"


class ExcerptTier(StrEnum):
    """How an excerpt was found, strictest first."""

    VERBATIM = "verbatim"
    FOLDED = "folded"
    PEELED = "peeled"
    EXCERPT_UNESCAPED = "excerpt_unescaped"
    EVIDENCE_UNESCAPED = "evidence_unescaped"
    HTML_ENTITIES = "html_entities"
    JSON_QUOTES = "json_quotes"
    JSON_OBJECT = "json_object"
    ELLIPSIS = "ellipsis"


class ExcerptFlag(StrEnum):
    """What a reader should know about a comparison, whatever came of it."""

    ANSI_REMOVED = "ansi_removed"
    BIDI_CONTROL = "bidi_control"
    INVISIBLE_REMOVED = "invisible_removed"
    MIXED_SCRIPT = "mixed_script"


@record
class ExcerptMatch:
    """The result of one comparison.

    `contained` says whether any tier found the excerpt at all; `reason` (a MismatchReason word) is empty exactly where
    the status is supported; `tier` is the tier that found it, empty where none did; `spans` are half-open code-point
    ranges of the original evidence text, in order, several for an ellipsis and for a JSON object; where a rule refused
    what was found they show the first place that it refused. `flags` are remarks in alphabetical order.
    """

    status: ExcerptStatus
    contained: bool
    reason: str = ""
    tier: str = ""
    spans: tuple[Span, ...] = ()
    flags: tuple[str, ...] = ()
