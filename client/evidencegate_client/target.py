"""Looks at the address that a client is given, since gRPC's own complaint comes late and names no cause."""

from __future__ import annotations

import re

from evidencegate_client.errors import TargetError

# gRPC's own ways to name a target; what follows the colon is left to gRPC.
_SCHEMES = ("dns:", "unix:", "unix-abstract:", "vsock:", "ipv4:", "ipv6:", "xds:")
_HOST_AND_PORT = re.compile(r"(?:\[[0-9A-Fa-f:.]+(?:%\w+)?\]|[^\s/:@\[\]]+):([0-9]{1,5})")
_LOOPBACK = re.compile(r"(?:127(?:\.[0-9]{1,3}){3}|localhost|\[::1\])(?::[0-9]{1,5})?")
_HIGHEST_PORT = 65535


def check_target(target: str) -> str:
    """Returns the target as it is; raises TargetError for what is neither HOST:PORT nor a target in gRPC's own form."""
    if isinstance(target, str):
        if any(target.startswith(scheme) and target[len(scheme) :].strip("/") for scheme in _SCHEMES):
            return target
        found = _HOST_AND_PORT.fullmatch(target)
        if found is not None and 1 <= int(found[1]) <= _HIGHEST_PORT:
            return target
    raise TargetError(f"{target!r} is no address of a server: HOST:PORT is wanted, for example 127.0.0.1:50051")


def is_on_this_machine(target: str) -> bool:
    """Says whether what goes to the target stays on this machine."""
    if target.startswith(("unix:", "unix-abstract:")):
        return True
    address = re.sub(r"^(?:dns:(?://[^/]*/)?|ipv4:|ipv6:)/*", "", target)
    return _LOOPBACK.fullmatch(address) is not None
