"""What a models file may say, and how a bad one is told."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from evidencegate_server.models.pool import check_library
from evidencegate_server.models.profiles import ModelsError, read_profiles

GOOD = """\
default: b
profiles:
  - name: a
    base_url: http://127.0.0.1:8000/v1
    model: small
  - name: b
    base_url: https://models.example/v1
    model: large
    key_env: MODEL_KEY
    stream: true
    temperature: 0.5
"""
ENVIRONMENT = {"MODEL_KEY": " sk-geheim-1 \n"}


def written(folder: Path, text: str) -> Path:
    """Writes a models file."""
    path = folder / "models.yaml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.req("VO-11")
def test_the_default_comes_first_and_the_key_from_the_environment(tmp_path: Path) -> None:
    first, second = read_profiles(written(tmp_path, GOOD), ENVIRONMENT).keyed
    assert (first.profile.name, first.key, first.profile.stream, first.profile.temperature) == (
        "b",
        "sk-geheim-1",
        True,
        0.5,
    )
    assert (second.profile.name, second.key, second.profile.stream, second.profile.temperature) == ("a", None, False, 0)


def test_a_key_can_come_from_a_file_beside_the_models_file(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("sk-aus-datei\n", encoding="utf-8")
    path = written(tmp_path, GOOD.replace("key_env: MODEL_KEY", "key_file: key"))
    assert read_profiles(path, {}).keyed[0].key == "sk-aus-datei"


def test_no_key_is_in_a_listing(tmp_path: Path) -> None:
    assert "geheim" not in repr(read_profiles(written(tmp_path, GOOD), ENVIRONMENT))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("stream: true", "steam: true", ':10: profiles[1].steam: unknown key; did you mean "stream"?'),
        ("default: b", "default: c", "default names no profile: c; there are a, b"),
        ("name: b", "name: a", "the profile a stands more than once"),
        ("https://", "ftp://", "profiles[1].base_url: must be an address such as https://host/v1"),
        ("https://", "https://me:pw@", "must hold no user or password; a key comes by key_env or key_file"),
        ("example/v1", "example/v1?k=1", "must end with its path, without ? and #"),
        ("https://models", "http://models", "would send its key unencrypted to another machine"),
        ("key_env: MODEL_KEY", "key_env: MODEL KEY", "must be the name of an environment variable"),
        ("temperature: 0.5", "temperature: 3", "profiles[1].temperature: must be at most 2"),
        ("temperature: 0.5", "timeout_seconds: 90", "has total_seconds 60.0 below timeout_seconds 90.0"),
        ("model: large", "model: ''", "must not be empty"),
        ("temperature: 0.5", "key_file: x", "has both key_env and key_file"),
        ("temperature: 0.5", "api_key: sk-x", "profiles[1].api_key: unknown key"),
        ("temperature: 0.5", "max_tokens_field: tokens", "must be max_tokens or max_completion_tokens"),
    ],
)
def test_a_bad_file_is_refused_with_its_place(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = written(tmp_path, GOOD.replace(old, new))
    with pytest.raises(ModelsError) as caught:
        read_profiles(path, ENVIRONMENT)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({}, "profile b: key_env: the environment has no variable MODEL_KEY, or an empty one"),
        ({"MODEL_KEY": "two words"}, "profile b: the key is none"),
        ({"MODEL_KEY": "schlüssel"}, "profile b: the key is none"),
    ],
)
def test_a_missing_or_broken_key_is_told_without_the_key(
    tmp_path: Path, environment: dict[str, str], message: str
) -> None:
    with pytest.raises(ModelsError) as caught:
        read_profiles(written(tmp_path, GOOD), environment)
    assert message in str(caught.value)
    assert not any(value and value in str(caught.value) for value in environment.values())


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ModelsError, match="cannot be read"):
        read_profiles(tmp_path / "none.yaml", {})
    with pytest.raises(ModelsError, match=r"key_file: .* cannot be read"):
        read_profiles(written(tmp_path, GOOD.replace("key_env: MODEL_KEY", "key_file: none")), {})


def test_a_server_without_the_library_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    check_library()
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(ModelsError, match=r"pip install 'evidencegate\[llm\]'"):
        check_library()
