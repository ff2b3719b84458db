"""Writes the reference of the contract from the protos' comments, or checks that it is current (--check).

One page for each proto file, `docs/reference/verifier.md`, and a first page with every method and name.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from google.protobuf import descriptor_pb2 as pb
from grpc_tools import protoc

ROOT = Path(__file__).resolve().parent.parent
PROTOS = ROOT / "protos"
FOLDER = ROOT / "docs" / "reference"
WELL_KNOWN = Path(protoc.__file__).parent / "_proto"

HEADER: Final = (
    "<!-- Written by tools/generate_reference.py from the comments in protos; change those and run make proto. -->"
)

_SCALARS: Final = {
    value.number: value.name.removeprefix("TYPE_").lower()
    for value in pb.FieldDescriptorProto.DESCRIPTOR.enum_types_by_name["Type"].values
}
_NAMED: Final = (pb.FieldDescriptorProto.TYPE_MESSAGE, pb.FieldDescriptorProto.TYPE_ENUM)
_REPEATED: Final = pb.FieldDescriptorProto.LABEL_REPEATED

# The numbers of the descriptors' own fields, of which the paths of the source's comments are made.
_FILE: Final = pb.FileDescriptorProto
_IN_FILE_MESSAGE: Final = _FILE.MESSAGE_TYPE_FIELD_NUMBER
_IN_FILE_ENUM: Final = _FILE.ENUM_TYPE_FIELD_NUMBER
_IN_FILE_SERVICE: Final = _FILE.SERVICE_FIELD_NUMBER
_IN_SERVICE_METHOD: Final = pb.ServiceDescriptorProto.METHOD_FIELD_NUMBER
_IN_MESSAGE_FIELD: Final = pb.DescriptorProto.FIELD_FIELD_NUMBER
_IN_MESSAGE_ONEOF: Final = pb.DescriptorProto.ONEOF_DECL_FIELD_NUMBER
_IN_ENUM_VALUE: Final = pb.EnumDescriptorProto.VALUE_FIELD_NUMBER


@dataclass(frozen=True)
class Source:
    """A proto file with its comments by path, and where each name of the contract is described."""

    file: pb.FileDescriptorProto
    comments: dict[tuple[int, ...], str]
    pages: dict[str, str]

    @property
    def page(self) -> str:
        """The name of the file's page."""
        return page_of(self.file.name)

    def comment(self, *path: int) -> str:
        """The comment of an element as one paragraph, or several where the source has blank lines."""
        paragraphs = self.comments.get(path, "").strip().split("\n\n")
        return "\n\n".join(" ".join(line.strip() for line in paragraph.splitlines()) for paragraph in paragraphs)

    def link(self, full_name: str) -> str:
        """A name of the contract as a link to its place; a well-known type by its full name."""
        name = full_name.lstrip(".")
        page = self.pages.get(name)
        if page is None:
            return f"`{name}`"
        short = name.rpartition(".")[2]
        return f"[{short}]({'' if page == self.page else page}#{short.lower()})"


def page_of(file_name: str) -> str:
    """Returns `verifier.md` for `evidencegate/v1/verifier.proto`."""
    return f"{Path(file_name).stem}.md"


def read_protos() -> list[Source]:
    """Returns every proto file of the contract by name, with its comments."""
    names = sorted(str(path.relative_to(PROTOS)) for path in PROTOS.rglob("*.proto"))
    with tempfile.TemporaryDirectory() as directory:
        target = Path(directory) / "set.binpb"
        arguments = [
            "protoc",
            f"-I{PROTOS}",
            f"-I{WELL_KNOWN}",
            "--include_source_info",
            f"--descriptor_set_out={target}",
        ]
        if protoc.main([*arguments, *names]) != 0:
            sys.exit("protoc failed; its message stands above")
        files = pb.FileDescriptorSet.FromString(target.read_bytes()).file
    pages = {
        f"{file.package}.{element.name}": page_of(file.name)
        for file in files
        for element in (*file.service, *file.message_type, *file.enum_type)
    }
    return [
        Source(file, {tuple(one.path): one.leading_comments for one in file.source_code_info.location}, pages)
        for file in sorted(files, key=lambda one: one.name)
    ]


def pages() -> dict[str, str]:
    """Returns the whole reference, page by page name."""
    sources = read_protos()
    written = {source.page: _text(_page(source)) for source in sources}
    written["README.md"] = _text(_first_page(sources))
    return written


def _text(lines: Iterable[str]) -> str:
    return "\n".join(lines).rstrip() + "\n"


def _cell(text: str) -> str:
    """Puts a comment into a table's cell."""
    return text.replace("\n\n", " ").replace("|", "\\|")


def _first_page(sources: list[Source]) -> Iterator[str]:
    yield from (
        HEADER,
        "",
        "# Reference",
        "",
        "Every method, message and enum of `evidencegate.v1`, from the comments of the protos.",
    )
    yield from (
        "[The contract in short](../contract.md) says how they go together and what may change.",
        "",
        "## Methods",
        "",
    )
    yield from ("| method | what it does |", "|---|---|")
    for source in sources:
        for index, service in enumerate(source.file.service):
            for at, method in enumerate(service.method):
                comment = source.comment(_IN_FILE_SERVICE, index, _IN_SERVICE_METHOD, at)
                link = f"[{service.name}.{method.name}]({source.page}#{service.name.lower()}{method.name.lower()})"
                yield f"| {link} | {_cell(_first_sentence(comment))} |"
    yield from ("", "## Files", "", "| file | it holds |", "|---|---|")
    for source in sources:
        elements = (*source.file.service, *source.file.message_type, *source.file.enum_type)
        links = (f"[{one.name}]({source.page}#{one.name.lower()})" for one in elements)
        yield f"| [{Path(source.file.name).name}]({source.page}) | {', '.join(links)} |"


def _first_sentence(comment: str) -> str:
    end = comment.find(". ")
    return comment if end < 0 else comment[: end + 1]


def _page(source: Source) -> Iterator[str]:
    file = source.file
    yield from (HEADER, "", f"# {Path(file.name).name}", "", f"Package `{file.package}`. [All files](README.md)", "")
    for index, service in enumerate(file.service):
        yield from _service(source, index, service)
    for index, message in enumerate(file.message_type):
        yield from _message(source, index, message)
    for index, enum in enumerate(file.enum_type):
        yield from _enum(source, index, enum)


def _service(source: Source, index: int, service: pb.ServiceDescriptorProto) -> Iterator[str]:
    yield from (f"## {service.name}", "", "Service. " + source.comment(_IN_FILE_SERVICE, index), "")
    for at, method in enumerate(service.method):
        yield from (f"### {service.name}.{method.name}", "")
        yield from (f"{source.link(method.input_type)} → {source.link(method.output_type)}", "")
        yield from (source.comment(_IN_FILE_SERVICE, index, _IN_SERVICE_METHOD, at) + _deprecated(method), "")


def _message(source: Source, index: int, message: pb.DescriptorProto) -> Iterator[str]:
    if message.nested_type or message.enum_type:
        sys.exit(
            f"{message.name} has a type inside of it, which the reference does not show: put it beside the message"
        )
    yield from (f"## {message.name}", "", source.comment(_IN_FILE_MESSAGE, index) + _deprecated(message), "")
    for at, oneof in enumerate(message.oneof_decl):
        if not oneof.name.startswith("_"):
            comment = source.comment(_IN_FILE_MESSAGE, index, _IN_MESSAGE_ONEOF, at)
            yield from (f"At most one of the fields marked `{oneof.name}` is set. {comment}", "")
    if not message.field:
        yield from ("It has no fields.", "")
        return
    yield from ("| field | number | type | meaning |", "|---|---|---|---|")
    for at, field in enumerate(message.field):
        comment = _cell(source.comment(_IN_FILE_MESSAGE, index, _IN_MESSAGE_FIELD, at)) + _deprecated(field)
        yield f"| `{field.name}` | {field.number} | {_type(source, message, field)} | {comment} |"
    yield ""


def _type(source: Source, message: pb.DescriptorProto, field: pb.FieldDescriptorProto) -> str:
    name = source.link(field.type_name) if field.type in _NAMED else _SCALARS[field.type]
    if field.label == _REPEATED:
        return f"list of {name}"
    if field.proto3_optional:
        return f"optional {name}"
    if field.HasField("oneof_index"):
        return f"{name}, `{message.oneof_decl[field.oneof_index].name}`"
    return name


def _enum(source: Source, index: int, enum: pb.EnumDescriptorProto) -> Iterator[str]:
    yield from (f"## {enum.name}", "", "Enum. " + source.comment(_IN_FILE_ENUM, index) + _deprecated(enum), "")
    yield from ("| value | number | meaning |", "|---|---|---|")
    for at, value in enumerate(enum.value):
        comment = _cell(source.comment(_IN_FILE_ENUM, index, _IN_ENUM_VALUE, at)) + _deprecated(value)
        yield f"| `{value.name}` | {value.number} | {comment} |"
    yield ""


def _deprecated(element: Any) -> str:
    return " **Deprecated.**" if element.options.deprecated else ""


def stale(fresh: dict[str, str]) -> list[str]:
    """Names the pages that differ, are missing or have no proto any more."""
    committed = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.md")}
    return sorted(name for name in fresh.keys() | committed.keys() if fresh.get(name) != committed.get(name))


def main() -> None:
    """Writes the pages, or compares them with those on disk."""
    fresh = pages()
    names = stale(fresh)
    if "--check" in sys.argv:
        if names:
            sys.exit(
                "not current, run `make proto` and commit: " + ", ".join(f"docs/reference/{name}" for name in names)
            )
        return
    FOLDER.mkdir(exist_ok=True)
    for name in names:
        if name in fresh:
            (FOLDER / name).write_text(fresh[name], encoding="utf-8")
        else:
            (FOLDER / name).unlink()


if __name__ == "__main__":
    main()
