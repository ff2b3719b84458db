"""What is told of a part, a place, another role or a code bears out no claim about the whole, the host or a count."""

from __future__ import annotations

import pytest

from tests.judge.rows import accepts

PODS = """NAME                     CPU(cores)   MEMORY(bytes)
seat-api-7d9f-x2k4l      120m         512Mi
seat-api-7d9f-p8w2m      870m         1948Mi
fare-svc-5c6b-q1z9t      45m          230Mi"""
LAGS = """GROUP          TOPIC         PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG
seat-readers   seat-events   0          1200340         1200345         5
seat-readers   seat-events   1          1180210         1205930         25720"""
DEPLOYMENTS = """NAME       READY   UP-TO-DATE   AVAILABLE   AGE
seat-api   2/5     5            2           40d
fare-svc   3/3     3            3           12d"""
POD = """Name:         seat-api-7d9f-p8w2m
Namespace:    sales
Node:         node-3/10.8.0.13
Status:       Running
Containers:
  app:
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       OOMKilled
      Exit Code:    137
    Restart Count:  17
    Limits:
      memory:  512Mi"""
REPLICATION = """# Replication
role:master
connected_slaves:1
slave0:ip=10.8.0.52,port=6379,state=online,offset=889123,lag=0"""
SLAVE = """*************************** 1. row ***************************
               Slave_IO_State: Waiting for master to send event
                  Master_Host: 10.8.0.31
            Slave_SQL_Running: No"""
PROXY = (
    "2025/03/02 10:14:22 [error] 1234#0: *5678 upstream timed out (110: Connection timed out) while reading response "
    'header from upstream, client: 10.1.2.3, server: seats.example.com, request: "POST /api/seat HTTP/1.1", '
    'upstream: "http://10.8.0.21:8080/api/seat", host: "seats.example.com"'
)
TRACE = """`---ts=2025-03-02 10:14:22;thread_name=http-nio-8080-exec-3;id=2a;is_daemon=true
    `---[1532.87ms] com.seats.SeatService:book()
        +---[12.31ms] com.seats.StockClient:lock() #45
        `---[1490.22ms] com.seats.PayClient:prepay() #52"""
PROBE = """LAST SEEN   TYPE      REASON      OBJECT   MESSAGE
5m   Warning   Unhealthy   pod/fare-svc-5c6b-q1z9t   Readiness probe failed: HTTP probe failed with statuscode: 503"""
JOB = "2025-03-02 10:14:27.002 INFO  [seat-api] c.s.StockJob - 库存同步完成, 共 320 条, 失败 12 条, 耗时 1520ms"

FALSE = {
    "the_figure_of_one_pod": (PODS, ["seat-api 的内存用量为 1948Mi。", "seat-api 的 CPU 用量为 870m。"]),
    "the_figure_of_one_partition": (LAGS, ["seat-events 积压 25720 条。"]),
    "a_count_of_the_contrary": (DEPLOYMENTS, ["seat-api 有 2 个副本未就绪。"]),
    "the_state_of_what_runs_there": (
        POD,
        ["node-3 发生 OOM。", "node-3 已重启。", "sales 命名空间的内存上限为 512Mi。"],
    ),
    "the_other_side_of_a_replication": (REPLICATION, ["10.8.0.52 是主节点。"]),
    "the_role_of_a_key": (SLAVE, ["从库地址为 10.8.0.31。"]),
    "a_client_called_upstream": (PROXY, ["上游 10.1.2.3 超时。"]),
    "the_time_of_a_call_inside": (
        TRACE,
        ["SeatService:book 耗时 12.31ms。", "SeatService:book() 耗时 1490.22ms。"],
    ),
    "a_code_as_a_count": (PROBE, ["fare-svc-5c6b-q1z9t 的就绪探针失败了 503 次。"]),
    "an_exit_code_as_a_count": (POD, ["app 容器退出了 137 次。"]),
    "the_outcome_of_a_few": (JOB, ["库存同步失败。", "库存同步尚未完成。"]),
}


@pytest.mark.req("VO-10")
@pytest.mark.parametrize(("evidence", "claims"), FALSE.values(), ids=list(FALSE))
def test_what_is_told_of_something_else_is_refused(evidence: str, claims: list[str]) -> None:
    assert [claim for claim in claims if accepts(claim, evidence)] == []


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("seat-api-7d9f-p8w2m 的内存用量为 1948Mi。", PODS),
        ("seat-events 分区 1 积压 25720 条。", LAGS),
        ("seat-api 有 2 个副本就绪。", DEPLOYMENTS),
        ("app 容器的内存上限为 512Mi。", POD),
        ("app 容器重启了 17 次。", POD),
        ("主库地址为 10.8.0.31。", SLAVE),
        ("PayClient:prepay() 耗时 1490.22ms。", TRACE),
        ("库存同步完成。", JOB),
        ("库存同步失败 12 条。", JOB),
    ],
)
def test_what_is_told_of_it_is_accepted(claim: str, evidence: str) -> None:
    assert accepts(claim, evidence)
