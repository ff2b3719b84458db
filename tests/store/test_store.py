"""A channel is written whole or not at all, once for each request ID, and the other channel stays as it is."""

from __future__ import annotations

import hashlib
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from evidencegate_server.store import schema
from evidencegate_server.store.connect import make_engine
from evidencegate_server.store.errors import (
    RequestIdReusedError,
    RevisionConflictError,
    SessionDeletedError,
    SessionNotFoundError,
    StoreFailedError,
    StoreSetupError,
)
from evidencegate_server.store.model import Channel, StoreOptions, Summary, Write
from evidencegate_server.store.setup import migrate
from evidencegate_server.store.store import Store
from evidencegate_server.use_cases.errors import InvalidRequestError

from tests.store.conftest import run

RULES = '{"b": 1.00, "a":12345678901234567890.0, "b":"\\u00e4"}'


def digest(*parts: str) -> str:
    """What tells one content from another."""
    return hashlib.sha256("|".join(parts).encode()).hexdigest()


PASSED = Summary("PASS", "COMPOSE", 1.0)


def rules(request_id: str, text: str = RULES, session: str = "s1", **fields: object) -> Write:
    """A write of the rules' channel."""
    return Write(session, request_id, Channel.RULE_EVALUATION, text, digest(session, text), **fields)  # type: ignore[arg-type]


def evaluation(request_id: str, text: str = '{"verdict":"PASS"}', session: str = "s1", **fields: object) -> Write:
    """A write of the verifier's channel."""
    values = {"summary": PASSED} | fields
    return Write(session, request_id, Channel.VERIFIER_EVALUATION, text, digest(session, text), **values)  # type: ignore[arg-type]


def composed(request_id: str, text: str, session: str = "s1") -> Write:
    """A write of the composer's output."""
    return Write(session, request_id, Channel.VERIFIER_EVALUATION, text, digest(session, text), is_part=True)


@pytest.mark.req("SE-01")
def test_the_first_write_makes_the_object_and_the_second_keeps_the_first_byte_for_byte(store: Store) -> None:
    assert store.write(rules("r1")).revision == 1
    assert store.get("s1").text == f'{{"rule_evaluation":{RULES}}}'
    assert store.write(evaluation("r2")).revision == 2
    assert store.get("s1").text == f'{{"rule_evaluation":{RULES},"verifier_evaluation":{{"verdict":"PASS"}}}}'


@pytest.mark.req("SE-01")
def test_a_composer_output_keeps_every_other_field_and_a_new_evaluation_keeps_it(store: Store) -> None:
    store.write(evaluation("r1", '{"verdict":"PASS","score":1.0}'))
    store.write(composed("r2", '{"text":"one"}'))
    assert store.get("s1").text.endswith('{"verdict":"PASS","score":1.0,"composer_output":{"text":"one"}}}')
    store.write(evaluation("r3", '{"verdict":"REJECT"}'))
    assert store.get("s1").text.endswith('{"verdict":"REJECT","composer_output":{"text":"one"}}}')
    store.write(composed("r4", '{"text":"two"}'))
    assert store.get("s1").text == '{"verifier_evaluation":{"verdict":"REJECT","composer_output":{"text":"two"}}}'


@pytest.mark.req("SE-01")
def test_a_repeated_request_changes_nothing_and_answers_as_the_first(store: Store) -> None:
    first = store.write(evaluation("r1", judge_input=b"input", masked_secrets=3))
    store.write(rules("r2"))
    again = store.write(evaluation("r1", judge_input=b"input", masked_secrets=3))
    assert (again.revision, again.replayed, again.masked_secrets, again.input_kept) == (1, True, 3, True)
    assert (first.replayed, store.get("s1").revision) == (False, 2)


@pytest.mark.req("SE-01")
@pytest.mark.parametrize("other", [rules("r1", '{"c":1}'), rules("r1", session="s2"), evaluation("r1")])
def test_a_request_id_with_other_content_is_refused(store: Store, other: Write) -> None:
    store.write(rules("r1"))
    with pytest.raises(RequestIdReusedError):
        store.write(other)
    assert store.get("s1").text == f'{{"rule_evaluation":{RULES}}}'


@pytest.mark.req("SE-01")
def test_another_revision_than_the_expected_one_writes_nothing(store: Store) -> None:
    store.write(rules("r1", expected_revision=0))
    for expected in (0, 2):
        with pytest.raises(RevisionConflictError) as conflict:
            store.write(evaluation("r2", expected_revision=expected))
        assert conflict.value.metadata["revision"] == "1"
    assert store.write(evaluation("r2", expected_revision=1)).revision == 2


@pytest.mark.req("SE-01")
def test_ids_are_equal_to_themselves_alone(store: Store) -> None:
    for number, session in enumerate(("a", "A", "a ", "\u00e4", "a\u0308", "\u4e2d")):
        store.write(rules(f"r{number}", f'{{"n":{number}}}', session))
    store.write(rules("R0", '{"n":0}', "other"))
    assert store.get("a").text == '{"rule_evaluation":{"n":0}}'
    assert store.get("A").text == '{"rule_evaluation":{"n":1}}'
    assert store.get("a ").text == '{"rule_evaluation":{"n":2}}'
    assert len(store.page(50, "").sessions) == 7


def test_text_outside_the_basic_plane_and_zero_escapes_are_kept(store: Store) -> None:
    text = '{"t":"\U0001f4a5 \\u0000 \u4e2d"}'
    store.write(rules("r1", text))
    assert store.get("s1").text == f'{{"rule_evaluation":{text}}}'


@pytest.mark.req("SE-02")
def test_the_kept_input_is_that_of_the_stored_evaluation(store: Store) -> None:
    assert store.write(evaluation("r1", judge_input=b"first")).input_kept
    assert store.get("s1", with_input=True).judge_input == b"first"
    assert store.get("s1").judge_input is None
    store.write(composed("r2", "{}"))
    assert store.get("s1", with_input=True).judge_input == b"first"
    assert not store.write(evaluation("r3", '{"verdict":"LOW_CONFID"}')).input_kept
    assert store.get("s1", with_input=True).judge_input is None


def test_a_list_shows_every_session_once_the_latest_first(store: Store) -> None:
    for number in range(7):
        store.write(evaluation(f"r{number}", session=f"s{number}"))
    store.write(rules("again", session="s2"))
    pages, token = [], ""
    while True:
        page = store.page(3, token)
        pages.append([listed.session_id for listed in page.sessions])
        token = page.next_page_token
        if not token:
            break
    assert pages == [["s2", "s6", "s5"], ["s4", "s3", "s1"], ["s0"]]
    assert page.sessions[0].summary == PASSED


@pytest.mark.parametrize("token", ["x", "W10=", "WzEsIDJd", "!!!!", "WzFlOTk5LCAiYSJd", "WzEsICJcdTAwMDAiXQ=="])
def test_a_token_of_another_list_is_refused(store: Store, token: str) -> None:
    with pytest.raises(InvalidRequestError):
        store.page(3, token)


def test_a_deleted_session_is_gone_with_its_input_and_its_old_writes_do_not_come_back(store: Store) -> None:
    store.write(evaluation("r1", judge_input=b"input"))
    assert store.delete("s1") is True
    assert store.delete("s1") is False
    with pytest.raises(SessionDeletedError, match="use a new request ID"):
        store.write(evaluation("r1", judge_input=b"input"))
    with pytest.raises(SessionNotFoundError):
        store.get("s1", with_input=True)
    assert store.write(rules("r2")).revision == 1


@pytest.mark.req("SE-01")
def test_a_write_of_before_a_deletion_is_refused_in_the_session_of_after(store: Store) -> None:
    store.write(rules("r1"))
    store.write(rules("other", session="s2"))
    for again in ("r2", "r3"):
        store.delete("s1")
        store.write(rules(again))
        with pytest.raises(SessionDeletedError):
            store.write(rules("r1"))
        assert store.write(rules(again)).replayed
    with pytest.raises(SessionDeletedError):
        store.write(rules("r2"))
    assert (store.get("s1").revision, store.write(rules("other", session="s2")).replayed) == (1, True)


@pytest.mark.req("SE-01")
def test_a_clock_that_goes_back_makes_no_write_look_deleted_or_kept(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Several servers write one session, and their clocks differ."""
    clock = iter([5_000, 4_000, 3_000, 2_000, 1_000])
    monkeypatch.setattr("time.time_ns", lambda: next(clock) * 1_000)
    store.write(rules("r1"))
    store.write(evaluation("r2"))
    assert store.write(evaluation("r2")).replayed
    store.delete("s1")
    store.write(rules("r3"))
    assert store.write(rules("r3")).replayed
    for old in (rules("r1"), evaluation("r2")):
        with pytest.raises(SessionDeletedError):
            store.write(old)


def test_a_store_in_a_folder_that_is_not_there_is_told_by_the_folder_and_the_url_as_typed(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/none/e.db"
    with pytest.raises(StoreSetupError) as refused:
        Store(StoreOptions(url))
    assert str(refused.value) == (
        f"the store at {url} cannot be reached: the folder {tmp_path}/none does not exist; make it first"
    )


def test_a_purge_takes_what_is_remembered_of_a_deletion(store: Store, url: str) -> None:
    store.write(rules("r1"))
    store.delete("s1")
    store.purge(time.time_ns() // 1_000 + 1_000_000)
    assert run(url, "SELECT count(*) FROM evidencegate_write_request") == [(0,)]


def test_a_purge_takes_the_old_sessions_alone(store: Store) -> None:
    for number in range(450):
        store.write(rules(f"r{number}", session=f"s{number}"))
    newest = store.get("s449").update_time
    assert newest is not None
    assert store.purge(newest) == 449
    assert [listed.session_id for listed in store.page(50, "").sessions] == ["s449"]


@pytest.mark.req("SE-01")
def test_many_writers_of_one_session_lose_nothing(store: Store) -> None:
    """Each writes one channel or the other as fast as it can; every write is counted and both channels are whole."""
    begin = threading.Barrier(4)

    def writer(number: int) -> None:
        begin.wait()
        for step in range(20):
            name = f"{number}-{step}"
            store.write(rules(name, f'{{"by":"{name}"}}') if number % 2 else evaluation(name, f'{{"by":"{name}"}}'))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(writer, range(4)))
    stored = store.get("s1")
    assert stored.revision == 80
    assert {"-19" in part for part in stored.text.split("},")} == {True}


@pytest.mark.req("SE-01")
def test_the_same_request_at_once_from_several_threads_is_done_once(store: Store) -> None:
    begin = threading.Barrier(4)

    def writer(_: int) -> bool:
        begin.wait()
        return store.write(rules("r1")).replayed

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(writer, range(4))) == [False, True, True, True]
    assert store.get("s1").revision == 1


def test_the_migrations_make_what_the_code_expects(store: Store, url: str) -> None:
    assert store.kind
    engine = make_engine(StoreOptions(url))
    with engine.connect() as connection:
        context = MigrationContext.configure(
            connection, opts={"version_table": schema.VERSION_TABLE, "compare_type": False}
        )
        assert context.get_current_revision() == schema.HEAD
        assert compare_metadata(context, schema.metadata) == []
    assert migrate(engine) == schema.HEAD
    engine.dispose()


def test_a_database_of_a_later_version_is_refused(store: Store, url: str) -> None:
    store.close()
    run(url, f"UPDATE {schema.VERSION_TABLE} SET version_num = '9999'")
    with pytest.raises(StoreSetupError, match="version 9999"):
        Store(StoreOptions(url))
    engine = make_engine(StoreOptions(url))
    with pytest.raises(StoreSetupError, match="version 9999"):
        migrate(engine)
    engine.dispose()


def test_a_table_of_somebody_else_with_the_products_name_is_left_alone(url: str) -> None:
    run(url, "CREATE TABLE diagnosis_session (id INTEGER PRIMARY KEY, note VARCHAR(20))")
    with pytest.raises(StoreSetupError, match="--store-table"):
        Store(StoreOptions(url))
    assert run(url, "SELECT count(*) FROM diagnosis_session") == [(0,)]


def test_stores_that_start_at_once_in_an_empty_database_all_come_up(url: str) -> None:
    with ThreadPoolExecutor(4) as pool:
        for opened in pool.map(lambda _: Store(StoreOptions(url)), range(4)):
            opened.close()


def test_tables_that_another_process_is_making_for_too_long_are_not_made_beside_it(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not url.startswith("mysql"):
        pytest.skip("the other databases raise where a lock is not given")
    monkeypatch.setattr("evidencegate_server.store.setup._LOCK_SECONDS", 1)
    holder = make_engine(StoreOptions(url))
    with holder.connect() as connection:
        connection.execute(sa.select(sa.func.get_lock("evidencegate_migrate", 1)))
        with pytest.raises(StoreSetupError, match="another process has been making"):
            Store(StoreOptions(url))
    holder.dispose()


@pytest.mark.req("SE-01")
def test_a_session_that_another_program_holds_fails_in_time_and_writes_nothing(url: str) -> None:
    with Store(StoreOptions(url, timeout_seconds=0.3)) as store:
        store.write(rules("r1"))
        holder = make_engine(StoreOptions(url))
        with holder.begin() as connection:
            connection.execute(sa.update(schema.sessions).values(revision=schema.sessions.c.revision))
            with pytest.raises(StoreFailedError):
                store.write(evaluation("r2"))
        holder.dispose()
        assert store.get("s1").revision == 1
        assert store.write(evaluation("r2")).revision == 2
