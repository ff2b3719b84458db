"""The index knows where a word stands, which records are of one thing, and which must not be mixed up."""

from __future__ import annotations

from decimal import Decimal

import pytest
from evidencegate_server.judge.alignment.index import EvidenceIndex

from tests.judge.reading import index_of
from tests.judge.test_alignment import CONDITIONS, DESCRIBE, LATENCY, POD_LIST, PODS, REQUEST


def record_of(index: EvidenceIndex, name: str) -> int:
    """Returns the record in which a name stands first."""
    return index.find(name)[0].record


def test_a_name_is_found_as_a_whole() -> None:
    index = index_of("cart-1 is up, cart-12 is down, ns/cart-1 is up, cart-1.shop.svc too")
    text = index.evidence.texts[0]
    found = index.find("cart-1")
    assert all(text[place.start : place.end] == "cart-1" for place in found)
    assert not any(text[place.end : place.end + 1].isalnum() for place in found)
    assert len(found) >= 2
    assert index.find("cart") != found
    assert index.find("nothing-7") == []


@pytest.mark.parametrize("evidence", [PODS, POD_LIST])
def test_rows_of_one_table_are_not_of_one_thing(evidence: str) -> None:
    index = index_of(evidence)
    one, other = [
        record_of(index, name) for name in (("api-1", "api-2") if "api-1" in evidence else ("cart-1", "cart-2"))
    ]
    assert one != other
    assert index.in_scope(one, one)
    assert not index.in_scope(one, other)
    assert not index.linked(one, other)
    assert index.linked(one, one)


def test_blocks_of_one_kind_are_not_of_one_thing_and_share_what_stands_above() -> None:
    index = index_of(DESCRIBE)
    top, app, proxy = (record_of(index, name) for name in ("cart-1", "shop/app:1.2", "mesh/proxy:3.1"))
    assert not index.in_scope(app, proxy)
    assert index.in_scope(app, top)
    assert index.in_scope(proxy, top)


def test_texts_are_apart_unless_an_identifier_joins_them() -> None:
    index = index_of(*REQUEST)
    one, other = (record_of(index, name) for name in ("gateway", "payment-svc"))
    assert index.records[one].source != index.records[other].source
    assert not index.in_scope(one, other)
    assert not index.linked(one, other)
    assert index.joined(one, other)
    assert not index_of(REQUEST[0], REQUEST[1].replace("7f3a9c1e2b4d", "11aa22bb33cc")).joined(one, other)


def test_the_values_of_a_scope_are_its_own() -> None:
    index = index_of(PODS)
    row = record_of(index, "api-2")
    shown = {cell.cell.text for cell in index.scope_values(row)}
    assert "17" in shown
    assert not {"2", "4"} & shown


def test_a_value_is_named_by_its_key_and_its_block() -> None:
    index = index_of(DESCRIBE)
    (limit,) = [cell for cell in index.values if cell.cell.text == "512Mi"]
    assert "memory" in limit.names
    assert "limit" in limit.label | limit.around
    assert "restart_count" in next(cell for cell in index.values if cell.cell.text == "4").names


def test_values_are_found_by_their_size() -> None:
    index = index_of(LATENCY)
    near = index.near("time", Decimal("0.6"), Decimal("0.7"))
    assert [cell.cell.text for cell in near] == ["640ms"]
    assert index.near("time", Decimal(50), Decimal(60)) == []


def test_flags_hold_or_do_not() -> None:
    index = index_of('{"ready": false, "leader": true, "errors": 0}')
    assert [flag.holds for flag in index.flags["ready"]] == [False]
    assert [flag.holds for flag in index.flags["error"]] == [False]
    conditions = index_of(CONDITIONS)
    assert [flag.holds for flag in conditions.flags["ready"]] == [False]


def test_a_command_line_is_what_was_asked() -> None:
    index = index_of("$ kubectl get pods -n shop\n" + PODS)
    asked = [one.index for one in index.records if index.is_asked(one.index)]
    assert [index.text_of(one).startswith("$ kubectl") for one in asked] == [True]


def test_no_evidence_has_nothing() -> None:
    for index in (index_of(), index_of("")):
        assert (index.values, index.find("x"), index.places) == ([], [], {})
        assert not index.knows("pod")


def test_many_rows_are_read_in_bounds() -> None:
    index = index_of("NAME RESTARTS\n" + "".join(f"pod-{at} {at}\n" for at in range(2_000)))
    assert len(index.scope_values(record_of(index, "pod-7"))) <= 301
    assert len(index.find("pod")) <= 201
