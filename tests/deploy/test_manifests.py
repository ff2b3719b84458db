"""Proves the Kubernetes manifests against the API's own schemas, and against the server that they start."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml
from evidencegate_server.service.settings import ENVIRONMENT_PREFIX, ServerSettings, read_settings

from tests.support import ROOT

FOLDER = ROOT / "deploy" / "kubernetes"
# Versions of the API that clusters run: the oldest that is still seen, one between, and the newest that is known.
VERSIONS = ("1.29", "1.33", str(kubernetes_validate.latest_version()))
# What a worker may take beside pause and grace; see workers/parent.py.
LAST_WORDS_SECONDS = 5


def documents() -> list[tuple[str, dict[str, Any]]]:
    """Returns each resource with its file's name."""
    return [
        (path.name, document)
        for path in sorted(FOLDER.glob("*.yaml"))
        if path.name != "kustomization.yaml"
        for document in yaml.safe_load_all(path.read_text(encoding="utf-8"))
    ]


def resource(kind: str) -> dict[str, Any]:
    """Returns the one resource of a kind."""
    (found,) = (document for _, document in documents() if document["kind"] == kind)
    return found


@pytest.fixture
def pod() -> dict[str, Any]:
    """The pod's specification."""
    specification: dict[str, Any] = resource("Deployment")["spec"]["template"]["spec"]
    return specification


@pytest.fixture
def container(pod: dict[str, Any]) -> dict[str, Any]:
    """The one container."""
    (only,) = pod["containers"]
    assert isinstance(only, dict)
    return only


@pytest.fixture
def settings(container: dict[str, Any]) -> ServerSettings:
    """What the server makes of the container's environment."""
    return read_settings({}, environment_of(container))


def environment_of(container: dict[str, Any]) -> dict[str, str]:
    """Returns the container's variables."""
    return {one["name"]: one["value"] for one in container["env"]}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(("name", "document"), documents(), ids=lambda value: value if isinstance(value, str) else "")
def test_each_resource_fits_the_schema_without_an_unknown_field(
    name: str, document: dict[str, Any], version: str
) -> None:
    assert name
    kubernetes_validate.validate(document, version, strict=True)


def test_the_kustomization_names_every_file_and_the_image_that_is_used(container: dict[str, Any]) -> None:
    kustomization = yaml.safe_load((FOLDER / "kustomization.yaml").read_text(encoding="utf-8"))
    assert sorted(kustomization["resources"]) == sorted({name for name, _ in documents()})
    (image,) = kustomization["images"]
    assert image["name"] == container["image"]
    version = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert version is not None
    assert image["newTag"] == version[1]


def test_every_variable_is_a_setting_and_the_server_takes_them_together(
    container: dict[str, Any], settings: ServerSettings
) -> None:
    for name in environment_of(container):
        assert name.removeprefix(ENVIRONMENT_PREFIX).lower() in ServerSettings.model_fields
    assert settings.missing_guards == ()
    assert not settings.insecure
    assert not settings.is_loopback
    assert container["args"] == ["serve"]


def test_no_variable_comes_from_the_services_of_the_namespace(pod: dict[str, Any]) -> None:
    """A Service named evidencegate would set EVIDENCEGATE_PORT to an address, and the server would not start."""
    assert pod["enableServiceLinks"] is False


def test_the_ports_are_those_that_the_server_opens(container: dict[str, Any], settings: ServerSettings) -> None:
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    assert settings.health_at is not None
    assert ports == {"grpc": settings.port, "health": settings.health_at[1], "metrics": settings.metrics_port}
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        assert container[probe]["grpc"] == {"port": ports["health"]}
    annotations = resource("Deployment")["spec"]["template"]["metadata"]["annotations"]
    assert annotations["prometheus.io/port"] == str(ports["metrics"])
    assert settings.health_at[0] == settings.metrics_at == "0.0.0.0"
    (service_port,) = resource("Service")["spec"]["ports"]
    assert service_port["targetPort"] in ports
    named = {rule["port"] for part in resource("NetworkPolicy")["spec"]["ingress"] for rule in part["ports"]}
    assert named == set(ports)


def test_a_drain_ends_before_the_pod_is_killed(
    pod: dict[str, Any], container: dict[str, Any], settings: ServerSettings
) -> None:
    drain = settings.drain_pause_seconds + settings.grace_seconds + LAST_WORDS_SECONDS
    assert pod["terminationGracePeriodSeconds"] > drain
    # Health says NOT_SERVING during the drain: the probe must not take that for a fault.
    liveness = container["livenessProbe"]
    assert liveness["periodSeconds"] * liveness["failureThreshold"] > drain
    # Two failing probes, so that the pod is taken out while it still answers.
    readiness = container["readinessProbe"]
    assert readiness["periodSeconds"] * readiness["failureThreshold"] <= settings.drain_pause_seconds


def test_the_container_has_no_rights_that_it_does_not_need(pod: dict[str, Any], container: dict[str, Any]) -> None:
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["runAsUser"] > 0
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert pod["automountServiceAccountToken"] is False
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert set(container["resources"]["limits"]) >= {"cpu", "memory"}
    assert set(container["resources"]["requests"]) >= {"cpu", "memory"}
    assert not any(pod.get(name) for name in ("hostNetwork", "hostPID", "hostIPC"))
    assert not any("hostPath" in volume for volume in pod["volumes"])


def test_files_lie_where_they_are_mounted_and_can_be_replaced(
    pod: dict[str, Any], container: dict[str, Any], settings: ServerSettings
) -> None:
    mounts = {mount["mountPath"]: mount for mount in container["volumeMounts"]}
    volumes = {volume["name"]: volume for volume in pod["volumes"]}
    for path in (settings.tls_cert, settings.tls_key, settings.tokens):
        assert isinstance(path, Path)
        mount = mounts[str(path.parent)]
        assert "subPath" not in mount  # such a file never changes
        assert mount["readOnly"] is True
        assert "secret" in volumes[mount["name"]]
    assert (settings.tls_cert.name, settings.tls_key.name) == ("tls.crt", "tls.key")  # type: ignore[union-attr]
    assert set(volumes) == {mount["name"] for mount in container["volumeMounts"]}


def test_the_memory_holds_as_many_requests_as_are_taken_at_once(
    container: dict[str, Any], settings: ServerSettings
) -> None:
    limit = container["resources"]["limits"]["memory"]
    assert limit.endswith("Gi")
    assert settings.max_in_flight * 32 <= int(limit.removesuffix("Gi")) * 1024 - 512


def test_every_selector_selects_the_pods() -> None:
    labels = resource("Deployment")["spec"]["template"]["metadata"]["labels"]
    selectors = [
        resource("Deployment")["spec"]["selector"]["matchLabels"],
        resource("Service")["spec"]["selector"],
        resource("NetworkPolicy")["spec"]["podSelector"]["matchLabels"],
        resource("PodDisruptionBudget")["spec"]["selector"]["matchLabels"],
    ]
    assert all(selector and selector.items() <= labels.items() for selector in selectors)
    assert resource("PodDisruptionBudget")["spec"]["minAvailable"] < resource("Deployment")["spec"]["replicas"]
