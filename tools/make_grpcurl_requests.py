"""Writes the requests of `examples/grpcurl` that follow from others: run it after a change of what Judge returns.

`compose.json` carries what Judge says of `judge.json`, without the rules' metadata and digests, which change with every
edit of the catalog and which Compose does not read. `summarize_trace.json` has the calls, question and output of it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from evidencegate.v1 import verifier_pb2
from evidencegate_server.catalog.load import load_catalog
from evidencegate_server.service.servicers import Methods
from google.protobuf import json_format

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "examples" / "grpcurl"
_CHANGING = ("rules", "rule_set_version", "catalog_digest", "engine_version")


def requests() -> dict[str, dict[str, Any]]:
    """Returns the requests by file name."""
    asked = json.loads((FOLDER / "judge.json").read_text("utf-8"))
    message = json_format.ParseDict(asked, verifier_pb2.JudgeRequest())
    answer = Methods(load_catalog(ROOT / "rules")).judge(message.SerializeToString())
    judged = verifier_pb2.JudgeResponse.FromString(answer.payload).evaluation
    for name in _CHANGING:
        judged.gatekeeper_result.ClearField(name)
    judged.ClearField("prompt_audit")
    evaluation = json_format.MessageToDict(judged, preserving_proto_field_name=True)
    return {
        "compose.json": {
            "session_id": asked["session_id"],
            "evaluation": evaluation,
            "original_query": asked["original_query"],
            "language": "LANGUAGE_EN",
        },
        "summarize_trace.json": {
            name: asked[name] for name in ("session_id", "original_query", "executor_output", "tool_invocations")
        },
    }


def written(request: dict[str, Any]) -> str:
    """Returns a request as its file holds it."""
    return json.dumps(request, ensure_ascii=False, indent=2) + "\n"


if __name__ == "__main__":
    for file, request in requests().items():
        (FOLDER / file).write_text(written(request), "utf-8")
