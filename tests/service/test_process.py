"""What is set for the whole process."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

_COUNT_FAULTS = """
import resource
from evidencegate_server.service.process import tune_process

def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

def use_memory():
    texts = [b"x" * size for size in range(300_000, 1_500_000, 100_000)]
    del texts

tune_process()
use_memory()
before = faults()
for _ in range(20):
    use_memory()
print(faults() - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries are left as they are")
def test_memory_that_was_freed_is_not_asked_of_the_system_again() -> None:
    """Untuned, these are fifty thousand pages: each of the twenty uses gets its ten megabytes anew."""
    done = subprocess.run([sys.executable, "-c", _COUNT_FAULTS], capture_output=True, text=True, timeout=60, check=True)
    assert int(done.stdout) < 1_000
