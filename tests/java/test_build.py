"""The Java client, its server for tests and its sample build, and their JUnit tests pass against the real server."""

from __future__ import annotations

import pytest

from tests.java.conftest import Build, TestClass, maven, reports

pytestmark = [pytest.mark.java, pytest.mark.timeout(1200)]

CLIENT = "io.evidencegate.client"
SAMPLE = "io.evidencegate.sample"


@pytest.mark.req("IO-04")
def test_everything_builds_and_no_test_fails_or_is_skipped(build: Build) -> None:
    assert build.status == 0, build.tail
    assert {name: found for name, found in reports().items() if found.failed or found.skipped} == {}


@pytest.mark.usefixtures("built")
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(f"{CLIENT}.ContractTest", marks=pytest.mark.req("IO-01", "IO-03", "IO-04", "IO-05", "IO-07")),
        pytest.param(f"{CLIENT}.RealServiceTest", marks=pytest.mark.req("IO-04", "IO-06")),
        pytest.param(f"{CLIENT}.RetryTest", marks=pytest.mark.req("IO-04", "IO-07")),
        pytest.param(f"{CLIENT}.FallbackTest", marks=pytest.mark.req("IO-04", "IO-07", "GK-15")),
        pytest.param(f"{CLIENT}.RestartTest", marks=pytest.mark.req("IO-04", "GK-15")),
        pytest.param(f"{CLIENT}.FailureTest", marks=pytest.mark.req("IO-05")),
        pytest.param(f"{CLIENT}.CredentialsTest", marks=pytest.mark.req("IO-07")),
        pytest.param(f"{CLIENT}.SecureServiceTest", marks=pytest.mark.req("IO-04", "IO-07")),
        pytest.param(f"{CLIENT}.InputDigestTest", marks=pytest.mark.req("GK-16")),
        pytest.param(f"{CLIENT}.SpansTest", marks=pytest.mark.req("GK-20")),
        pytest.param(f"{CLIENT}.ModelTextsTest", marks=pytest.mark.req("IO-06")),
        pytest.param(f"{CLIENT}.ReadingsTest", marks=pytest.mark.req("GK-15")),
        pytest.param(f"{CLIENT}.StoredJsonTest", marks=pytest.mark.req("SE-01")),
        f"{CLIENT}.SessionFileTest",
        f"{CLIENT}.NearestNameTest",
        pytest.param(f"{SAMPLE}.ChatServiceTest", marks=pytest.mark.req("IO-04", "RT-04", "RT-05", "RT-06")),
        pytest.param(f"{SAMPLE}.ChatServiceApplicationTest", marks=pytest.mark.req("IO-04")),
        "io.evidencegate.testserver.EvidenceGateServerTest",
    ],
)
def test_a_class_of_tests_ran_and_passed(name: str) -> None:
    found = reports().get(name, TestClass(0, 0, 0))
    assert found.run > 0
    assert (found.failed, found.skipped) == (0, 0)


def test_no_class_of_tests_is_left_out() -> None:
    """A class that is new stands in the list above as well, with the rows that it proves."""
    from tests.java.conftest import JAVA

    written = {
        ".".join(path.relative_to(source).with_suffix("").parts)
        for source in JAVA.glob("*/src/test/java")
        for path in source.rglob("*Test.java")
    }
    (listed,) = (mark for mark in test_a_class_of_tests_ran_and_passed.pytestmark if mark.name == "parametrize")  # type: ignore[attr-defined]
    names = {item if isinstance(item, str) else item.values[0] for item in listed.args[1]}
    assert names == written


@pytest.mark.usefixtures("built")
def test_a_second_build_needs_no_network() -> None:
    again = maven("-o", "verify", "-DskipTests")
    assert again.status == 0, again.tail
