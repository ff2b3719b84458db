"""Loads what the settings name: the catalog, and the models with their keys."""

from __future__ import annotations

import os

from evidencegate_server.catalog.load import load_catalog
from evidencegate_server.catalog.locate import find_rules
from evidencegate_server.catalog.model import Catalog
from evidencegate_server.models.pool import check_library
from evidencegate_server.models.profiles import Profiles, read_profiles
from evidencegate_server.service.process import loading
from evidencegate_server.service.settings import ServerSettings


def load_configuration(settings: ServerSettings) -> tuple[Catalog, Profiles]:
    """Returns catalog and models; raises CatalogError or ModelsError where one cannot be used."""
    with loading():
        catalog = load_catalog(find_rules(settings.rules))
    if settings.models is None:
        return catalog, Profiles(())
    check_library()
    return catalog, read_profiles(settings.models, os.environ)
