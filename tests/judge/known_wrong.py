"""Claims that the engine in the box accepts today and should not, by what it passes over.

A row goes when it is mended.
"""

from __future__ import annotations

ACCEPTED: dict[str, list[tuple[str, str]]] = {
    "a word that narrows a rate down is left out": [
        ("crashes of db are rare", "Fatal crashes of db are rare"),
    ],
}
