"""Reads what a list shows from a stored evaluation."""

from __future__ import annotations

import json

from evidencegate_server.store.model import Channel, Summary
from evidencegate_server.store.splice import JsonTextError, member


def summary_of(text: str) -> Summary | None:
    """Returns verdict, route and score of a stored object, None where it holds no verifier evaluation."""
    try:
        channel = member(text, Channel.VERIFIER_EVALUATION)
        value = None if channel is None else json.loads(channel)
    except (JsonTextError, ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or not isinstance(value.get("verdict"), str):
        return None
    route, score = value.get("route"), value.get("groundedness_score")
    return Summary(
        value["verdict"],
        route if isinstance(route, str) else "",
        float(score) if isinstance(score, int | float) and not isinstance(score, bool) else 0.0,
    )
