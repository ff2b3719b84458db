"""What a metric says: its name and labels name a state, its figure says whether it is so, its samples say when."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.judge.rows import accepts

Layout = Callable[[str, dict[str, str], int], str]


def vector(name: str, labels: dict[str, str], figure: int) -> str:
    """Returns the answer of an instant query."""
    result = [{"metric": {"__name__": name, **labels}, "value": [1726713600.123, str(figure)]}]
    return json.dumps({"status": "success", "data": {"resultType": "vector", "result": result}})


def matrix(name: str, labels: dict[str, str], figure: int) -> str:
    """Returns the answer of a range query all of whose samples agree."""
    return series(name, labels, [figure] * 3)


def series(name: str, labels: dict[str, str], figures: list[int]) -> str:
    """Returns the answer of a range query."""
    samples = [[1726713600 + 15 * at, str(figure)] for at, figure in enumerate(figures)]
    result = [{"metric": {"__name__": name, **labels}, "values": samples}]
    return json.dumps({"status": "success", "data": {"resultType": "matrix", "result": result}})


def exposition(name: str, labels: dict[str, str], figure: int) -> str:
    """Returns a line of a /metrics page."""
    pairs = ",".join(f'{key}="{value}"' for key, value in labels.items())
    return f"{name}{{{pairs}}} {figure}"


def promtool(name: str, labels: dict[str, str], figure: int) -> str:
    """Returns a line of `promtool query instant`."""
    pairs = ", ".join(f'{key}="{value}"' for key, value in labels.items())
    return f"{name}{{{pairs}}} => {figure} @[1726713600.123]"


def nameless(_name: str, labels: dict[str, str], figure: int) -> str:
    """Returns the same for an expression, whose result has no name."""
    return promtool("", labels, figure)


LAYOUTS = (vector, matrix, exposition, promtool)
# A metric with its labels, what is so where it is 1, and what is so where it is 0.
METRICS = [
    ("up", {"job": "node", "instance": "db-1:9100"}, "db-1:9100 is up.", "db-1:9100 is down."),
    ("probe_success", {"instance": "api.example.org"}, "The probe of api.example.org succeeded.", ""),
    ("kube_pod_status_ready", {"pod": "web-1", "condition": "true"}, "Pod web-1 is ready.", "Pod web-1 is not ready."),
    ("kube_pod_status_phase", {"pod": "web-1", "phase": "Failed"}, "Pod web-1 failed.", ""),
    ("kube_pod_status_phase", {"pod": "web-1", "phase": "Failed"}, "Pod web-1 已失败。", ""),
    ("kube_node_status_condition", {"node": "n1", "condition": "Ready", "status": "false"},
     "Node n1 is not ready.", ""),
    ("etcd_server_has_leader", {"instance": "etcd-1"}, "etcd-1 has a leader.", ""),
    ("mysql_global_variables_read_only", {"instance": "mysql-1"}, "mysql-1 is read only.", ""),
    ("node_systemd_unit_state", {"name": "nginx.service", "state": "active"}, "nginx.service is active.", ""),
    ("kube_pod_container_status_waiting_reason", {"pod": "web-1", "reason": "CrashLoopBackOff"},
     "web-1 处于 CrashLoopBackOff。", ""),
    ("ALERTS", {"alertname": "HighLoad", "alertstate": "firing"}, "The alert HighLoad is firing.", ""),
]  # fmt: skip


@pytest.mark.req("VO-10")
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("name", "labels", "at_one", "at_zero"), METRICS)
def test_a_metric_says_what_its_figure_says(
    layout: Layout, name: str, labels: dict[str, str], at_one: str, at_zero: str
) -> None:
    for claim, figure in ((at_one, 1), (at_zero, 0)):
        if claim:
            assert accepts(claim, layout(name, labels, figure))
            assert not accepts(claim, layout(name, labels, 1 - figure))


@pytest.mark.parametrize("layout", [*LAYOUTS, nameless])
@pytest.mark.parametrize(
    ("labels", "claim"),
    [
        ({"service": "pay", "code": "500"}, "pay returned 500."),
        ({"node": "n1", "condition": "MemoryPressure", "status": "true"}, "Node n1 is under memory pressure."),
        ({"node": "n1", "condition": "Ready", "status": "unknown"}, "Node n1 is ready."),
        ({"pod": "web-1", "phase": "Failed"}, "Pod web-1 is in phase Failed."),
    ],
)
def test_what_a_label_names_is_not_so_where_there_is_none_of_it(
    layout: Layout, labels: dict[str, str], claim: str
) -> None:
    assert not accepts(claim, layout("some_metric", labels, 0))


@pytest.mark.parametrize(
    "text",
    [
        '[{"state":"failed","count":0},{"state":"done","count":4}]',
        "STATE   JOBS\nfailed  0\ndone    4\n",
        "state=failed count=0\nstate=done count=4",
    ],
)
def test_a_state_that_is_counted_none_is_not_there(text: str) -> None:
    assert not accepts("A job failed.", text)
    assert not accepts("有作业失败。", text)


def test_that_a_query_succeeded_says_nothing_of_what_it_returned() -> None:
    assert not accepts("The backup of db-1 succeeded.", vector("backup_age_seconds", {"instance": "db-1"}, 90000))


DEPTH = {
    "matrix": series("queue_depth", {"queue": "mail"}, [12, 80, 40]),
    "lines": "10:00:01 mail queue_depth=12\n10:00:16 mail queue_depth=80\n10:00:31 mail queue_depth=40",
}


@pytest.mark.req("VO-10")
@pytest.mark.parametrize("text", DEPTH.values(), ids=DEPTH)
@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("The queue_depth of mail was 12 at first.", True),
        ("The queue_depth of mail was 80 at first.", False),
        ("The queue_depth of mail was 12 at first and 40 in the last sample.", True),
        ("The queue_depth of mail was 40 at first and 12 in the last sample.", False),
        ("The last sample of queue_depth for mail is 40.", True),
        ("The last sample of queue_depth for mail is 80.", False),
        ("The latest queue_depth of mail is 40.", True),
        ("The latest queue_depth of mail is 80.", False),
        ("mail 的 queue_depth 最初为 12，最后为 40。", True),
        ("mail 的 queue_depth 最初为 40，最后为 12。", False),
        ("mail 的 queue_depth 最新值为 40。", True),
        ("mail 的 queue_depth 最新值为 80。", False),
    ],
)
def test_what_is_told_of_an_end_of_a_series_stands_there(text: str, claim: str, *, holds: bool) -> None:
    assert accepts(claim, text) is holds


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("The queue_depth of mail is 40.", True),
        ("The queue_depth of mail is 80.", False),
        ("The queue_depth of mail is 12.", False),
        ("The queue_depth of mail was 80.", True),
        ("queue_depth of mail peaked at 80.", True),
        ("queue_depth of mail peaked at 40.", False),
        ("mail 的 queue_depth 目前为 80。", False),
    ],
)
def test_what_is_so_now_stands_in_the_last_sample(claim: str, *, holds: bool) -> None:
    assert accepts(claim, DEPTH["matrix"]) is holds


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("db-1:9100 was down at first and is up in the last sample.", True),
        ("db-1:9100 was up at first and is down in the last sample.", False),
        ("db-1:9100 is up.", True),
        ("db-1:9100 is down.", False),
        ("db-1:9100 was down (up 0) at first.", True),
        ("db-1:9100 一开始是 down，最后一个采样点为 up。", True),
        ("db-1:9100 一开始是 up，最后一个采样点为 down。", False),
    ],
)
def test_a_state_is_that_of_the_sample_that_is_spoken_of(claim: str, *, holds: bool) -> None:
    assert accepts(claim, series("up", {"job": "node", "instance": "db-1:9100"}, [0, 0, 1])) is holds


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("An alert is active.", '{"alerts":[],"silences":[{"id":"s1","state":"active"}]}'),
        ("Alerts are active.", '{"alerts":[],"silences":[{"id":"s1","state":"active"}]}'),
        ("容器被 OOM 杀死。", "OOMKilled: false\nExitCode: 137"),
        ("The container was OOM killed.", '"OOMKilled": false, "Error": "", "ExitCode": 0'),
        ("Pod web-1 is ready.", "Ready: False\nReason: ContainersNotReady\nPod: web-1"),
    ],
)
def test_a_key_says_nothing_that_its_field_denies(claim: str, text: str) -> None:
    assert not accepts(claim, text)
