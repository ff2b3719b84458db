"""Generates the Python code beside the protos, or checks that the committed code is current (--check)."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from grpc_tools import protoc

ROOT = Path(__file__).resolve().parent.parent
PROTOS = ROOT / "protos"
WELL_KNOWN = Path(protoc.__file__).parent / "_proto"


def generate(target: Path) -> None:
    """Writes `*_pb2.py`, `*_pb2.pyi` and, for files with services, `*_pb2_grpc.py` under `target`."""
    sources = sorted(PROTOS.rglob("*.proto"))
    with_services = [path for path in sources if "\nservice " in path.read_text(encoding="utf-8")]
    common = ["protoc", f"-I{PROTOS}", f"-I{WELL_KNOWN}"]
    runs = [
        [*common, f"--python_out={target}", f"--pyi_out={target}", *map(str, sources)],
        [*common, f"--grpc_python_out={target}", *map(str, with_services)],
    ]
    for arguments in runs:
        if protoc.main(arguments) != 0:
            sys.exit("protoc failed; its message stands above")


def stale(fresh: Path) -> list[str]:
    """Names the generated files that differ, are missing or have no proto any more."""
    generated = {path.relative_to(fresh): path.read_bytes() for path in fresh.rglob("*_pb2*")}
    committed = {
        path.relative_to(PROTOS): path.read_bytes() for path in PROTOS.rglob("*_pb2*.py*") if path.suffix != ".pyc"
    }
    return sorted(
        str(name) for name in generated.keys() | committed.keys() if generated.get(name) != committed.get(name)
    )


def main() -> None:
    """Generates in place, or compares with a fresh generation."""
    if "--check" not in sys.argv:
        generate(PROTOS)
        return
    with tempfile.TemporaryDirectory() as directory:
        generate(Path(directory))
        names = stale(Path(directory))
    if names:
        sys.exit("not current, run `make proto` and commit: " + ", ".join(names))


if __name__ == "__main__":
    main()
