"""The network closed for the whole process, whoever would use it: `--offline`."""

import socket
import sys
from functools import cache
from ipaddress import ip_address
from typing import Any

from agent.domain.errors import NetworkClosed

_TO_ADDRESS = frozenset({"socket.connect", "socket.sendto", "socket.sendmsg"})
_TO_NAME = frozenset({"socket.getaddrinfo", "socket.gethostbyname"})


@cache
def close_network() -> None:
    """Make every later attempt to reach beyond this machine an error; it cannot be undone.

    Connections, datagrams and names to be looked up are refused, with `NetworkClosed`, in this
    library and in all others that go through Python's sockets. This machine itself may be
    talked to: a model that runs on it, or the browser.
    """
    sys.addaudithook(_refuse)


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    if event in _TO_NAME:
        host = arguments[0]
    elif event in _TO_ADDRESS:
        connection, address = arguments
        if connection.family not in {socket.AF_INET, socket.AF_INET6} or address is None:
            return
        host = address[0]
    else:
        return
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
    if name and not _here(str(name)):
        raise NetworkClosed(str(name))


def _here(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified
