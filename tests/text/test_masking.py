"""Credentials are overwritten, what is none stays, and places in the text stay what they are."""

from __future__ import annotations

import json
import re

import pytest
from evidencegate_server.catalog.load import load_catalog
from evidencegate_server.catalog.locate import find_rules
from evidencegate_server.text.masking import Masker
from hypothesis import given
from hypothesis import strategies as st

MASKER = Masker(load_catalog(find_rules()).masking)

# The credential stands between [[ and ]].
SECRETS = {
    "a value behind = with more of a name in front": "export DB_PASSWORD=[[hunter22]] next",
    "a value in JSON": '{"user": "bob", "password": "[[correct horse]]", "port": 1}',
    "a value in JSON inside of JSON": r'"{\"api_key\": \"[[xyz12345]]\"}"',
    "an escaped quote inside of a value": r'{"password": "[[ab\"cd]]"}',
    "a name in camel case": "clientSecret: [[s3cr3t!]]",
    "a name in a header": "X-Api-Key: [[0123abcd]]",
    "a Chinese name": "\u5bc6\u7801\uff1a[[abcd1234]]",
    "a bearer token": "Authorization: Bearer [[abcDEF123456]]",
    "basic credentials": "authorization: basic [[dXNlcjpwYXNz]]",
    "a password in an address": "postgresql+psycopg://svc:[[p@ss]]@db.prod:5432/app",
    "a cloud key": "key id [[AKIAABCDEFGHIJKLMNOP]] is used",
    "a GitHub token": "remote: [[ghp_abcdefghijklmnopqrstuvwxyz0123456789]]",
    "a model's API key": "OPENAI uses [[sk-proj-abcdefghijklmnop0123456789]]",
    "a JSON web token": "cookie [[eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_9]];",
    "a private key": "-----BEGIN RSA PRIVATE KEY-----[[\nMIIabc/+=\n]]-----END RSA PRIVATE KEY-----",
    "a private key that was cut off": "-----BEGIN PRIVATE KEY-----[[\\nMIIabc]]",
    "a name in capitals after letters that change their length": "\u0130\u0130 PASSWORD=[[Hunter22]]",
}
PLAIN = [
    "the password is wrong",
    "password: expired",
    "FATAL: password authentication failed for user svc",
    "basic authentication required",
    "tokens: 5120, max_token_count=17",
    "https://example.org/a:b and http://user@host/path",
    "password=$(cat /run/secret) token=<redacted>",
    '{"password": null, "secret": "********"}',
    "sha256 " + "0123456789abcdef" * 4,
    "pod payment-api-7d9c5b6f4-x2x9k in ns prod, trace 4bf92f3577b34da6a3ce929d0e0e4736",
    "-----BEGIN CERTIFICATE-----\nMIIabc\n-----END CERTIFICATE-----",
]


@pytest.mark.req("SE-02")
@pytest.mark.parametrize("marked", SECRETS.values(), ids=list(SECRETS))
def test_a_credential_is_overwritten_and_nothing_else(marked: str) -> None:
    text = marked.replace("[[", "").replace("]]", "")
    expected = re.sub(r"\[\[(.*?)\]\]", lambda found: "*" * len(found[1]), marked, flags=re.DOTALL)

    masked = MASKER.mask(text)

    assert masked.text == expected
    assert masked.count == 1


@pytest.mark.parametrize("text", PLAIN)
def test_what_is_no_credential_stays(text: str) -> None:
    assert MASKER.mask(text).text == text


def test_each_credential_is_counted_once_where_two_forms_find_it() -> None:
    masked = MASKER.mask("token=ghp_abcdefghijklmnopqrstuvwxyz0123456789 and password=hunter22")
    assert masked.count == 2


def test_json_stays_json_with_the_same_keys() -> None:
    text = json.dumps({"api_key": 'a"\\b\n' * 3, "nested": [{"password": "p\u00e4ss word"}], "n": 1})
    assert json.loads(MASKER.mask(text).text) == {"api_key": "*" * 24, "nested": [{"password": "*" * 14}], "n": 1}


PIECES = st.sampled_from(
    [
        "password",
        "token",
        "=",
        ":",
        '"',
        "\\",
        " ",
        "bearer ",
        "eyJ",
        ".",
        "sk-",
        "://",
        "@",
        "-----BEGIN PRIVATE KEY-----",
    ]
)


@given(st.lists(PIECES | st.text(max_size=12), max_size=12).map("".join))
def test_masking_keeps_every_place_and_is_done_after_once(text: str) -> None:
    masked = MASKER.mask(text)
    assert len(masked.text) == len(text)
    assert all(new in (old, "*") for old, new in zip(text, masked.text, strict=True))
    assert MASKER.mask(masked.text).count == 0


def test_a_value_under_a_secret_name_is_masked_as_a_whole() -> None:
    assert MASKER.is_secret_name("db.password")
    assert MASKER.is_secret_name("X-Api-Key")
    assert not MASKER.is_secret_name("password_age_days")
    assert MASKER.mask_whole("a b").text == "***"
    assert MASKER.mask_whole("required").count == 0


CRAFTED = [
    "eyJ",
    "eyJabcdefgh.",
    'password="',
    "password=",
    '"password":"\\',
    "://a:",
    "bearer ",
    "sk-",
    "-----BEGIN PRIVATE KEY-----",
]


@pytest.mark.parametrize("piece", CRAFTED)
@pytest.mark.timeout(30)
def test_a_crafted_text_of_two_megabytes_is_done_within_the_timeout(piece: str) -> None:
    """Anything worse than linear would take minutes or hours here."""
    text = piece * (2_000_000 // len(piece))
    assert len(MASKER.mask(text).text) == len(text)
