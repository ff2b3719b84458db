"""Compares what came out of a session with what its file expects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

# A file states a score with four places.
_SCORE_TOLERANCE = 0.00005

_PLAIN = ("parse_status", "parse_reason", "verdict", "engine_verdict", "route")
_OF_GATEKEEPER = ("status", "severity", "failed_rules", "warning_rules")
_REMARKS = ("why", "note")
_KNOWN = frozenset({*_PLAIN, *_REMARKS, "gatekeeper", "claims", "score"})


def differences(expect: Mapping[str, Any], outcome: Mapping[str, Any]) -> list[str]:
    """Returns one sentence for each expectation that the outcome does not meet; an absent one is met.

    An expectation that is a list of words is met by any of them. One that is not known is a difference as well: a
    misspelt key would otherwise check nothing.
    """
    return list(_differences(expect, outcome))


def _differences(expect: Mapping[str, Any], outcome: Mapping[str, Any]) -> Iterator[str]:
    for key in expect:
        if key not in _KNOWN:
            yield f"expect.{key} is no expectation that can be checked"
    for key in _PLAIN:
        if key in expect and not _meets(outcome[key], expect[key]):
            yield _sentence(key, expect[key], outcome[key])
    if "score" in expect and not _equal_scores(expect["score"], outcome["score"]):
        yield _sentence("score", expect["score"], outcome["score"])
    if "gatekeeper" in expect:
        yield from _of_gatekeeper(expect["gatekeeper"], outcome["gatekeeper"])
    if "claims" in expect:
        yield from _of_claims(expect["claims"], outcome["claims"])


def _of_gatekeeper(expect: Any, found: Mapping[str, Any]) -> Iterator[str]:
    if not isinstance(expect, Mapping):
        yield "expect.gatekeeper is no object"
        return
    for key, wanted in expect.items():
        if key not in _OF_GATEKEEPER:
            yield f"expect.gatekeeper.{key} is no expectation that can be checked"
        elif found[key] != wanted:
            yield _sentence(f"gatekeeper.{key}", wanted, found[key])


def _of_claims(expect: Any, claims: list[Mapping[str, Any]]) -> Iterator[str]:
    if not isinstance(expect, Mapping):
        yield "expect.claims is no object"
        return
    for claim_id, wanted in expect.items():
        found = [claim["verification"] for claim in claims if claim["claim_id"] == claim_id]
        if not found:
            yield f"claims.{claim_id}: expected {_words(wanted)}, but there is no such claim"
        for label in found:
            if not _meets(label, wanted):
                yield _sentence(f"claims.{claim_id}", wanted, label)


def _meets(found: str, wanted: Any) -> bool:
    return found in wanted if isinstance(wanted, list) else bool(found == wanted)


def _equal_scores(wanted: Any, found: float) -> bool:
    return isinstance(wanted, int | float) and abs(wanted - found) <= _SCORE_TOLERANCE


def _sentence(what: str, wanted: Any, found: Any) -> str:
    return f"{what}: expected {_words(wanted)}, got {_words(found)}"


def _words(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(str, value)) + "]"
    return str(value) if value != "" else "nothing"
