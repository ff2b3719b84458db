"""The tool registry says which tools bear evidence."""

from __future__ import annotations

import pytest
from evidencegate_server.catalog.load import load_catalog
from evidencegate_server.trace.policy import ToolEntry, ToolRegistry, ToolTraits
from evidencegate_server.words import EvidenceKind

from tests.catalog.support import RULES


@pytest.mark.req("TS-03")
@pytest.mark.parametrize("name", ["get_current_time", "format_table", "format_timestamp", "convert_timezone"])
def test_helpers_for_time_and_formatting_bear_no_evidence(name: str) -> None:
    assert not load_catalog(RULES).tools.traits(name).evidence


@pytest.mark.req("TS-03")
@pytest.mark.parametrize("name", ["query_logs", "query_metrics", "kubectl_describe", "tool_of_tomorrow", "", "format"])
def test_other_tools_and_unknown_ones_bear_evidence(name: str) -> None:
    traits = load_catalog(RULES).tools.traits(name)

    assert traits.evidence
    assert traits.kind is EvidenceKind.OBSERVATION


@pytest.mark.parametrize("name", ["lookup_knowledge", "runbook_search", "load_skill", "search_historical_cases"])
def test_knowledge_runbooks_skills_and_cases_are_guidance(name: str) -> None:
    traits = load_catalog(RULES).tools.traits(name)

    assert traits.evidence
    assert traits.kind is EvidenceKind.GUIDANCE


def test_the_whole_name_wins_over_a_prefix_and_a_longer_prefix_over_a_shorter() -> None:
    registry = ToolRegistry(
        default=ToolTraits(evidence=True),
        known=(
            ToolEntry(name="get_*", evidence=False),
            ToolEntry(name="get_pod_*", evidence=True, kind=EvidenceKind.GUIDANCE),
            ToolEntry(name="get_pod_logs", evidence=True),
        ),
    )

    assert not registry.traits("get_time").evidence
    assert registry.traits("get_pod_events").kind is EvidenceKind.GUIDANCE
    assert registry.traits("get_pod_logs").kind is EvidenceKind.OBSERVATION
    assert registry.traits("forget_time") == ToolTraits(evidence=True)
