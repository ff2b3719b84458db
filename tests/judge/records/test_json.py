"""JSON in all the states that tools and excerpts leave it in."""

from __future__ import annotations

import pytest
from evidencegate_server.judge.records.model import RecordKind

from tests.judge.records.support import all_fields, chain, fields, read


def test_objects_nest_and_arrays_are_groups() -> None:
    """A nested object is a record under its holder, named by its key; members of an array share a group."""
    evidence = read('{"name": "pay", "spec": {"replicas": 3}, "pods": [{"id": "a"}, {"id": "b"}]}')

    top, spec, first, second = evidence.records
    assert fields(top) == {"name": "pay"}
    assert (spec.parent, spec.label, fields(spec)) == (0, "spec", {"replicas": "3"})
    assert (first.label, second.label) == ("pods", "pods")
    assert first.group == second.group >= 0
    assert {top.kind, spec.kind} == {RecordKind.OBJECT}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('"a": 1,\n  "b": {"c": 2},\n  "d": 3 }', id="begun in the middle"),
        pytest.param('{"a": 1, "b": {"c": 2}, "d": 3', id="cut off"),
        pytest.param("{'a': 1, 'b': {'c': 2}, 'd': 3}", id="single quotes"),
        pytest.param("{ a: 1, b: { c: 2 }, d: 3 }", id="no quotes"),
        pytest.param('result:\n{"a": 1,\n "b": {"c": 2}, "d": 3}', id="after a line of prose"),
        pytest.param('{"a": 1, ..., "b": {"c": 2}, "d": 3}', id="with something left out"),
    ],
)
def test_reads_what_is_no_whole_json(text: str) -> None:
    """The members come out the same, however the object was cut or quoted."""
    assert all_fields(text) == [{"a": "1", "d": "3"}, {"c": "2"}]


def test_lines_of_json_are_siblings() -> None:
    """Objects on lines of their own share a group."""
    first, second = read('{"level":"info","code":1}\n{"level":"warn","code":2}\n').records

    assert first.group == second.group >= 0
    assert [first.parent, second.parent] == [-1, -1]


def test_json_behind_the_name_of_a_stream_or_a_log_head() -> None:
    """The members belong to the line that the object stands on."""
    stream = read('api-1  | {"level":"warn","msg":"slow"}').records[0]
    assert (stream.kind, stream.label, fields(stream)) == (
        RecordKind.LINE,
        "api-1",
        {"level": "warn", "msg": "slow"},
    )

    line, route = read('2025-03-04T10:11:12Z ERROR gw failed {"status": 504, "route": {"name": "pay"}}').records
    assert fields(line)["status"] == "504"
    assert fields(line)["level"] == "ERROR"
    assert (route.parent, fields(route)) == (0, {"name": "pay"})


def test_json_inside_a_string() -> None:
    """A string that holds JSON is read one level deep, with places in the original."""
    text = r'{"log": "{\"level\":\"error\",\"code\":504}\n", "stream": "stderr"}'
    outer, inner = read(text).records

    assert fields(outer) == {"stream": "stderr"}
    assert (inner.label, fields(inner)) == ("log", {"level": "error", "code": "504"})


def test_pairs_of_key_and_value_become_cells() -> None:
    """Tags, dimensions and labels written as objects name the record around them."""
    text = '{"op": "GET", "tags": [{"key": "http.status_code", "type": "int64", "value": 200}]}'
    assert all_fields(text) == [{"op": "GET", "http.status_code": "200"}]
    assert all_fields('{"x": 1, "Dimensions": [{"Name": "InstanceId", "Value": "i-1"}]}') == [
        {"x": "1", "InstanceId": "i-1"}
    ]
    assert all_fields('{"at": {"$date": "2025-03-04T10:11:12Z"}}') == [{"at": "2025-03-04T10:11:12Z"}]


def test_prometheus_results() -> None:
    """Labels name the series, each sample is a row with its time."""
    evidence = read(
        '{"data":{"result":[{"metric":{"__name__":"up","job":"node"},"values":[[1717000000,"1"],[1717000060,"0"]]}]}}'
    )
    series = next(record for record in evidence.records if record.label == "result")
    samples = [record for record in evidence.records if record.parent == series.index]

    assert fields(series) == {"__name__": "up", "job": "node"}
    assert [fields(sample) for sample in samples] == [
        {"time": "1717000000", "up": "1"},
        {"time": "1717000060", "up": "0"},
    ]
    assert {RecordKind.ROW} == {sample.kind for sample in samples}

    vector = '{"result":[{"metric":{"job":"a"},"value":[1717000000.5,"0.25"]}]}'
    assert all_fields(vector) == [{"job": "a", "time": "1717000000.5", "value": "0.25"}]


def test_empty_is_told() -> None:
    """An empty list or object is a cell of its own, as it says that nothing is there."""
    assert all_fields('{"items": [], "state": {}}') == [{"items": "[]", "state": "{}"}]


def test_depth_is_bounded() -> None:
    """Ten thousand brackets neither fail nor make ten thousand records."""
    text = '{"a": ' * 10_000 + '{"b": 7}' + "}" * 10_000
    evidence = read(text)

    assert len(evidence.records) <= 64
    assert any(cell.text == "7" for record in evidence.records for cell in record.cells)


def test_the_way_up_names_the_holders() -> None:
    """From a record one comes to all that hold it."""
    evidence = read('{"status": {"containers": [{"state": {"waiting": {"reason": "ErrImagePull"}}}]}}')
    assert chain(evidence, len(evidence.records) - 1) == ["waiting", "state", "containers", "status", ""]
