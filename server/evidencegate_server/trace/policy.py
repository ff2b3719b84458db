"""Holds which tools bear evidence and how long a trace summary may get, as the catalog sets them."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, field_validator, model_validator

from evidencegate_server.trace.condensers.model import Condenser, OutputKind
from evidencegate_server.trace.condensers.policy import CondenseWords
from evidencegate_server.trace.condensers.registry import condensers
from evidencegate_server.words import EvidenceKind

_STRICT = ConfigDict(frozen=True, extra="forbid", strict=True)


class ToolTraits(BaseModel):
    """What is known of a tool.

    `evidence` is false for helpers whose results say nothing of an incident (a clock, a formatter): they stay out of
    the trace summary. `kind` is what the tool's results can testify to where a call has no refs that say it themselves,
    `output` what its output is, which decides how it is condensed.
    """

    model_config = _STRICT

    evidence: bool
    kind: EvidenceKind = EvidenceKind.OBSERVATION
    output: OutputKind = OutputKind.TEXT


class ToolEntry(ToolTraits):
    """One tool, or with a final `*` every tool whose name starts so."""

    name: str = Field(min_length=1, max_length=200)

    @field_validator("name")
    @classmethod
    def _star_ends_the_name(cls, name: str) -> str:
        if name != name.strip():
            raise ValueError(f"name {name!r} has white space at an edge")
        if "*" in name[:-1] or name == "*":
            raise ValueError(f"name {name!r}: one * may end a name; what holds for every tool stands under default")
        return name


class ToolRegistry(BaseModel):
    """The known tools, and what holds for the others."""

    model_config = _STRICT

    default: ToolTraits = ToolTraits(evidence=True)
    known: tuple[ToolEntry, ...] = ()

    _exact: dict[str, ToolEntry] = PrivateAttr(default_factory=dict)
    _prefixes: tuple[tuple[str, ToolEntry], ...] = PrivateAttr(default=())

    @model_validator(mode="after")
    def _index(self) -> ToolRegistry:
        exact: dict[str, ToolEntry] = {}
        for entry in self.known:
            if entry.name in exact:
                raise ValueError(f"tool {entry.name} is listed twice")
            exact[entry.name] = entry
        prefixes = [(name[:-1], entry) for name, entry in exact.items() if name.endswith("*")]
        self._exact.update((name, entry) for name, entry in exact.items() if not name.endswith("*"))
        self._prefixes = tuple(sorted(prefixes, key=lambda pair: (-len(pair[0]), pair[0])))
        return self

    def traits(self, tool_name: str) -> ToolTraits:
        """Returns what is known of a tool: by its name, else by the longest prefix, else the default."""
        entry = self._exact.get(tool_name)
        if entry is not None:
            return entry
        for prefix, candidate in self._prefixes:
            if tool_name.startswith(prefix):
                return candidate
        return self.default


class TraceBounds(BaseModel):
    """The bounds of a trace summary, in code points, so that raw output never passes in full."""

    model_config = _STRICT

    max_input_chars: int = Field(default=200, ge=40, le=500)
    max_output_chars: int = Field(default=400, ge=80, le=800)
    max_list_items: int = Field(default=5, ge=1, le=20)
    max_label_chars: int = Field(default=120, ge=20, le=200)
    max_items: int = Field(default=200, ge=1, le=1_000)
    max_total_chars: int = Field(default=40_000, ge=2_000, le=200_000)


class TracePolicy(BaseModel):
    """How a trace summary is made.

    With `merge_repeated`, calls of one tool, topic and round are one item.
    """

    model_config = _STRICT

    merge_repeated: bool = True
    bounds: TraceBounds = TraceBounds()
    condense: CondenseWords = CondenseWords()

    _condensers: dict[OutputKind, Condenser] = PrivateAttr(default_factory=dict)

    @model_validator(mode="after")
    def _make_condensers(self) -> TracePolicy:
        self._condensers.update(condensers(self.condense))
        return self

    def condenser(self, output: OutputKind) -> Condenser:
        """Returns what condenses a kind of output."""
        return self._condensers[output]
