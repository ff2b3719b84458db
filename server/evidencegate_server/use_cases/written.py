"""Holds what a model gave."""

from __future__ import annotations

from evidencegate_server.contract.records import record
from evidencegate_server.verdict.material import ModelUse


@record
class Written:
    """What a writer that is a model gave: its text, or None with a stable word in `failure` for why there is none."""

    text: str | bytes | None
    failure: str = ""
    use: ModelUse | None = None
