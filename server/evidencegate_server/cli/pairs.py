"""Reads files of claims beside their evidence, and counts how often the judge is right about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from evidencegate_server.cli.sessions import FileProblemError, read_json, read_text
from evidencegate_server.use_cases.pair_session import PairText
from evidencegate_server.words import EvidenceKind, Verification

# The labels that let a claim stand.
_SUPPORTED: Final = frozenset({Verification.DIRECT_OBSERVATION, Verification.REASONABLE_INFERENCE})
_LABELS: Final = ("supported", "unsupported", "contradicted")
_DEFAULT_CLAIM_TYPE: Final = "observation"


@dataclass(frozen=True, slots=True)
class Pair:
    """One line of a file: a claim beside its evidence.

    `supported` says on which side of the line it belongs, None where the file does not say. `right` are the labels
    that count as right, empty where the file names a side alone. `expected` is what the file says, the best first.
    `lang`, `aspect` and `family` only group the figures; where the row has none, `family` is the set before a slash in
    the ID, else the file's name. `file` is where the row stands: IDs are told apart within one file alone.
    """

    id: str
    claim: str
    claim_type: str
    evidence: tuple[PairText, ...]
    supported: bool | None
    right: frozenset[Verification]
    twin_of: str
    expected: tuple[str, ...] = ()
    lang: str = ""
    aspect: str = ""
    family: str = ""
    file: Path = Path()

    def is_right(self, label: Verification) -> bool:
        """Returns whether the label is one of those that count as right."""
        return label in self.right if self.right else self.on_its_side(label)

    def on_its_side(self, label: Verification) -> bool:
        """Returns whether the label is on the claim's side of the line between supported and not."""
        return label in self.right or (label in _SUPPORTED) == self.supported


@dataclass(frozen=True, slots=True)
class Summary:
    """How often the judge was right. A share of nothing is None."""

    n: int
    accuracy: float | None
    balanced_accuracy: float | None
    false_acceptance: float | None
    false_rejection: float | None
    twins_right: float | None
    cpu_us_per_claim: float | None

    def as_dict(self) -> dict[str, Any]:
        """Returns the object that `--json` prints."""
        return {name: getattr(self, name) for name in self.__slots__}


def read_pairs(path: Path) -> Iterator[Pair | FileProblemError]:
    """Returns each line's pair, or what is wrong with the line; blank lines are passed over."""
    try:
        text = read_text(path)
    except FileProblemError as error:
        yield error
        return
    seen: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield _pair(_Line(path, number, read_json(path, line, number)), seen)
            except FileProblemError as error:
                yield error


def mistake(pair: Pair, label: Verification) -> str:
    """Returns what kind of mistake a label is that does not count as right."""
    if pair.on_its_side(label):
        return "another label"
    return "falsely rejected" if pair.supported else "falsely accepted"


def summarize(labelled: Sequence[tuple[Pair, Verification]], cpu_seconds: float) -> Summary:
    """Returns the shares over the pairs whose right label is known, and the cost over all of them."""
    known = [(pair, label) for pair, label in labelled if pair.supported is not None]
    accepted = share(not pair.on_its_side(label) for pair, label in known if not pair.supported)
    rejected = share(not pair.on_its_side(label) for pair, label in known if pair.supported)
    balanced = None if accepted is None or rejected is None else 1 - (accepted + rejected) / 2
    return Summary(
        n=len(labelled),
        accuracy=_rounded(share(pair.is_right(label) for pair, label in known)),
        balanced_accuracy=_rounded(balanced),
        false_acceptance=_rounded(accepted),
        false_rejection=_rounded(rejected),
        twins_right=_rounded(share(_twins(known))),
        cpu_us_per_claim=round(cpu_seconds * 1e6 / len(labelled), 1) if labelled else None,
    )


def _twins(known: Iterable[tuple[Pair, Verification]]) -> list[bool]:
    """Returns for each pair of twins whether both are on their side; a twin without its other half does not count."""
    by_id: dict[tuple[Path, str], bool] = {}
    twins: list[tuple[tuple[Path, str], bool]] = []
    for pair, label in known:
        side = pair.on_its_side(label)
        by_id.setdefault((pair.file, pair.id), side)
        if pair.twin_of:
            twins.append(((pair.file, pair.twin_of), side))
    return [side and by_id[other] for other, side in twins if other in by_id]


def share(hits: Iterable[bool]) -> float | None:
    """Returns which part of the hits is true, None for none at all."""
    found = list(hits)
    return sum(found) / len(found) if found else None


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(share, 4)


class _Line:
    """One line's object; complaints name file, line and key."""

    def __init__(self, path: Path, number: int, value: Any) -> None:
        self.path = path
        self.number = number
        if not isinstance(value, Mapping):
            raise self.wrong("", "an object is wanted")
        self._value = value

    def wrong(self, key: str, problem: str) -> FileProblemError:
        place = f"line {self.number}" + (f" {key}" if key else "")
        return FileProblemError(self.path, place, problem)

    def get(self, key: str) -> Any:
        return self._value.get(key)

    def text(self, key: str, default: str | None = None) -> str:
        value = self._value.get(key, default)
        if value is None and key not in self._value:
            raise self.wrong(key, "this key is missing")
        if not isinstance(value, str):
            raise self.wrong(key, "a text is wanted")
        return value

    def group(self, key: str) -> str:
        """Returns the name of a group; a key that is no text is one of the keys that are passed over."""
        value = self._value.get(key)
        return value if isinstance(value, str) else ""

    def identifier(self, key: str) -> str:
        value = self._value.get(key)
        return str(value) if isinstance(value, int) and not isinstance(value, bool) else self.text(key)


def _pair(line: _Line, seen: dict[str, int]) -> Pair:
    """Reads one line; `seen` holds the line of each ID so far."""
    right = _right(line)
    supported = _side(line, right)
    name, claim = line.identifier("id"), line.text("claim")
    first = seen.setdefault(name, line.number)
    if first != line.number:
        # A twin names its other half by ID, and a table of wrong rows would name neither.
        raise line.wrong("id", f"{name!r} stands in line {first} already")
    if not claim.strip():
        raise line.wrong("claim", "a text that says something is wanted")
    return Pair(
        id=name,
        claim=claim,
        claim_type=line.text("claim_type", _DEFAULT_CLAIM_TYPE),
        evidence=_evidence(line),
        supported=supported,
        right=right,
        twin_of=line.text("twin_of", ""),
        expected=_expected(line),
        lang=line.group("lang"),
        aspect=line.group("aspect"),
        family=line.group("family") or _set_of(name) or line.path.stem,
        file=line.path,
    )


def _set_of(name: str) -> str:
    """Returns the set that an ID names before a slash (`negation/12`), empty where it names none."""
    before, slash, _ = name.partition("/")
    return before if slash else ""


def _expected(line: _Line) -> tuple[str, ...]:
    if line.get("expect") is not None:
        return (line.get("expect"), *(line.get("also") or ()))
    return () if line.get("label") is None else (line.get("label"),)


def _right(line: _Line) -> frozenset[Verification]:
    if line.get("expect") is None:
        return frozenset()
    also = line.get("also") or []
    if not isinstance(also, list):
        raise line.wrong("also", "a list of labels is wanted")
    first = _label(line, "expect", line.get("expect"))
    return frozenset({first, *(_label(line, "also", word) for word in also)})


def _label(line: _Line, key: str, word: Any) -> Verification:
    try:
        return Verification(word)
    except ValueError:
        raise line.wrong(key, f"{word!r} is none of {', '.join(Verification)}") from None


def _side(line: _Line, right: frozenset[Verification]) -> bool | None:
    if right:
        return _label(line, "expect", line.get("expect")) in _SUPPORTED
    label = line.get("label")
    if label is None:
        return None
    if label not in _LABELS:
        raise line.wrong("label", f"{label!r} is none of {', '.join(_LABELS)}")
    return bool(label == "supported")


def _evidence(line: _Line) -> tuple[PairText, ...]:
    value = line.get("evidence")
    if value is None:
        raise line.wrong("evidence", "this key is missing")
    items = value if isinstance(value, list) else [value]
    return tuple(_text(line, item) for item in items)


def _text(line: _Line, item: Any) -> PairText:
    if isinstance(item, str):
        return PairText(item)
    if not isinstance(item, Mapping) or not isinstance(item.get("text"), str):
        raise line.wrong("evidence", 'a text or {"text", "kind"} is wanted')
    kind = item.get("kind", EvidenceKind.OBSERVATION.value)
    try:
        return PairText(item["text"], EvidenceKind(kind))
    except ValueError:
        raise line.wrong("evidence", f"the kind {kind!r} is none of {', '.join(EvidenceKind)}") from None
