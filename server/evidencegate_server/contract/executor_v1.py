"""Knows the contract before `executor_evidence_v2`, for executors that still write it.

It has a summary and an answer for the user beside its lists, and a claim may say of itself that nothing supports it.
All else is read as in the present contract, with the same strictness: statuses, reasons, places and bindings are the
same. Its answer is never shown. It is only searched for facts that no claim has.
"""

from __future__ import annotations

from typing import Final

from evidencegate_server.contract.executor_v2 import EXECUTOR_V2, ExecutorContract
from evidencegate_server.contract.model import ExecutorOutput

ANSWER_VERSION: Final = "executor_evidence_v1"
USER_FACING_ANSWER: Final = "user_facing_answer"

EXECUTOR_V1: Final = ExecutorContract(
    ANSWER_VERSION,
    texts=("diagnosis_summary", USER_FACING_ANSWER),
    unsupported_level="none",
    note=f"The output is of the older contract {ANSWER_VERSION}.",
)

WITH_V1: Final = (EXECUTOR_V2, EXECUTOR_V1)
"""The contracts that are read where the catalog switches the older one on."""


def user_facing_answer(output: ExecutorOutput) -> str:
    """Returns the answer that an output of the older contract carries beside its claims; empty for any other."""
    if output.answer_version != ANSWER_VERSION:
        return ""
    answer = output.raw.get(USER_FACING_ANSWER)
    return answer if isinstance(answer, str) else ""
