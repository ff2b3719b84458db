"""Reads the files of a catalog's folder, and says which of them are none of its."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from evidencegate_server.catalog.locate import CATALOG_FILE
from evidencegate_server.catalog.problems import CatalogError, CatalogNotFoundError, Problem
from evidencegate_server.catalog.strict_yaml import MAX_FILE_BYTES, Lines, YamlError, decode, read_yaml

LEXICON: Final = "lexicon"
PROMPTS: Final = "prompts"
COMPOSER_FILE: Final = "composer.yaml"
MASKING_FILE: Final = "masking.yaml"
TOP_FILES: Final = (CATALOG_FILE, COMPOSER_FILE, MASKING_FILE)
_CASES_SUFFIX: Final = ".cases.yaml"
_MAX_FILES: Final = 1_000  # a folder with more is not a catalog, or not only one


class YamlFile:
    """One file, read as plain data."""

    def __init__(self, name: str, text: str, data: dict[str, Any]) -> None:
        self.name = name
        self.data = data
        self._text = text
        self._lines: Lines | None = None

    def lines(self) -> Lines:
        """Returns where its keys stand. Reads the text again: only a file with a problem is asked."""
        if self._lines is None:
            self._lines = Lines()
            read_yaml(self._text, self.name, lines=self._lines)
        return self._lines

    def problem(self, key: str, message: str) -> Problem:
        """Returns a problem with one of the file's top keys."""
        return Problem(self.name, self.lines().of((key,)), key, message)


class CatalogFolder:
    """A folder whose problems are collected, not raised, so that one look shows all of them.

    Files are called by their path in the folder, with `/`.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.problems: list[Problem] = []
        self.names = self._names()

    def group(self, name: str, suffix: str) -> dict[str, str]:
        """Returns the files of one group by their name without ending, in alphabetical order."""
        start = f"{name}/"
        return {path[len(start) :].removesuffix(suffix): path for path in self.names if path.startswith(start)}

    def text(self, name: str) -> str | None:
        """Returns the text of a file, None where it cannot be read."""
        try:
            with (self._folder / name).open("rb") as stream:
                return decode(stream.read(MAX_FILE_BYTES + 1), name)
        except YamlError as error:
            self.problems += error.problems
        except OSError as error:
            message = f"the file cannot be read ({error.strerror or type(error).__name__})"
            self.problems.append(Problem(name, 0, "", message))
        return None

    def yaml(self, name: str) -> YamlFile | None:
        """Returns the data of a file, None where it is no plain data."""
        text = self.text(name)
        if text is None:
            return None
        try:
            return YamlFile(name, text, read_yaml(text, name))
        except YamlError as error:
            self.problems += error.problems
            return None

    def _names(self) -> tuple[str, ...]:
        """Returns the paths of all files that count, relative to the folder, in alphabetical order."""
        try:
            top = sorted(self._folder.iterdir())
            paths = [path for path in top if path.is_file()]
            for group in top:
                if group.is_dir() and not group.name.startswith("."):
                    paths += self._files_of(group)
        except OSError as error:
            message = f"the folder cannot be read ({error.strerror or type(error).__name__})"
            raise CatalogNotFoundError([Problem(str(self._folder), 0, "", message)]) from error
        names = [path.relative_to(self._folder).as_posix() for path in paths if not path.name.startswith(".")]
        if len(names) > _MAX_FILES:
            message = f"the folder has {len(names)} files, more than {_MAX_FILES}"
            raise CatalogError([Problem(str(self._folder), 0, "", message)])
        return tuple(name for name in names if self._counts(name))

    def _files_of(self, group: Path) -> list[Path]:
        paths = []
        for path in sorted(group.iterdir()):
            if path.is_file():
                paths.append(path)
            elif path.is_dir() and not path.name.startswith((".", "__")):
                name = path.relative_to(self._folder).as_posix()
                self.problems.append(Problem(name, 0, "", "folders inside a group are not read; move its files up"))
        return paths

    def _counts(self, name: str) -> bool:
        """Returns whether a file is part of the catalog; one that looks like it and is not read is a problem."""
        if name.endswith(".yml"):
            self.problems.append(Problem(name, 0, "", "the name must end in .yaml"))
            return False
        if "/" not in name:
            if name.endswith(".yaml") and name not in TOP_FILES:
                message = f"only {', '.join(TOP_FILES)} stand here; a rule stands in <group>/<name>.yaml"
                self.problems.append(Problem(name, 0, "", message))
            return name in TOP_FILES
        if name.startswith(f"{PROMPTS}/"):
            return name.endswith(".md")
        return name.endswith(".yaml") and not name.endswith(_CASES_SUFFIX)
