"""Lists the condensers: one for each kind of output."""

from __future__ import annotations

from collections.abc import Mapping

from evidencegate_server.trace.condensers.knowledge import KnowledgeCondenser
from evidencegate_server.trace.condensers.kubectl import KubectlCondenser
from evidencegate_server.trace.condensers.logs import LogCondenser
from evidencegate_server.trace.condensers.metrics import MetricCondenser
from evidencegate_server.trace.condensers.model import Condenser, OutputKind
from evidencegate_server.trace.condensers.plain import PlainCondenser
from evidencegate_server.trace.condensers.policy import CondenseWords
from evidencegate_server.trace.condensers.sql import SqlCondenser


def condensers(words: CondenseWords) -> Mapping[OutputKind, Condenser]:
    """Returns the condenser of each kind."""
    return {
        OutputKind.LOGS: LogCondenser(words.logs),
        OutputKind.METRICS: MetricCondenser(words.metrics),
        OutputKind.KNOWLEDGE: KnowledgeCondenser(words.knowledge),
        OutputKind.SQL: SqlCondenser(),
        OutputKind.KUBECTL: KubectlCondenser(words.kubectl),
        OutputKind.TEXT: PlainCondenser(),
    }
