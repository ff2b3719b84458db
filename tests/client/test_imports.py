"""The client stands on grpcio, grpcio-status and protobuf alone."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys

# What a base install brings: our contract and client, gRPC, protobuf with Google's common protos, and what gRPC needs.
ALLOWED = {"evidencegate", "evidencegate_client", "grpc", "grpc_status", "google", "typing_extensions"}


class Wall:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in ALLOWED and top not in sys.stdlib_module_names:
            raise ImportError(f"{name} is no base dependency")
        return None


sys.meta_path.insert(0, Wall())
import evidencegate_client
from evidencegate_client import aio, build, calls, client, config, errors, fallback, result, vocabulary
from evidencegate.v1 import gatekeeper_pb2_grpc, verifier_pb2_grpc

with evidencegate_client.EvidenceGateClient("127.0.0.1:1"):
    pass
assert not [name for name in sys.modules if name.startswith("evidencegate_server")]
assert not {"pydantic", "yaml", "prometheus_client", "click", "rich", "msgspec", "orjson"} & set(sys.modules)
print("imported")
"""


def test_the_client_imports_with_base_dependencies_only() -> None:
    """Every other package is walled off, as if it were not installed."""
    run = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60, check=False)
    assert (run.stdout.strip(), run.returncode) == ("imported", 0), run.stderr
