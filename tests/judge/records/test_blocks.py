"""Blocks of keys and values, by indentation, by colons, by repetition."""

from __future__ import annotations

import textwrap

from evidencegate_server.judge.records.model import RecordKind

from tests.judge.records.support import all_fields, chain, fields, read


def test_kubectl_describe() -> None:
    """Deeper lines belong to the key above them, also where it has a value, and tables to their section."""
    text = textwrap.dedent("""\
        Name:         pay-0
        Namespace:    shop
        Labels:       app=pay
                      tier=backend
        Containers:
          app:
            Image:          pay:v2
            State:          Waiting
              Reason:       CrashLoopBackOff
            Last State:     Terminated
              Reason:       OOMKilled
              Exit Code:    137
            Ready:          False
            Limits:
              memory:  512Mi
            Requests:
              memory:  256Mi
        Conditions:
          Type         Status
          Initialized  True
          Ready        False
        """)
    evidence = read(text)
    by_label = {record.label: record for record in evidence.records if record.kind is RecordKind.OBJECT}

    assert fields(evidence.records[0]) == {"Name": "pay-0", "Namespace": "shop"}
    assert fields(by_label["Labels"]) == {"app": "pay", "tier": "backend"}
    assert fields(by_label["app"]) == {"Image": "pay:v2", "Ready": "False"}
    assert fields(by_label["State"]) == {"State": "Waiting", "Reason": "CrashLoopBackOff"}
    assert fields(by_label["Last State"]) == {"Last State": "Terminated", "Reason": "OOMKilled", "Exit Code": "137"}
    assert fields(by_label["Limits"]) == {"memory": "512Mi"}
    assert fields(by_label["Requests"]) == {"memory": "256Mi"}
    assert chain(evidence, by_label["Requests"].index) == ["Requests", "app", "Containers", ""]
    rows = [fields(record) for record in evidence.records if record.kind is RecordKind.ROW]
    assert rows == [{"Type": "Initialized", "Status": "True"}, {"Type": "Ready", "Status": "False"}]


def test_yaml() -> None:
    """List items are siblings that their key names; plain items are cells of the holder; a text may go on."""
    text = textwrap.dedent("""\
        kind: Service
        spec:
          ports:
          - name: http
            port: 80
          - name: grpc
            port: 9090
          externalIPs:
          - 10.0.0.1
          selector:
            app: pay
        status:
          conditions:
          - message: 'the target "pay"
              was not found'
            status: "False"
        """)
    evidence = read(text)
    http, grpc = (record for record in evidence.records if record.label == "ports")
    condition = next(record for record in evidence.records if record.label == "conditions")

    assert [fields(http), fields(grpc)] == [{"name": "http", "port": "80"}, {"name": "grpc", "port": "9090"}]
    assert http.group == grpc.group >= 0
    assert fields(next(record for record in evidence.records if record.label == "spec")) == {"externalIPs": "10.0.0.1"}
    assert fields(condition)["status"] == "False"
    assert any("was not found" in cell.text for cell in condition.cells)


def test_keys_set_flush_right() -> None:
    """Lines whose colons stand below each other are one record, however far they are indented."""
    text = textwrap.dedent("""\
        /dev/md0:
                Version : 1.2
             Raid Level : raid1
             Array Size : 101376
                  State : clean, degraded

            Number   Major   State
               0     254     active
        """)
    evidence = read(text)
    assert fields(evidence.records[0]) == {
        "Version": "1.2",
        "Raid Level": "raid1",
        "Array Size": "101376",
        "State": "clean, degraded",
    }
    assert evidence.records[0].label == "/dev/md0"
    assert evidence.records[1].parent == 0


def test_rows_of_mysql_with_a_line_for_each_column() -> None:
    """Each row is a record, and a value may be missing."""
    text = textwrap.dedent("""\
        *************************** 1. row ***************************
                       Slave_IO_State: Waiting
                Seconds_Behind_Master: 1520
                     Slave_IO_Running: Yes
        *************************** 2. row ***************************
                       Slave_IO_State:
                Seconds_Behind_Master: NULL
                     Slave_IO_Running: No
        """)
    first, second = read(text).records
    assert fields(first) == {"Slave_IO_State": "Waiting", "Seconds_Behind_Master": "1520", "Slave_IO_Running": "Yes"}
    assert fields(second) == {"Slave_IO_State": "", "Seconds_Behind_Master": "NULL", "Slave_IO_Running": "No"}
    assert first.group == second.group >= 0


def test_redis_info() -> None:
    """Sections are headings; a value that is pairs is a record of its own."""
    text = "# Replication\nrole:master\nslave0:ip=10.0.0.2,port=6379,lag=1\nslave1:ip=10.0.0.3,port=6379,lag=0\n"
    evidence = read(text)
    heading, section, first, second = evidence.records

    assert (heading.kind, heading.label) == (RecordKind.HEADING, "# Replication")
    assert (fields(section), section.parent) == ({"role": "master"}, 0)
    assert (first.label, fields(first)) == ("slave0", {"ip": "10.0.0.2", "port": "6379", "lag": "1"})
    assert first.group == second.group >= 0


def test_a_first_key_that_comes_round_again() -> None:
    """Begins the next record."""
    text = "Certificate Name: a.test\n  Key Type: RSA\nCertificate Name: b.test\n  Key Type: ECDSA\n"
    assert all_fields(text) == [
        {"Certificate Name": "a.test", "Key Type": "RSA"},
        {"Certificate Name": "b.test", "Key Type": "ECDSA"},
    ]


def test_several_pairs_on_a_line() -> None:
    """Written with equals signs, with colons, or in the comment lines of a slow log."""
    assert all_fields('host=a cpu=0.5 msg="two words"') == [{"host": "a", "cpu": "0.5", "msg": "two words"}]
    assert all_fields("# Query_time: 4.07  Lock_time: 0.0002 Rows_sent: 1000") == [
        {"Query_time": "4.07", "Lock_time": "0.0002", "Rows_sent": "1000"}
    ]
    assert all_fields("memberID:1380 alarm:NOSPACE") == [{"memberID": "1380", "alarm": "NOSPACE"}]


def test_equals_and_full_width_colons() -> None:
    """sysctl, openssl, and reports in Chinese."""
    assert all_fields("net.core.somaxconn = 128\nvm.swappiness = 60\n") == [
        {"net.core.somaxconn": "128", "vm.swappiness": "60"}
    ]
    assert all_fields(
        "任务总计耗时                    :                 10s\n读写失败总数                    :                   0\n"
    ) == [{"任务总计耗时": "10s", "读写失败总数": "0"}]
    assert all_fields("影响范围：华东区") == [{"影响范围": "华东区"}]


def test_names_and_values_that_slashes_join() -> None:
    """Each name gets its value, with the words and the unit that are said once."""
    assert all_fields("rtt min/avg/max/mdev = 35.2/44.0/51.8/5.3 ms") == [
        {"rtt min": "35.2", "rtt avg": "44.0", "rtt max": "51.8", "rtt mdev": "5.3 ms"}
    ]
    found = all_fields("lan1: up, rx-bytes/packets/errors=100/20/0, tx=7")[0]
    assert found == {"rx-bytes": "100", "rx-packets": "20", "rx-errors": "0", "tx": "7"}


def test_a_title_holds_what_is_deeper() -> None:
    """A short line without a colon over deeper ones is what they are about."""
    evidence = read("● nginx.service - A web server\n     Loaded: loaded\n     Active: failed\n")
    assert [record.label for record in evidence.records] == ["● nginx.service - A web server"]
    assert fields(evidence.records[0]) == {"Loaded": "loaded", "Active": "failed"}


def test_names_and_values_with_blanks_between() -> None:
    """Two columns without a header are pairs."""
    assert all_fields("COUNT         30\nPEAK-COUNT    31\n") == [{"COUNT": "30", "PEAK-COUNT": "31"}]


def test_a_commented_head_begins_the_next_entry_and_holds_what_follows() -> None:
    """As in the slow log of mysql, whatever stands above the first entry."""
    records = read(
        "Tcp port: 3306  Unix socket: /run/mysqld.sock\n"
        "Time                 Id Command    Argument\n"
        "# User@Host: shop[shop] @ localhost []  Id: 7\n"
        "# Query_time: 0.32  Lock_time: 0.01\n"
        "SET NAMES utf8;\n"
        "# User@Host: backup[backup] @ localhost []  Id: 9\n"
        "# Query_time: 0.05  Lock_time: 0.02\n"
    ).records
    entries = [record for record in records if "Query_time" in fields(record)]
    assert [(fields(one)["Id"], fields(one)["Query_time"]) for one in entries] == [("7", "0.32"), ("9", "0.05")]
    assert len({one.group for one in entries}) == 1
    assert next(one.parent for one in records if "SET NAMES" in one.cells[0].text) == entries[0].index


def test_pairs_that_tabs_separate() -> None:
    """Values behind a tab need not stand below each other."""
    evidence = read("zk_avg_latency\t1.5\nzk_outstanding_requests\t12\nzk_max_file_descriptor_count\t2048")

    assert [fields(record) for record in evidence.records] == [
        {"zk_avg_latency": "1.5", "zk_outstanding_requests": "12", "zk_max_file_descriptor_count": "2048"}
    ]


def test_pairs_behind_the_word_of_a_reply() -> None:
    """A word in capitals that begins each line is no part of its key."""
    evidence = read("STAT uptime 410\nSTAT curr_items 12\nSTAT get_hits 981")

    assert fields(evidence.records[0]) == {"uptime": "410", "curr_items": "12", "get_hits": "981"}


def test_one_line_that_looks_like_a_reply_is_a_sentence() -> None:
    assert [record.kind for record in read("FATAL error 3").records] != [RecordKind.OBJECT]
