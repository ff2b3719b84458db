"""Holds the bounds and switches of parsing, as the catalog sets them."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class ParsingPolicy(BaseModel):
    """The bounds of what is read at all. Sizes are UTF-8 bytes."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    max_output_bytes: int = Field(default=1_048_576, ge=1_024, le=1_048_576)
    max_depth: int = Field(default=32, ge=4, le=32)
    max_number_digits: int = Field(default=40, ge=20, le=40)
    allow_text_outside_json: bool = False
