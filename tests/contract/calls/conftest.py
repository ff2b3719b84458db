"""Gives the calls of the table the servers of the service's own tests."""

from tests.service.conftest import catalog, running

__all__ = ["catalog", "running"]
