"""One column of a foreign table is written, under a lock, and nothing else of it."""

from __future__ import annotations

import pytest
from evidencegate_server.store.errors import (
    SessionDeletedError,
    SessionNotFoundError,
    StoredValueError,
    StoreSetupError,
)
from evidencegate_server.store.model import ForeignColumn, StoreOptions
from evidencegate_server.store.store import Store

from tests.store.conftest import MakeForeign, run
from tests.store.test_store import composed, evaluation, rules

TABLE = "CREATE TABLE agent_run (id VARCHAR(40) PRIMARY KEY, note VARCHAR(20), self_eval TEXT)"
ROWS = ("INSERT INTO agent_run VALUES ('s1', 'mine', NULL)", "INSERT INTO agent_run VALUES ('s2', 'mine', NULL)")


@pytest.mark.req("SE-01")
def test_only_the_column_of_the_session_changes(foreign: MakeForeign, url: str) -> None:
    store = foreign(TABLE, *ROWS)
    assert store.write(rules("r1", '{"n":1.00}')).revision == 1
    assert store.write(evaluation("r2")).revision == 2
    assert run(url, "SELECT id, note, self_eval FROM agent_run ORDER BY id") == [
        ("s1", "mine", '{"rule_evaluation":{"n":1.00},"verifier_evaluation":{"verdict":"PASS"}}'),
        ("s2", "mine", None),
    ]
    assert [listed.session_id for listed in store.page(10, "").sessions] == ["s1"]


@pytest.mark.req("SE-01")
def test_a_missing_row_is_not_found_and_never_inserted(foreign: MakeForeign, url: str) -> None:
    store = foreign(TABLE, *ROWS)
    for session in ("s3", "S1", "s1 "):
        with pytest.raises(SessionNotFoundError):
            store.write(rules("r1", session=session))
        with pytest.raises(SessionNotFoundError):
            store.get(session)
        assert store.delete(session) is False
    assert run(url, "SELECT count(*) FROM agent_run") == [(2,)]
    assert store.write(rules("r1")).replayed is False


@pytest.mark.req("SE-01")
def test_a_deletion_sets_null_and_leaves_the_row(foreign: MakeForeign, url: str) -> None:
    store = foreign(TABLE, *ROWS)
    store.write(rules("r1"))
    assert store.delete("s1") is True
    assert store.delete("s1") is False
    assert run(url, "SELECT note, self_eval FROM agent_run WHERE id = 's1'") == [("mine", None)]
    with pytest.raises(SessionNotFoundError):
        store.get("s1")
    with pytest.raises(SessionDeletedError):
        store.write(rules("r1"))
    assert store.write(rules("r2")).revision == 2
    with pytest.raises(SessionDeletedError):
        store.write(rules("r1"))


@pytest.mark.req("SE-01")
def test_a_write_whose_column_the_owner_has_emptied_is_refused_under_its_request_id(
    foreign: MakeForeign, url: str
) -> None:
    store = foreign(TABLE, *ROWS)
    store.write(rules("r1"))
    run(url, "UPDATE agent_run SET self_eval = NULL WHERE id = 's1'")
    with pytest.raises(SessionDeletedError):
        store.write(rules("r1"))
    run(url, "DELETE FROM agent_run WHERE id = 's1'")
    with pytest.raises(SessionNotFoundError):
        store.write(rules("r1"))


@pytest.mark.req("SE-01")
def test_what_others_keep_in_the_same_object_stays(foreign: MakeForeign, url: str) -> None:
    held = '{ "mine": 1.50, "verifier_evaluation": null, "rule_evaluation": {"old":[1, 2]} }'
    store = foreign(TABLE, f"INSERT INTO agent_run VALUES ('s1', 'mine', '{held}')")
    store.write(composed("r1", '{"text":"hi"}'))
    expected = held.replace("null", '{"composer_output":{"text":"hi"}}')
    assert run(url, "SELECT self_eval FROM agent_run") == [(expected,)]


@pytest.mark.parametrize("held", ["[1]", "text", '{"a":'])
def test_a_value_that_is_no_object_is_not_written_over(foreign: MakeForeign, url: str, held: str) -> None:
    store = foreign(TABLE, f"INSERT INTO agent_run VALUES ('s1', 'mine', '{held}')")
    with pytest.raises(StoredValueError):
        store.write(rules("r1"))
    assert run(url, "SELECT self_eval FROM agent_run") == [(held,)]


def test_a_repeated_request_is_known_beside_a_foreign_table(foreign: MakeForeign) -> None:
    store = foreign(TABLE, *ROWS)
    store.write(rules("r1"))
    assert store.write(rules("r1")).replayed is True
    assert store.get("s1").revision == 1
    assert not store.write(evaluation("r2", judge_input=b"x")).input_kept


def test_a_key_of_whole_numbers_is_found_by_its_digits(foreign: MakeForeign) -> None:
    store = foreign(
        "CREATE TABLE agent_run (id BIGINT PRIMARY KEY, self_eval TEXT)", "INSERT INTO agent_run VALUES (17, NULL)"
    )
    assert store.write(rules("r1", session="17")).revision == 1
    for session in ("017", "17 ", "x", "9" * 30, "-1"):
        with pytest.raises(SessionNotFoundError):
            store.write(rules("r2", session=session))
    assert [listed.session_id for listed in store.page(5, "").sessions] == ["17"]


@pytest.mark.db
def test_a_json_column_is_written_as_json(foreign: MakeForeign, url: str) -> None:
    if not url.startswith("postgresql"):
        pytest.skip("only PostgreSQL has types of its own for JSON here")
    ddl = "CREATE TABLE agent_run (id UUID PRIMARY KEY, self_eval JSONB)"
    session = "0e37df36-f698-11e6-8dd4-cb9ced3df976"
    store = foreign(ddl, f"INSERT INTO agent_run VALUES ('{session}', 'null')")
    store.write(rules("r1", '{"n":1.00}', session))
    store.write(evaluation("r2", session=session))
    assert store.rewrites_json
    query = "SELECT self_eval->'rule_evaluation'->>'n', self_eval->'verifier_evaluation'->>'verdict' FROM agent_run"
    assert run(url, query) == [("1.00", "PASS")]


WRONG = {
    "there is no table nothing": ForeignColumn("nothing", "self_eval", "id"),
    "no column nothing": ForeignColumn("agent_run", "nothing", "id"),
    "neither the primary key": ForeignColumn("agent_run", "self_eval", "note"),
}


@pytest.mark.parametrize("message", WRONG)
def test_a_table_that_does_not_fit_is_refused_at_the_start(url: str, message: str) -> None:
    run(url, TABLE)
    with pytest.raises(StoreSetupError, match=message):
        Store(StoreOptions(url, WRONG[message]))
