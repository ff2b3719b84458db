"""Loads a catalog whole, or says everything that is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final, Protocol, TypeVar

from pydantic import BaseModel

from evidencegate_server.catalog.digest import catalog_digest
from evidencegate_server.catalog.excerpt_policy import build_excerpt_policy
from evidencegate_server.catalog.files import CatalogFile, RuleFile
from evidencegate_server.catalog.locate import CATALOG_FILE
from evidencegate_server.catalog.model import Catalog
from evidencegate_server.catalog.problems import (
    CatalogError,
    CatalogNotFoundError,
    Problem,
    did_you_mean,
    key_path,
    show,
)
from evidencegate_server.catalog.prompts import Prompt, PromptCatalog, PromptFile, PromptRole, read_prompt
from evidencegate_server.catalog.strict_yaml import MAX_FILE_BYTES, Lines, YamlError, decode, read_yaml
from evidencegate_server.catalog.validate import fit
from evidencegate_server.lexicon.model import Lexicon
from evidencegate_server.rules.model import RuleEntry, RuleParameters, RuleSet
from evidencegate_server.rules.registry import RULES

_LEXICON: Final = "lexicon"
_PROMPTS: Final = "prompts"
_CASES_SUFFIX: Final = ".cases.yaml"
_MAX_FILES: Final = 1_000  # a folder with more is not a catalog, or not only one

ModelT = TypeVar("ModelT", bound=BaseModel)


class RegisteredRule(Protocol):
    """What the loader needs to know of a rule class."""

    id: ClassVar[str]
    Parameters: ClassVar[type[RuleParameters]]


def load_catalog(folder: Path, rules: Sequence[type[RegisteredRule]] = RULES) -> Catalog:
    """Returns the catalog of a folder; raises CatalogError with every problem of every file.

    `rules` are the rule classes that must each have a file, and whose files alone may be there.
    """
    return _Loader(folder, {rule.id: rule for rule in rules}).load()


class _File:
    """One file, read as plain data."""

    def __init__(self, name: str, text: str, data: dict[str, Any]) -> None:
        self.name = name
        self.data = data
        self._text = text

    def lines(self) -> Lines:
        """Returns where its keys stand. Reads the text again: only a file with a problem is asked."""
        lines = Lines()
        read_yaml(self._text, self.name, lines=lines)
        return lines

    def problem(self, key: str, message: str) -> Problem:
        """Returns a problem with one of the file's top keys."""
        return Problem(self.name, self.lines().of((key,)), key, message)


class _Loader:
    """Collects what the files hold, and every problem on the way."""

    def __init__(self, folder: Path, rules: Mapping[str, type[RegisteredRule]]) -> None:
        self.folder = folder
        self.rules = rules
        self.problems: list[Problem] = []
        self.content: dict[str, Any] = {"rules": {}, "lexicon": {}, "prompts": {}}

    def load(self) -> Catalog:
        names = self._names()
        settings = self._settings(names)
        entries = self._entries(names)
        lexicon = self._lexicon(names)
        prompts = self._prompts(names)
        if self.problems or settings is None or lexicon is None:
            raise CatalogError(self.problems)
        try:
            excerpts = build_excerpt_policy(lexicon, {entry.id: entry.parameters for entry in entries})
        except ValueError as error:
            raise CatalogError(
                [Problem(CATALOG_FILE, 0, "", f"the excerpt rules do not fit together: {error}")]
            ) from error
        digest = catalog_digest(self.content)
        return Catalog(
            rule_set=RuleSet(settings.rule_set_version, digest, entries),
            parsing=settings.parsing,
            excerpts=excerpts,
            verdict=settings.verdict,
            tools=settings.tools,
            trace=settings.trace,
            limits=settings.limits,
            contracts=settings.contracts,
            claim_types=settings.claim_types,
            lexicon=lexicon,
            prompts=PromptCatalog(settings.prompts.version, prompts),
            digest=digest,
        )

    def _names(self) -> list[str]:
        """Returns the paths of all files that count, relative to the folder, in alphabetical order."""
        try:
            top = sorted(self.folder.iterdir())
            paths = [path for path in top if path.is_file()]
            for group in top:
                if group.is_dir() and not group.name.startswith("."):
                    paths += self._group(group)
        except OSError as error:
            message = f"the folder cannot be read ({error.strerror or type(error).__name__})"
            raise CatalogNotFoundError([Problem(str(self.folder), 0, "", message)]) from error
        names = [path.relative_to(self.folder).as_posix() for path in paths if not path.name.startswith(".")]
        if len(names) > _MAX_FILES:
            message = f"the folder has {len(names)} files, more than {_MAX_FILES}"
            raise CatalogError([Problem(str(self.folder), 0, "", message)])
        return [name for name in names if self._counts(name)]

    def _group(self, group: Path) -> list[Path]:
        paths = []
        for path in sorted(group.iterdir()):
            if path.is_file():
                paths.append(path)
            elif path.is_dir() and not path.name.startswith((".", "__")):
                name = path.relative_to(self.folder).as_posix()
                self.problems.append(Problem(name, 0, "", "folders inside a group are not read; move its files up"))
        return paths

    def _counts(self, name: str) -> bool:
        """Returns whether a file is part of the catalog; one that looks like it and is not read is a problem."""
        if name.endswith(".yml"):
            self.problems.append(Problem(name, 0, "", "the name must end in .yaml"))
            return False
        if "/" not in name:
            if name.endswith(".yaml") and name != CATALOG_FILE:
                message = f"only {CATALOG_FILE} stands here; a rule stands in <group>/<name>.yaml"
                self.problems.append(Problem(name, 0, "", message))
            return name == CATALOG_FILE
        if name.startswith(f"{_PROMPTS}/"):
            return name.endswith(".md")
        return name.endswith(".yaml") and not name.endswith(_CASES_SUFFIX)

    def _text(self, name: str) -> str | None:
        try:
            with (self.folder / name).open("rb") as stream:
                return decode(stream.read(MAX_FILE_BYTES + 1), name)
        except YamlError as error:
            self.problems += error.problems
        except OSError as error:
            message = f"the file cannot be read ({error.strerror or type(error).__name__})"
            self.problems.append(Problem(name, 0, "", message))
        return None

    def _yaml(self, name: str) -> _File | None:
        text = self._text(name)
        if text is None:
            return None
        try:
            return _File(name, text, read_yaml(text, name))
        except YamlError as error:
            self.problems += error.problems
            return None

    def _fit(self, model: type[ModelT], data: Any, file: _File, prefix: tuple[str, ...] = ()) -> ModelT | None:
        fitted = fit(model, data, file.name, file.lines, prefix)
        if isinstance(fitted, list):
            self.problems += fitted
            return None
        return fitted

    def _settings(self, names: Sequence[str]) -> CatalogFile | None:
        if CATALOG_FILE not in names:
            self.problems.append(Problem(CATALOG_FILE, 0, "", "the file is missing"))
            return None
        file = self._yaml(CATALOG_FILE)
        if file is None:
            return None
        self.content["catalog"] = file.data
        settings = self._fit(CatalogFile, file.data, file)
        if settings is not None:
            for at, name in enumerate(settings.verdict.critical_claim_types):
                if name not in settings.claim_types:
                    path = ("verdict", "critical_claim_types", at)
                    message = f"{show(name)} is none of claim_types{did_you_mean(name, settings.claim_types)}"
                    self.problems.append(Problem(file.name, file.lines().of(path), key_path(path), message))
        return settings

    def _entries(self, names: Sequence[str]) -> tuple[RuleEntry, ...]:
        """Returns the rules by ID."""
        entries: dict[str, RuleEntry] = {}
        seen: dict[str, str] = {}
        described: set[str] = set()
        for name in names:
            group, _, rest = name.partition("/")
            if not rest or group in (_LEXICON, _PROMPTS):
                continue
            named = f"{group}.{rest.removesuffix('.yaml')}"
            described.add(named)
            file = self._yaml(name)
            if file is None:
                continue
            entry = self._entry(file, named, seen)
            if entry is not None:
                entries[entry.id] = entry
        for rule_id in sorted(self.rules.keys() - described - seen.keys()):
            file_name = f"{rule_id.replace('.', '/', 1)}.yaml"
            self.problems.append(Problem(file_name, 0, "", f"the file is missing: the engine has a rule {rule_id}"))
        return tuple(entries[rule_id] for rule_id in sorted(entries))

    def _entry(self, file: _File, named: str, seen: dict[str, str]) -> RuleEntry | None:
        """Returns the rule of one file; `named` is the ID that the file's name stands for."""
        before = len(self.problems)
        read = self._fit(RuleFile, file.data, file)
        rule_id = file.data.get("id")
        rule = self.rules.get(rule_id) if isinstance(rule_id, str) else None
        if isinstance(rule_id, str):
            self._check_id(file, rule_id, named, seen)
        parameters = None
        written = file.data.get("parameters")
        if rule is not None and isinstance(written, dict):
            parameters = self._fit(rule.Parameters, written, file, ("parameters",))
        if read is not None:
            self._check_replacement(file, read)
        if read is None or parameters is None or len(self.problems) > before:
            return None
        self.content["rules"][read.id] = file.data
        return RuleEntry(
            id=read.id,
            version=read.version,
            description=read.description,
            why=read.why,
            fix=read.fix,
            severity=read.severity,
            enabled=read.enabled,
            status=read.status,
            parameters=parameters,
        )

    def _check_id(self, file: _File, rule_id: str, named: str, seen: dict[str, str]) -> None:
        if rule_id in seen:
            self.problems.append(file.problem("id", f"{show(rule_id)} is the ID of {seen[rule_id]} already"))
        elif rule_id not in self.rules:
            hint = did_you_mean(rule_id, self.rules)
            self.problems.append(file.problem("id", f"the engine has no rule {show(rule_id)}{hint}"))
        elif rule_id != named:
            self.problems.append(file.problem("id", f'must be "{named}", as the file is named, not {show(rule_id)}'))
        seen.setdefault(rule_id, file.name)

    def _check_replacement(self, file: _File, read: RuleFile) -> None:
        if read.status == "deprecated" and read.replaced_by is None:
            self.problems.append(file.problem("status", "a deprecated rule needs the key replaced_by"))
        elif read.status != "deprecated" and read.replaced_by is not None:
            self.problems.append(file.problem("replaced_by", f"is for deprecated rules; this one is {read.status}"))
        elif read.replaced_by is not None and (read.replaced_by not in self.rules or read.replaced_by == read.id):
            others = [rule_id for rule_id in self.rules if rule_id != read.id]
            hint = did_you_mean(read.replaced_by, others)
            self.problems.append(
                file.problem("replaced_by", f"the engine has no other rule {show(read.replaced_by)}{hint}")
            )

    def _lexicon(self, names: Sequence[str]) -> Lexicon | None:
        """Returns the word lists: one file for each field of the model."""
        found = {
            name[len(_LEXICON) + 1 :].removesuffix(".yaml"): name for name in names if name.startswith(f"{_LEXICON}/")
        }
        lists: dict[str, BaseModel] = {}
        for stem in sorted(found.keys() - Lexicon.model_fields.keys()):
            message = f'the engine has no word list "{stem}"{did_you_mean(stem, Lexicon.model_fields)}'
            self.problems.append(Problem(found[stem], 0, "", message))
        for stem, field in Lexicon.model_fields.items():
            model = field.annotation
            assert isinstance(model, type)
            assert issubclass(model, BaseModel)
            if stem not in found:
                self.problems.append(Problem(f"{_LEXICON}/{stem}.yaml", 0, "", "the file is missing"))
                continue
            file = self._yaml(found[stem])
            fitted = None if file is None else self._fit(model, file.data, file)
            if file is not None and fitted is not None:
                self.content["lexicon"][stem] = file.data
                lists[stem] = fitted
        return Lexicon(**lists) if len(lists) == len(Lexicon.model_fields) else None

    def _prompts(self, names: Sequence[str]) -> tuple[Prompt, ...]:
        """Returns the prompts in the order of the roles."""
        by_role: dict[PromptRole, Prompt] = {}
        incomplete = False
        for name in names:
            if not name.startswith(f"{_PROMPTS}/"):
                continue
            text = self._text(name)
            read = None if text is None else read_prompt(text, name, name[len(_PROMPTS) + 1 :].removesuffix(".md"))
            if not isinstance(read, PromptFile):
                incomplete = True
                self.problems += read or []
                continue
            prompt = read.prompt
            if prompt.role in by_role:
                message = f"{prompt.role.value} is the role of {_PROMPTS}/{by_role[prompt.role].name}.md already"
                self.problems.append(Problem(name, read.role_line, "role", message))
                incomplete = True
                continue
            by_role[prompt.role] = prompt
            self.content["prompts"][prompt.name] = read.content
        missing = [role.value for role in PromptRole if role not in by_role]
        if missing and not incomplete:  # a prompt that has a problem may be the missing one
            self.problems.append(Problem(_PROMPTS, 0, "", f"no prompt has the role {' or '.join(missing)}"))
        return tuple(by_role[role] for role in PromptRole if role in by_role)
