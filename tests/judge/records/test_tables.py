"""Tables of the tools, by the columns that a reader sees."""

from __future__ import annotations

import textwrap

import pytest
from evidencegate_server.judge.records.model import RecordKind

from tests.judge.records.support import all_fields, fields, read

CASES = {
    "kubectl get pods": (
        """\
        NAME                   READY   STATUS             RESTARTS        AGE
        pay-6d5f9c7b4-x2x7p    0/1     CrashLoopBackOff   11 (2m3s ago)   38m
        cart-7c9d8f6b5-9k2lm   1/1     Running            0               12d
        """,
        {"NAME": "pay-6d5f9c7b4-x2x7p", "STATUS": "CrashLoopBackOff", "RESTARTS": "11 (2m3s ago)", "AGE": "38m"},
    ),
    "kubectl get pvc, empty cells": (
        """\
        NAME       STATUS    VOLUME   CAPACITY   ACCESS MODES   STORAGECLASS   AGE
        data-db    Pending                                      fast-ssd       8s
        data-log   Bound     pv-17    10Gi       RWO            fast-ssd       3d
        """,
        {"NAME": "data-db", "STATUS": "Pending", "STORAGECLASS": "fast-ssd", "AGE": "8s"},
    ),
    "kubectl get hpa": (
        """\
        NAME   REFERENCE        TARGETS    MINPODS   MAXPODS   REPLICAS   AGE
        pay    Deployment/pay   86%/50%    1         10        8          9m
        """,
        {"current utilization": "86%", "target utilization": "50%", "REPLICAS": "8"},
    ),
    "docker stats": (
        """\
        CONTAINER ID   NAME    CPU %     MEM USAGE / LIMIT     MEM %     NET I/O         PIDS
        0a1b2c3d4e5f   cache   0.28%     5.629MiB / 1.952GiB   0.28%     916B / 0B       9
        """,
        {
            "CONTAINER ID": "0a1b2c3d4e5f",
            "MEM USAGE": "5.629MiB",
            "MEM LIMIT": "1.952GiB",
            "NET I": "916B",
            "PIDS": "9",
        },
    ),
    "df": (
        """\
        Filesystem      Size  Used Avail Use% Mounted on
        /dev/sda1        50G   47G  3.0G  95% /
        /dev/sdb1       500G  120G  380G  24% /var/lib/docker
        """,
        {"Filesystem": "/dev/sda1", "Used": "47G", "Avail": "3.0G", "Use%": "95%", "Mounted on": "/"},
    ),
    "vmstat": (
        """\
        procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
         r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
         2  1      0 120344  11320 942312    0    0    12    85   29   57 80  5 10  5  0
        """,
        {"procs r": "2", "memory free": "120344", "io bo": "85", "cpu us": "80", "cpu st": "0"},
    ),
    "top": (
        """\
            PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND
           1234 mysql     20   0 2450000   1.2g  12000 S 185.0   7.8 120:33.10 mysqld
           2345 root      20   0  162000   5000   3800 R   5.9   0.0   0:01.22 top -b
        """,
        {"PID": "1234", "USER": "mysql", "RES": "1.2g", "S": "S", "%CPU": "185.0", "COMMAND": "mysqld"},
    ),
    "ps": (
        """\
        USER         PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND
        mysql       1234 95.0 40.2 2450000 1240000 ?     Sl   Mar01  99:12 /usr/sbin/mysqld --daemonize
        """,
        {"USER": "mysql", "%CPU": "95.0", "RSS": "1240000", "COMMAND": "/usr/sbin/mysqld --daemonize"},
    ),
    "iostat": (
        """\
        avg-cpu:  %user   %nice %system %iowait  %steal   %idle
                   5.25    0.00    2.50   40.10    0.00   52.15
        """,
        {"%user": "5.25", "%iowait": "40.10", "%idle": "52.15"},
    ),
    "free": (
        """\
                      total        used        free      shared  buff/cache   available
        Mem:          15890       14800         320         110         769         600
        Swap:          2047        2047           0
        """,
        {"": "Mem", "total": "15890", "free": "320", "available": "600"},
    ),
    "kafka-consumer-groups": (
        """\
        GROUP     TOPIC    PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG   CONSUMER-ID   HOST         CLIENT-ID
        billing   orders   0          1500            1900            400   c-1-abc       /10.1.0.4    c-1
        """,
        {"GROUP": "billing", "PARTITION": "0", "LAG": "400", "HOST": "/10.1.0.4"},
    ),
    "helm history": (
        "REVISION\tUPDATED                 \tSTATUS    \tCHART    \tAPP VERSION\tDESCRIPTION\n"
        "1       \tTue Mar  4 09:12:31 2025\tsuperseded\tpay-4.1.0\t           \tInstall complete\n",
        {"REVISION": "1", "CHART": "pay-4.1.0", "DESCRIPTION": "Install complete"},
    ),
    "mysql": (
        """\
        +----+------+-----------+---------+------+
        | Id | User | Host      | Command | Time |
        +----+------+-----------+---------+------+
        |  6 | app  | localhost | Sleep   |  340 |
        +----+------+-----------+---------+------+
        """,
        {"Id": "6", "User": "app", "Host": "localhost", "Command": "Sleep", "Time": "340"},
    ),
    "psql": (
        """\
         pid  | state  | wait_event_type
        ------+--------+-----------------
         4711 | active | Lock
        """,
        {"pid": "4711", "state": "active", "wait_event_type": "Lock"},
    ),
    "markdown": (
        """\
        | Service | p99 (ms) |
        |---------|---------:|
        | pay     | 820      |
        """,
        {"Service": "pay", "p99 (ms)": "820"},
    ),
    "CSV, one cell in quotes": (
        """\
        site,pallets_in,damaged,note
        north,412,7,"late, twice"
        south,296,2,
        """,
        {"site": "north", "pallets_in": "412", "damaged": "7", "note": "late, twice"},
    ),
    "CSV without a number": (
        """\
        badge,holder,door
        b-a,lin,north
        b-b,okoro,south
        """,
        {"badge": "b-a", "holder": "lin", "door": "north"},
    ),
    "semicolons": (
        """\
        线路;发车;晚点
        北线;14;2
        """,
        {"线路": "北线", "发车": "14", "晚点": "2"},
    ),
    "bars alone": (
        """\
        Table 2: what the probes saw.
        Probe | Median RTT (ms) | Loss %
        lisbon (old) | 18.4 | 0.0
        oslo | 41.7 | 1.5
        """,
        {"Probe": "lisbon (old)", "Median RTT (ms)": "18.4", "Loss %": "0.0"},
    ),
    "bars alone, the first header empty": (
        """\
         | Video | News
        first run | 0.54 | 0.56
        second run | 0.31 | 0.12
        """,
        {"": "first run", "Video": "0.54", "News": "0.56"},
    ),
    "etcdctl": (
        """\
        |    ENDPOINT    |        ID        | VERSION | DB SIZE | IS LEADER |
        | 10.0.0.1:2379  | 8e9e05c52164694d |  3.5.13 |   20 kB |      true |
        """,
        {"ENDPOINT": "10.0.0.1:2379", "DB SIZE": "20 kB", "IS LEADER": "true"},
    ),
    "two lines of header over dashes": (
        """\
        Fan            Rated    Actual
        Tray   Model   Speed    Speed   Status
        ------ ------- -------- ------- ----------
        1      FAN-7   9000     0       Not Ready
        """,
        {"Fan Tray": "1", "Model": "FAN-7", "Rated Speed": "9000", "Actual Speed": "0", "Status": "Not Ready"},
    ),
    "header of Chinese characters": (
        """\
        时间                 级别     对象        详情
        2025-03-04 10:11:12  Warning  order-db-0  副本延迟过高
        """,
        {"时间": "2025-03-04 10:11:12", "级别": "Warning", "对象": "order-db-0"},
    ),
    "columns that touch": (
        """\
        NAME           CPU(cores)   CPU%      MEMORY(bytes)   MEMORY%
        10.20.30.41   116m         2%        2342Mi          60%
        """,
        {"NAME": "10.20.30.41", "CPU(cores)": "116m", "MEMORY%": "60%"},
    ),
    "zpool status": (
        """\
        config:
                NAME        STATE     READ WRITE CKSUM
                tank        DEGRADED     0     0     0
                  sdb       FAULTED      4     1     0  too many errors
        """,
        {"NAME": "tank", "STATE": "DEGRADED", "WRITE": "0"},
    ),
    "sar, whose header begins with a time": (
        """\
        Linux 6.1.0 (edge-4)  03/02/2026  _x86_64_  (8 CPU)

        02:10:01 PM kbmemfree kbmemused  %memused kbdirty
        02:20:01 PM    811264   7301120     90.00     412
        02:30:01 PM    795104   7317280     90.20     388
        """,
        {"time": "02:20:01 PM", "kbmemused": "7301120", "%memused": "90.00", "kbdirty": "412"},
    ),
    "pidstat in Chinese": (
        """\
        14时02分11秒   UID       PID   kB_rd/s   kB_wr/s kB_ccwr/s iodelay  Command
        14时02分13秒  1001      3310     12.00   4096.00      0.00       0  postgres
        14时02分13秒     0       712      0.00     88.00      0.00       3  jbd2/sda1-8
        """,
        {"time": "14时02分13秒", "PID": "3310", "kB_wr/s": "4096.00", "Command": "postgres"},
    ),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES.keys())
def test_first_row_has_its_cells(text: str, expected: dict[str, str]) -> None:
    """The first row of the table has each cell under its own header."""
    row = next(record for record in read(textwrap.dedent(text)).records if record.kind is RecordKind.ROW)
    assert expected == {key: value for key, value in fields(row).items() if key in expected}


NO_TABLES = [
    "He said pallets,trucks and lanes\nwere late,lost and full of 3 things",
    "a, b, c\n1, 2, 3",
    "web | listening on 8080\nweb | ready",
    "2025-01-02,10:00,started\n2025-01-02,10:05,stopped",
    "site,in\nnorth,3",
    "14:02:11 Starting worker threads\n14:02:13 Started 3 12",
]


@pytest.mark.parametrize("text", NO_TABLES)
def test_what_no_header_names_is_no_table(text: str) -> None:
    """Commas in a sentence, a stream with its name, and rows without a header make no table."""
    assert [record for record in read(text).records if record.kind is RecordKind.ROW] == []


PAIRS = [
    "lane: A | trucks: 14 | wait time: 22 min\nlane: B | trucks: 9 | wait time: 6 min",
    "lane: A; trucks: 14; wait time: 22 min\nlane: B; trucks: 9; wait time: 6 min",
    "lane = A | trucks = 14 | wait time = 22 min\nlane = B | trucks = 9 | wait time = 6 min",
]


@pytest.mark.parametrize("text", PAIRS)
def test_pairs_that_a_sign_separates(text: str) -> None:
    """A line of pairs is one record, and the lines that begin with the same key are siblings."""
    first, second = (record for record in read(text).records if record.cells)
    assert fields(first) == {"lane": "A", "trucks": "14", "wait time": "22 min"}
    assert fields(second) == {"lane": "B", "trucks": "9", "wait time": "6 min"}
    assert first.group == second.group >= 0


def test_commands_and_their_tables() -> None:
    """Each table stands under its command, and rows of one table are siblings."""
    text = textwrap.dedent("""\
        $ kubectl get pods -n recon
        NAME    READY   STATUS    RESTARTS   AGE
        a-0     1/1     Running   0          3m
        a-1     0/1     Pending   0          3m
        $ kubectl get pods -n ledger
        NAME    READY   STATUS    RESTARTS   AGE
        b-0     1/1     Running   0          3m
        """)
    records = read(text).records
    headings = [record for record in records if record.kind is RecordKind.HEADING]
    rows = [record for record in records if record.kind is RecordKind.ROW]

    assert [record.label for record in headings] == ["$ kubectl get pods -n recon", "$ kubectl get pods -n ledger"]
    assert [headings[0].index, headings[0].index, headings[1].index] == [row.parent for row in rows]
    assert rows[0].group == rows[1].group != rows[2].group


def test_rows_without_their_header() -> None:
    """Rows that can only be those of one tool get its columns; others do not."""
    assert all_fields("pay-0   0/1   CrashLoopBackOff   11 (2m3s ago)   38m") == [
        {"NAME": "pay-0", "READY": "0/1", "STATUS": "CrashLoopBackOff", "RESTARTS": "11 (2m3s ago)", "AGE": "38m"}
    ]
    event = all_fields("Warning  Unhealthy  2m11s (x14 over 31m)  kubelet  Readiness probe failed")[0]
    assert {
        "Type": "Warning",
        "Reason": "Unhealthy",
        "Age": "2m11s (x14 over 31m)",
        "From": "kubelet",
    }.items() <= event.items()
    assert [found for found in all_fields("some words   and   others   here") if "READY" in found] == []


def test_rows_under_a_row() -> None:
    """A row that has its first column alone holds the rows below that lack it."""
    text = textwrap.dedent("""\
        Rules:
          Host            Path    Backends
          ----            ----    --------
          shop.test
                          /cart   cart:80
                          /pay    pay:80
        """)
    records = read(text).records
    host = next(record for record in records if fields(record) == {"Host": "shop.test"})
    assert [fields(record)["Path"] for record in records if record.parent == host.index] == ["/cart", "/pay"]
