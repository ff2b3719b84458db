"""Session files: what is read and what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from evidencegate.v1.invocation_pb2 import ToolInvocation
from evidencegate_client import build
from evidencegate_server.cli.sessions import FileProblemError, read_session, session_files

from tests.cli.conftest import run
from tests.support import ROOT

SMALLEST = {"session_id": "s", "executor_output": None, "tool_invocations": []}


def written(tmp_path: Path, content: bytes | str) -> Path:
    """Writes a file."""
    path = tmp_path / "session.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def problem(path: Path) -> tuple[str, str]:
    """Returns the place and the problem of a file that is refused."""
    with pytest.raises(FileProblemError) as caught:
        read_session(path)
    assert str(caught.value).startswith(str(path))
    return caught.value.place, caught.value.problem


def test_the_smallest_session_is_read(tmp_path: Path) -> None:
    session = read_session(written(tmp_path, json.dumps(SMALLEST)))
    assert (session.session_id, session.title, session.expect) == ("s", "", None)
    assert session.request.round == 1


def test_source_and_expect_may_hold_anything(tmp_path: Path) -> None:
    more = {"title": "t", "source": [{"url": "u"}, 5], "expect": {"why": {"a": 1}}}
    session = read_session(written(tmp_path, json.dumps({**SMALLEST, **more})))
    assert (session.title, session.expect) == ("t", more["expect"])


def test_the_documented_session_is_one_and_has_every_key(tmp_path: Path) -> None:
    document = (ROOT / "examples" / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```jsonc\n(.*?)^```", document, re.MULTILINE | re.DOTALL)
    path = written(tmp_path, re.sub(r"\s// .*", "", block))
    session = read_session(path)
    assert session.request.session_id == "checkout-restarts-7"
    stored = json.loads(path.read_text(encoding="utf-8"))
    assert stored.keys() == set(build.SESSION_KEYS)
    (call,) = stored["tool_invocations"]
    assert call.keys() == set(ToolInvocation.DESCRIPTOR.fields_by_name)
    ran = run("evaluate", path, "--check", "--json")
    assert (ran.code, ran.err) == (0, "")


def test_a_byte_order_mark_is_read_over(tmp_path: Path) -> None:
    assert read_session(written(tmp_path, b"\xef\xbb\xbf" + json.dumps(SMALLEST).encode())).session_id == "s"


@pytest.mark.parametrize(
    ("content", "place", "start"),
    [
        ("", "line 1 column 1", "no JSON: Expecting value"),
        ('{"a": 1,\n "b": }', "line 2 column 7", "no JSON: Expecting value"),
        ('{"a": 1} x', "line 1 column 10", "no JSON: Extra data"),
        ('{"a": 1, "a": 2}', "", "no JSON: the key 'a' stands twice"),
        ('{"a": NaN}', "", "no JSON: NaN is no number of JSON"),
        ("[" * 200_000, "", "no JSON: "),
        ('{"a": ' + "1" * 5_000 + "}", "", "no JSON: Exceeds the limit"),
        (b'{"a":\n "\xff"}', "line 2", "not UTF-8 at byte 8"),
        ("[]", "", "a session is a JSON object, not a list"),
        ("{}", "tool_invocations", "this key is missing"),
        (json.dumps({**SMALLEST, "title": 5}), "title", "a text is wanted"),
        (json.dumps({**SMALLEST, "expect": []}), "expect", "an object is wanted"),
        (json.dumps({**SMALLEST, "round": "1"}), "round", "a whole number is wanted, not a text"),
        (json.dumps({**SMALLEST, "expekt": {}}), "expekt", 'unknown key; did you mean "expect"?'),
    ],
)
def test_a_file_that_is_no_session_is_refused_with_its_place(
    tmp_path: Path, content: bytes | str, place: str, start: str
) -> None:
    found_place, found = problem(written(tmp_path, content))
    assert (found_place, found[: len(start)]) == (place, start)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert problem(tmp_path / "none.json") == ("", "cannot be read: No such file or directory")


def test_a_folder_stands_for_its_json_files_by_name(tmp_path: Path) -> None:
    for name in ("b.json", "a.json", "c.txt"):
        (tmp_path / name).write_text("{}", encoding="utf-8")
    assert list(session_files([tmp_path, tmp_path / "a.json"])) == [tmp_path / "a.json", tmp_path / "b.json"]
