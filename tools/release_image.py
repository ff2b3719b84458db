"""Keeps the contract of the last release as a buf image, for `buf breaking` to compare the protos with.

    python tools/release_image.py

writes `protos/released/evidencegate-VERSION.binpb` with the version of pyproject.toml and removes the one before. It
refuses where the protos break what the one before promised.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "protos" / "released"
BUF = Path(sys.executable).parent / "buf"


def last_image() -> Path | None:
    """Returns the image of the last release, None before the first."""
    images = sorted(FOLDER.glob("*.binpb"))
    if len(images) > 1:
        sys.exit(f"{FOLDER} holds more than one image; keep that of the last release: {', '.join(map(str, images))}")
    return images[0] if images else None


def _buf(*arguments: str) -> int:
    """Runs buf on the project and returns its exit status."""
    return subprocess.run([BUF, *arguments], cwd=ROOT, check=False).returncode  # noqa: S603  # fixed arguments


def main() -> None:
    """Compares with the image that is there, then replaces it."""
    before = last_image()
    if before is not None and _buf("breaking", "--against", str(before)) != 0:
        sys.exit(f"the protos break what {before.name} promised (above); docs/contract.md says what may change")
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    image = FOLDER / f"evidencegate-{version}.binpb"
    FOLDER.mkdir(exist_ok=True)
    fresh = image.with_suffix(".new.binpb")
    if _buf("build", "--exclude-source-info", "-o", str(fresh)) != 0:
        sys.exit("the protos do not build; buf's message stands above")
    if before is not None:
        before.unlink()
    fresh.rename(image)
    sys.stdout.write(f"{image.relative_to(ROOT)}\n")


if __name__ == "__main__":
    main()
