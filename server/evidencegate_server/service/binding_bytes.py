"""Writes the record of a binding straight as the bytes of its message.

A result has one for each binding, up to five hundred, and making a message object field by field costs twice as much.
What is written is what protobuf writes: fields in the order of their numbers, none that has its default, but for the
steps, which recur from binding to binding and come serialized, at the end.
"""

from __future__ import annotations

from typing import Final

from evidencegate.v1 import gatekeeper_pb2, text_pb2

from evidencegate_server.excerpts.model import ExcerptTier
from evidencegate_server.rules.model import BindingCheck
from evidencegate_server.service import enum_words
from evidencegate_server.service.wire import VARINT, number_tag, text_tag

_FIELDS: Final = gatekeeper_pb2.BindingCheck.DESCRIPTOR.fields_by_name
_SPAN_FIELDS: Final = text_pb2.TextSpan.DESCRIPTOR.fields_by_name
_TAG: Final = {name: text_tag(field.number) for name, field in _FIELDS.items()}
_NUMBER_TAG: Final = {name: number_tag(field.number) for name, field in _FIELDS.items()}

_PLACE: Final = _TAG["place"]
_CLAIM_INDEX: Final = _NUMBER_TAG["claim_index"]
_BINDING_INDEX: Final = _NUMBER_TAG["binding_index"]
_CLAIM_ID: Final = _TAG["claim_id"]
_VERIFIED: Final = _NUMBER_TAG["verified"] + VARINT[1]
_INVOCATION_ID: Final = _TAG["invocation_id"]
_TOOL_NAME: Final = _TAG["tool_name"]
_RAW_PATH: Final = _TAG["raw_path"]
_SPANS: Final = _TAG["spans"]
_FLAGS: Final = _TAG["flags"]
_MISMATCH_REASON: Final = _TAG["mismatch_reason"]
_EVIDENCE_EXCERPT: Final = _TAG["evidence_excerpt"]
_START: Final = number_tag(_SPAN_FIELDS["start"].number)
_END: Final = number_tag(_SPAN_FIELDS["end"].number)
_RESOLUTION: Final = {
    word: _NUMBER_TAG["resolution"] + VARINT[number] for word, number in enum_words.RESOLUTION.number.items()
}
_TIER_FIELD: Final[dict[str, bytes]] = {
    tier: _TAG["tier"] + VARINT[len(tier.value)] + tier.value.encode() for tier in ExcerptTier
}
_KIND: Final = {word: _NUMBER_TAG["kind"] + VARINT[number] for word, number in enum_words.EVIDENCE_KIND.number.items()}


def binding_bytes(check: BindingCheck) -> list[bytes]:  # noqa: C901 - one field after the other
    """Returns the pieces of a serialized BindingCheck without its steps."""
    place = check.place.encode()
    parts = [_PLACE, VARINT[len(place)], place] if place else []
    if check.claim_index:
        parts += (_CLAIM_INDEX, VARINT[check.claim_index])
    if check.binding_index:
        parts += (_BINDING_INDEX, VARINT[check.binding_index])
    if check.claim_id:
        text = check.claim_id.encode()
        parts += (_CLAIM_ID, VARINT[len(text)], text)
    if check.verified:
        parts.append(_VERIFIED)
    parts.append(_RESOLUTION[check.resolution])
    if check.invocation_id:
        text = check.invocation_id.encode()
        parts += (_INVOCATION_ID, VARINT[len(text)], text)
    if check.tool_name:
        text = check.tool_name.encode()
        parts += (_TOOL_NAME, VARINT[len(text)], text)
    if check.raw_path:
        text = check.raw_path.encode()
        parts += (_RAW_PATH, VARINT[len(text)], text)
    if check.kind is not None:
        parts.append(_KIND[check.kind])
    if check.tier:
        parts.append(_TIER_FIELD[check.tier])
    for span in check.spans:
        start = _START + VARINT[span.start] if span.start else b""
        end = _END + VARINT[span.end] if span.end else b""
        parts += (_SPANS, VARINT[len(start) + len(end)], start, end)
    for flag in check.flags:
        text = flag.encode()
        parts += (_FLAGS, VARINT[len(text)], text)
    if check.mismatch_reason:
        text = check.mismatch_reason.encode()
        parts += (_MISMATCH_REASON, VARINT[len(text)], text)
    if check.evidence_excerpt:
        text = check.evidence_excerpt.encode()
        parts += (_EVIDENCE_EXCERPT, VARINT[len(text)], text)
    return parts
