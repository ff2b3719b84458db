"""Holds what credentials look like, as the catalog sets it: forms, no regular expressions, so that no entry is slow."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

_STRICT = ConfigDict(frozen=True, extra="forbid", strict=True)

# A shorter beginning would be looked for in, and found in, too many words.
Prefix = Annotated[str, Field(min_length=3, max_length=40, pattern=r"^[A-Za-z0-9_.\-]+$")]
Name = Annotated[str, Field(min_length=2, max_length=60, pattern=r"^[a-z][a-z0-9_]*$")]
KeyName = Annotated[str, Field(min_length=2, max_length=60, pattern=r"^[a-z0-9_\u4e00-\u9fff]+$")]
PlainWord = Annotated[str, Field(min_length=1, max_length=60, pattern=r"^[a-z0-9_\-]+$")]
BlockLabel = Annotated[str, Field(min_length=3, max_length=60, pattern=r"^[A-Z0-9 ]+$")]


class TokenForm(BaseModel):
    """A credential with a beginning of its own and at least so many characters of an alphabet in each part."""

    model_config = _STRICT

    name: Name
    prefixes: tuple[Prefix, ...] = Field(min_length=1, max_length=20)
    alphabet: Literal["upper", "alnum", "word"]
    least_chars: int = Field(ge=4, le=200)
    parts: int = Field(default=1, ge=1, le=5)


class SchemeForm(BaseModel):
    """Words after which a credential stands, as in an Authorization header."""

    model_config = _STRICT

    words: tuple[PlainWord, ...] = Field(min_length=1, max_length=20)
    least_chars: int = Field(ge=4, le=200)


class KeyForm(BaseModel):
    """Names whose value is a credential, from so many characters on; a value of `plain` is none."""

    model_config = _STRICT

    names: tuple[KeyName, ...] = Field(min_length=1, max_length=200)
    least_chars: int = Field(ge=1, le=20)
    plain: tuple[PlainWord, ...] = Field(max_length=200)


class MaskingPolicy(BaseModel):
    """`masking.yaml`. `sign` overwrites each character of a credential, so that places in a text stay what they are."""

    model_config = _STRICT

    version: str = Field(min_length=1, max_length=64)
    sign: str = Field(min_length=1, max_length=1)
    tokens: tuple[TokenForm, ...] = Field(min_length=1, max_length=200)
    schemes: SchemeForm
    keys: KeyForm
    blocks: tuple[BlockLabel, ...] = Field(min_length=1, max_length=50)

    @field_validator("sign")
    @classmethod
    def _harmless_sign(cls, sign: str) -> str:
        # It stands inside JSON strings, and must be no letter or digit of a value.
        if sign not in "*#x\u2022":
            raise ValueError(f'must be one of * # x \u2022, not "{sign}"')
        return sign

    @model_validator(mode="after")
    def _each_name_once(self) -> MaskingPolicy:
        names = [form.name for form in self.tokens]
        repeated = sorted({name for name in names if names.count(name) > 1})
        if repeated:
            raise ValueError(f"tokens names {', '.join(repeated)} more than once")
        return self
