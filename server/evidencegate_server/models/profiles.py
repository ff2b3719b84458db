"""Reads which models a server may ask.

A request names a profile; where it leads to and with which key stands in the server's configuration alone.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator, model_validator

from evidencegate_server.catalog.problems import Problem
from evidencegate_server.catalog.strict_yaml import MAX_FILE_BYTES, Lines, YamlError, decode, read_yaml
from evidencegate_server.catalog.validate import fit, written_as

_MAX_KEY_CHARS: Final = 4_096  # a longer key is a file that is none

ProfileName = Annotated[
    str,
    AfterValidator(written_as(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}", "be letters, digits and _.- and begin with no sign")),
]
Variable = Annotated[
    str, AfterValidator(written_as(r"[A-Za-z_][A-Za-z0-9_]{0,127}", "be the name of an environment variable"))
]


class ModelsError(Exception):
    """Occurs where the models file cannot be used; the text has one problem a line and no key."""


class ModelProfile(BaseModel):
    """One model and how it is asked.

    `timeout_seconds` bounds one request, `total_seconds` both requests and the wait between them. A prompt of more than
    `max_prompt_bytes` (UTF-8) is not sent. `key_env` names a variable of the server's environment, `key_file` a file;
    with neither, no key is sent. The prices are for a million tokens, in any one currency: `judge-pairs` multiplies
    them, nothing else reads them.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    name: ProfileName
    base_url: str = Field(max_length=2_000)
    model: str = Field(min_length=1, max_length=200)
    key_env: Variable | None = None
    key_file: str | None = Field(default=None, min_length=1, max_length=4_096)
    timeout_seconds: float = Field(default=30.0, gt=0, le=600)
    total_seconds: float = Field(default=60.0, gt=0, le=1_200)
    retry_wait_seconds: float = Field(default=0.5, ge=0, le=60)
    max_prompt_bytes: int = Field(default=98_304, ge=4_096, le=4_194_304)
    max_output_tokens: int = Field(default=4_096, ge=16, le=131_072)
    max_tokens_field: Annotated[
        str, AfterValidator(written_as(r"max_tokens|max_completion_tokens", "be max_tokens or max_completion_tokens"))
    ] = "max_tokens"
    temperature: float = Field(default=0.0, ge=0, le=2)
    stream: bool = False
    prompt_price: float | None = Field(default=None, ge=0, le=1e9, allow_inf_nan=False)
    completion_price: float | None = Field(default=None, ge=0, le=1e9, allow_inf_nan=False)

    @field_validator("base_url")
    @classmethod
    def _plain_address(cls, url: str) -> str:
        try:
            parts = urlsplit(url)
            host, _ = parts.hostname, parts.port
        except ValueError as error:
            raise ValueError(f"is no address ({error})") from None
        if parts.scheme not in ("http", "https") or not host:
            raise ValueError("must be an address such as https://host/v1")
        if parts.username is not None or parts.password is not None:
            raise ValueError("must hold no user or password; a key comes by key_env or key_file")
        if parts.query or parts.fragment:
            raise ValueError("must end with its path, without ? and #")
        return url

    @model_validator(mode="after")
    def _safe_key(self) -> ModelProfile:
        if self.key_env is not None and self.key_file is not None:
            raise ValueError("has both key_env and key_file; one of them is enough")
        parts = urlsplit(self.base_url)
        has_key = self.key_env is not None or self.key_file is not None
        if has_key and parts.scheme == "http" and not _is_loopback(parts.hostname or ""):
            raise ValueError("would send its key unencrypted to another machine: use https, or leave out the key")
        if self.total_seconds < self.timeout_seconds:
            raise ValueError(f"has total_seconds {self.total_seconds} below timeout_seconds {self.timeout_seconds}")
        if (self.prompt_price is None) != (self.completion_price is None):
            raise ValueError("has one of prompt_price and completion_price; a cost needs both")
        return self


class ModelsFile(BaseModel):
    """The models file: at least one profile, and the name of the one that is meant where a request names none."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    default: ProfileName
    profiles: tuple[ModelProfile, ...] = Field(min_length=1, max_length=50)

    @model_validator(mode="after")
    def _one_of_each(self) -> ModelsFile:
        names = [profile.name for profile in self.profiles]
        repeated = sorted({name for name in names if names.count(name) > 1})
        if repeated:
            raise ValueError(f"the profile {', '.join(repeated)} stands more than once")
        if self.default not in names:
            raise ValueError(f"default names no profile: {self.default}; there are {', '.join(names)}")
        return self


@dataclass(frozen=True, slots=True)
class KeyedProfile:
    """A profile with its key, None where none is sent. The key is in no listing of it."""

    profile: ModelProfile
    key: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class Profiles:
    """All profiles, the default first."""

    keyed: tuple[KeyedProfile, ...]


def read_profiles(path: Path, environment: Mapping[str, str]) -> Profiles:
    """Returns the profiles of a models file with their keys; raises ModelsError with everything that is wrong."""
    name = str(path)
    try:
        with path.open("rb") as stream:
            text = decode(stream.read(MAX_FILE_BYTES + 1), name)
    except YamlError as error:
        raise ModelsError(_listed(error.problems)) from error
    except OSError as error:
        raise ModelsError(f"{name}: the models file cannot be read ({error.strerror})") from error
    return parse_profiles(text, path, environment)


def parse_profiles(text: str, path: Path, environment: Mapping[str, str]) -> Profiles:
    """Returns the profiles of a models file's text; `path` is named in messages, and key files lie beside it."""
    file = _parse(text, str(path))
    keyed = [KeyedProfile(profile, _key(profile, path, environment)) for profile in file.profiles]
    keyed.sort(key=lambda one: one.profile.name != file.default)
    return Profiles(tuple(keyed))


def _parse(text: str, name: str) -> ModelsFile:
    try:
        data = read_yaml(text, name)
    except YamlError as error:
        raise ModelsError(_listed(error.problems)) from error

    def lines() -> Lines:
        found = Lines()
        read_yaml(text, name, lines=found)
        return found

    fitted = fit(ModelsFile, data, name, lines)
    if isinstance(fitted, list):
        raise ModelsError(_listed(fitted))
    return fitted


def _listed(problems: list[Problem]) -> str:
    return "\n".join(str(problem) for problem in problems)


def _key(profile: ModelProfile, path: Path, environment: Mapping[str, str]) -> str | None:
    where = f"{path}: profile {profile.name}"
    if profile.key_env is not None:
        key = environment.get(profile.key_env, "").strip()
        if not key:
            raise ModelsError(f"{where}: key_env: the environment has no variable {profile.key_env}, or an empty one")
    elif profile.key_file is not None:
        # Beside the models file, so that both can be moved together.
        file = path.parent / profile.key_file
        try:
            with file.open(encoding="utf-8") as stream:
                key = stream.read(_MAX_KEY_CHARS + 1).strip()
        except (OSError, UnicodeDecodeError) as error:
            raise ModelsError(f"{where}: key_file: {file} cannot be read ({type(error).__name__})") from error
        if not key:
            raise ModelsError(f"{where}: key_file: {file} is empty")
    else:
        return None
    if len(key) > _MAX_KEY_CHARS or not key.isascii() or not key.isprintable() or " " in key:
        raise ModelsError(f"{where}: the key is none: one line of visible ASCII characters is wanted")
    return key


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
