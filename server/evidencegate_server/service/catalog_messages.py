"""Holds the messages that follow from the catalog alone, built once and not once a call."""

from __future__ import annotations

import json

from evidencegate.v1 import catalog_pb2, gatekeeper_pb2

from evidencegate_server import ENGINE_VERSION
from evidencegate_server.catalog.model import Catalog
from evidencegate_server.rules.model import RuleEntry
from evidencegate_server.service.enum_words import SEVERITY


class CatalogMessages:
    """What every result and GetRuleCatalog say about one catalog."""

    def __init__(self, catalog: Catalog) -> None:
        rule_set = catalog.rule_set
        rules = [rule_metadata(entry) for entry in rule_set.entries if entry.enabled]
        limits = catalog.limits
        self.rule_catalog = catalog_pb2.GetRuleCatalogResponse(
            rule_set_version=rule_set.rule_set_version,
            catalog_digest=rule_set.catalog_digest,
            engine_version=ENGINE_VERSION,
            rules=rules,
            limits=catalog_pb2.RequestLimits(
                max_message_bytes=limits.max_message_bytes,
                max_tool_invocations=limits.max_invocations,
                max_evidence_refs=limits.max_refs,
                max_evidence_bytes=limits.max_evidence_bytes,
                max_output_bytes=catalog.parsing.max_output_bytes,
            ),
        ).SerializeToString()
        # A result begins with these bytes.
        self.result_base = gatekeeper_pb2.GatekeeperResult(
            rule_set_version=rule_set.rule_set_version,
            catalog_digest=rule_set.catalog_digest,
            engine_version=ENGINE_VERSION,
            rules=rules,
        ).SerializeToString()


def rule_metadata(entry: RuleEntry) -> catalog_pb2.RuleMetadata:
    """Returns what results say of one rule; parameters by name, their values as JSON text."""
    parameters = entry.parameters.model_dump(mode="json")
    return catalog_pb2.RuleMetadata(
        id=entry.id,
        version=entry.version,
        description=entry.description,
        enabled=entry.enabled,
        severity=SEVERITY.number[entry.severity],
        status=entry.status,
        parameters=[
            catalog_pb2.RuleParameter(name=name, value=_json_text(parameters[name])) for name in sorted(parameters)
        ],
    )


def _json_text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
