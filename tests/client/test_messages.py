"""The message filter only removes, and only what its configuration names."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from evidencegate.v1 import composer_pb2, gatekeeper_pb2, prompt_pb2, trace_pb2, verifier_pb2
from evidencegate_client import MessageFilter, SessionError, filter_messages
from hypothesis import given
from hypothesis import strategies as st

SYSTEM = {"role": "system", "content": "You are a planner."}
ASKED = {"role": "user", "content": "Why does checkout restart?"}
CALLED: dict[str, Any] = {"role": "assistant", "content": None, "tool_calls": [{"id": "t1", "function": {"name": "x"}}]}
ANSWERED = {"role": "tool", "tool_call_id": "t1", "content": "Reason: OOMKilled"}
SAID = {"role": "assistant", "content": "It ran out of memory."}
SAID_AND_CALLED = {**CALLED, "content": "Let me look."}
EMPTY = {"role": "assistant", "content": " \n"}
ALL = [SYSTEM, ASKED, CALLED, ANSWERED, SAID, SAID, EMPTY, ASKED]
NOTHING = MessageFilter(drop_tool_chatter=False, drop_empty=False, duplicates="keep")


@pytest.mark.req("VI-03")
@pytest.mark.parametrize(
    ("config", "expected"),
    [
        (None, [SYSTEM, ASKED, SAID, ASKED]),
        (NOTHING, ALL),
        (MessageFilter(drop_roles=frozenset({"system"})), [ASKED, SAID, ASKED]),
        (MessageFilter(drop_tool_chatter=False), [SYSTEM, ASKED, CALLED, ANSWERED, SAID, ASKED]),
        (MessageFilter(drop_empty=False), [SYSTEM, ASKED, SAID, EMPTY, ASKED]),
        (MessageFilter(duplicates="keep"), [SYSTEM, ASKED, SAID, SAID, ASKED]),
        (MessageFilter(duplicates="all"), [SYSTEM, ASKED, SAID]),
    ],
    ids=["default", "nothing", "roles", "tool chatter", "empty", "duplicates kept", "all duplicates"],
)
def test_what_the_configuration_names_is_removed_and_nothing_else(
    config: MessageFilter | None, expected: list[dict[str, Any]]
) -> None:
    assert filter_messages(ALL, config) == expected


@pytest.mark.req("VI-03")
def test_a_call_that_stays_keeps_its_answers() -> None:
    empty_answer = {**ANSWERED, "content": ""}
    other = {**ANSWERED, "tool_call_id": "t9"}
    assert filter_messages([SAID_AND_CALLED, ANSWERED, other]) == [SAID_AND_CALLED, ANSWERED]
    assert filter_messages([CALLED, empty_answer], MessageFilter(drop_tool_chatter=False)) == [CALLED, empty_answer]
    assert filter_messages([SAID_AND_CALLED, ANSWERED], MessageFilter(drop_roles=frozenset({"tool"}))) == [
        SAID_AND_CALLED
    ]


@pytest.mark.parametrize(
    ("content", "is_empty"),
    [
        (None, True),
        ("", True),
        ("\u3000\n", True),
        ([], True),
        ([{"type": "text", "text": " "}], True),
        ([{"type": "text", "text": None}], True),
        ("0", False),
        ([{"type": "text", "text": " "}, {"type": "image_url", "image_url": {}}], False),
        ([{"type": "text", "text": "x"}], False),
        ({"text": ""}, False),
    ],
)
def test_a_message_is_empty_where_it_has_no_text_and_nothing_else(content: object, is_empty: bool) -> None:
    assert (filter_messages([{"role": "user", "content": content}]) == []) is is_empty


MESSAGES = st.lists(
    st.fixed_dictionaries(
        {"role": st.sampled_from(["system", "user", "assistant", "tool"])},
        optional={
            "content": st.sampled_from([None, "", "a", "b", " "]),
            "tool_calls": st.sampled_from([[], [{"id": "t1"}], [{"id": "t2"}]]),
            "tool_call_id": st.sampled_from(["t1", "t2"]),
            "name": st.just("n"),
        },
    ),
    max_size=12,
)
CONFIGS = st.builds(
    MessageFilter,
    drop_roles=st.frozensets(st.sampled_from(["system", "tool"])),
    drop_tool_chatter=st.booleans(),
    drop_empty=st.booleans(),
    duplicates=st.sampled_from(["keep", "adjacent", "all"]),
)


@pytest.mark.req("VI-03")
@given(messages=MESSAGES, config=CONFIGS)
def test_no_message_is_changed_moved_merged_or_made(messages: list[dict[str, Any]], config: MessageFilter) -> None:
    """What comes out are the same objects in the same order, untouched; to filter twice changes nothing."""
    before = copy.deepcopy(messages)
    kept = filter_messages(messages, config)
    assert messages == before
    rest = iter(messages)
    assert all(any(one is message for message in rest) for one in kept)
    assert filter_messages(kept, config) == kept


@pytest.mark.req("VI-03")
@given(messages=MESSAGES)
def test_with_everything_off_everything_stays(messages: list[dict[str, Any]]) -> None:
    assert filter_messages(messages, NOTHING) == messages


@pytest.mark.parametrize(
    ("messages", "place"),
    [
        ("hello", "messages: a list is wanted, not a text"),
        ({"role": "user"}, "messages: a list is wanted, not an object"),
        (None, "messages: a list is wanted, not null"),
        ([ASKED, "hello"], r"messages\[1\]: an object is wanted, not a text"),
        ([{"content": "x"}], r"messages\[0\]\.role: a text is wanted"),
    ],
)
def test_what_is_no_message_is_named_with_its_place(messages: Any, place: str) -> None:
    with pytest.raises(SessionError, match=place):
        filter_messages(messages)


def test_a_filter_that_reads_otherwise_than_it_works_is_refused() -> None:
    with pytest.raises(ValueError, match="must be a set of roles"):
        MessageFilter(drop_roles="tool")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="must be one of keep, adjacent, all"):
        MessageFilter(duplicates="some")


@pytest.mark.req("VI-01", "VI-03")
def test_no_request_has_a_field_for_messages_or_reasoning() -> None:
    for module in (gatekeeper_pb2, verifier_pb2, composer_pb2, prompt_pb2, trace_pb2):
        for message in module.DESCRIPTOR.message_types_by_name.values():
            names = {field.name for field in message.fields}
            assert not {"messages", "history", "conversation", "reasoning", "planner_reasoning"} & names
