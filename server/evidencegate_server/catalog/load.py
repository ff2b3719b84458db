"""Loads a catalog whole, or says everything that is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeVar

from pydantic import BaseModel

from evidencegate_server.catalog.digest import catalog_digest
from evidencegate_server.catalog.excerpt_policy import build_excerpt_policy
from evidencegate_server.catalog.files import CatalogFile, RuleFile, WarningRuleFile
from evidencegate_server.catalog.folder import COMPOSER_FILE, LEXICON, MASKING_FILE, PROMPTS, CatalogFolder, YamlFile
from evidencegate_server.catalog.locate import CATALOG_FILE
from evidencegate_server.catalog.model import Catalog
from evidencegate_server.catalog.problems import (
    CatalogError,
    Problem,
    did_you_mean,
    key_path,
    show,
)
from evidencegate_server.catalog.prompts import Prompt, PromptCatalog, PromptFile, PromptRole, read_prompt
from evidencegate_server.catalog.validate import fit
from evidencegate_server.compose.templates import ComposerFile
from evidencegate_server.lexicon.model import Lexicon
from evidencegate_server.rules.model import RuleEntry, RuleParameters, RuleSet
from evidencegate_server.rules.registry import RULES
from evidencegate_server.text.masking_policy import MaskingPolicy

ModelT = TypeVar("ModelT", bound=BaseModel)


class RegisteredRule(Protocol):
    """What the loader needs to know of a rule class."""

    id: ClassVar[str]
    Parameters: ClassVar[type[RuleParameters]]
    warns: ClassVar[bool]


def load_catalog(folder: Path, rules: Sequence[type[RegisteredRule]] = RULES) -> Catalog:
    """Returns the catalog of a folder; raises CatalogError with every problem of every file.

    `rules` are the rule classes that must each have a file, and whose files alone may be there.
    """
    return _Loader(folder, {rule.id: rule for rule in rules}).load()


class _Loader:
    """Collects what the files hold, and every problem on the way."""

    def __init__(self, folder: Path, rules: Mapping[str, type[RegisteredRule]]) -> None:
        self.folder = CatalogFolder(folder)
        self.problems = self.folder.problems
        self.rules = rules
        self.content: dict[str, Any] = {"rules": {}, "lexicon": {}, "prompts": {}}

    def load(self) -> Catalog:
        settings = self._settings()
        entries = self._entries()
        lexicon = self._lexicon()
        prompts = self._prompts()
        composer = self._composer()
        masking = self._masking()
        if self.problems or settings is None or lexicon is None or composer is None or masking is None:
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
            masking=masking,
            prompts=PromptCatalog(settings.prompts.version, prompts, settings.prompts.verifier_chars),
            composer=composer,
            digest=digest,
        )

    def _fit(self, model: type[ModelT], data: Any, file: YamlFile, prefix: tuple[str, ...] = ()) -> ModelT | None:
        fitted = fit(model, data, file.name, file.lines, prefix)
        if isinstance(fitted, list):
            self.problems += fitted
            return None
        return fitted

    def _settings(self) -> CatalogFile | None:
        if CATALOG_FILE not in self.folder.names:
            self.problems.append(Problem(CATALOG_FILE, 0, "", "the file is missing"))
            return None
        file = self.folder.yaml(CATALOG_FILE)
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

    def _composer(self) -> ComposerFile | None:
        if COMPOSER_FILE not in self.folder.names:
            self.problems.append(Problem(COMPOSER_FILE, 0, "", "the file is missing"))
            return None
        file = self.folder.yaml(COMPOSER_FILE)
        if file is None:
            return None
        self.content["composer"] = file.data
        return self._fit(ComposerFile, file.data, file)

    def _entries(self) -> tuple[RuleEntry, ...]:
        """Returns the rules by ID."""
        entries: dict[str, RuleEntry] = {}
        seen: dict[str, str] = {}
        described: set[str] = set()
        for name in self.folder.names:
            group, _, rest = name.partition("/")
            if not rest or group in (LEXICON, PROMPTS):
                continue
            named = f"{group}.{rest.removesuffix('.yaml')}"
            described.add(named)
            file = self.folder.yaml(name)
            if file is None:
                continue
            entry = self._entry(file, named, seen)
            if entry is not None:
                entries[entry.id] = entry
        for rule_id in sorted(self.rules.keys() - described - seen.keys()):
            file_name = f"{rule_id.replace('.', '/', 1)}.yaml"
            self.problems.append(Problem(file_name, 0, "", f"the file is missing: the engine has a rule {rule_id}"))
        return tuple(entries[rule_id] for rule_id in sorted(entries))

    def _entry(self, file: YamlFile, named: str, seen: dict[str, str]) -> RuleEntry | None:
        """Returns the rule of one file; `named` is the ID that the file's name stands for."""
        before = len(self.problems)
        rule_id = file.data.get("id")
        rule = self.rules.get(rule_id) if isinstance(rule_id, str) else None
        read = self._fit(WarningRuleFile if rule is not None and rule.warns else RuleFile, file.data, file)
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

    def _check_id(self, file: YamlFile, rule_id: str, named: str, seen: dict[str, str]) -> None:
        if rule_id in seen:
            self.problems.append(file.problem("id", f"{show(rule_id)} is the ID of {seen[rule_id]} already"))
        elif rule_id not in self.rules:
            hint = did_you_mean(rule_id, self.rules)
            self.problems.append(file.problem("id", f"the engine has no rule {show(rule_id)}{hint}"))
        elif rule_id != named:
            self.problems.append(file.problem("id", f'must be "{named}", as the file is named, not {show(rule_id)}'))
        seen.setdefault(rule_id, file.name)

    def _check_replacement(self, file: YamlFile, read: RuleFile) -> None:
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

    def _lexicon(self) -> Lexicon | None:
        """Returns the word lists: one file for each field of the model."""
        found = self.folder.group(LEXICON, ".yaml")
        lists: dict[str, BaseModel] = {}
        for stem in sorted(found.keys() - Lexicon.model_fields.keys()):
            message = f'the engine has no word list "{stem}"{did_you_mean(stem, Lexicon.model_fields)}'
            self.problems.append(Problem(found[stem], 0, "", message))
        for stem, field in Lexicon.model_fields.items():
            model = field.annotation
            assert isinstance(model, type)
            assert issubclass(model, BaseModel)
            if stem not in found:
                self.problems.append(Problem(f"{LEXICON}/{stem}.yaml", 0, "", "the file is missing"))
                continue
            file = self.folder.yaml(found[stem])
            fitted = None if file is None else self._fit(model, file.data, file)
            if file is not None and fitted is not None:
                self.content["lexicon"][stem] = file.data
                lists[stem] = fitted
        return Lexicon.model_validate(lists) if len(lists) == len(Lexicon.model_fields) else None

    def _masking(self) -> MaskingPolicy | None:
        """Returns what credentials look like."""
        if MASKING_FILE not in self.folder.names:
            self.problems.append(Problem(MASKING_FILE, 0, "", "the file is missing"))
            return None
        file = self.folder.yaml(MASKING_FILE)
        if file is None:
            return None
        self.content["masking"] = file.data
        return self._fit(MaskingPolicy, file.data, file)

    def _prompts(self) -> tuple[Prompt, ...]:
        """Returns the prompts in the order of the roles."""
        by_role: dict[PromptRole, Prompt] = {}
        incomplete = False
        for stem, name in self.folder.group(PROMPTS, ".md").items():
            text = self.folder.text(name)
            read = None if text is None else read_prompt(text, name, stem)
            if not isinstance(read, PromptFile):
                incomplete = True
                self.problems += read or []
                continue
            prompt = read.prompt
            if prompt.role in by_role:
                message = f"{prompt.role.value} is the role of {PROMPTS}/{by_role[prompt.role].name}.md already"
                self.problems.append(Problem(name, read.role_line, "role", message))
                incomplete = True
                continue
            by_role[prompt.role] = prompt
            self.content["prompts"][prompt.name] = read.content
        missing = [role.value for role in PromptRole if role not in by_role]
        if missing and not incomplete:  # a prompt that has a problem may be the missing one
            self.problems.append(Problem(PROMPTS, 0, "", f"no prompt has the role {' or '.join(missing)}"))
        return tuple(by_role[role] for role in PromptRole if role in by_role)
