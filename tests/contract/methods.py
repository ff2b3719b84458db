"""Names every service and method of the protos, as the files on disk have them and not as a server serves them."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Final

from google.protobuf.descriptor import FileDescriptor, MethodDescriptor

from tests.support import ROOT

PROTOS: Final = ROOT / "protos"


def _files() -> list[FileDescriptor]:
    """Returns the descriptor of each proto file."""
    modules = [
        importlib.import_module(".".join(path.relative_to(PROTOS).with_name(f"{path.stem}_pb2").parts))
        for path in sorted(PROTOS.rglob("*.proto"))
    ]
    return [module.DESCRIPTOR for module in modules]


FILES: Final = _files()

# By full name, `evidencegate.v1.Verifier` and `evidencegate.v1.Verifier/Judge`.
SERVICES: Final = {service.full_name: service for file in FILES for service in file.services_by_name.values()}
METHODS: Final[dict[str, MethodDescriptor]] = {
    f"{name}/{method.name}": method for name, service in SERVICES.items() for method in service.methods
}


def request_file(method: str) -> Path:
    """Returns the file with the method's example request, `examples/grpcurl/get_rule_catalog.json`."""
    name = method.rpartition("/")[2]
    return ROOT / "examples" / "grpcurl" / f"{re.sub(r'(?<=[a-z])(?=[A-Z])', '_', name).lower()}.json"
