"""Hosts of addresses: one spelling for each, the allowed list, and no way to private networks."""

import ipaddress
import re
import socket
from collections.abc import Collection, Iterator

DEFAULT_HOSTS = frozenset(
    {"github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "gitea.com"}
)
HTTPS_PORT = 443

_HOST = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9_-]{1,63}(?<!-))*")
_NUMBER = re.compile(r"0x[0-9a-f]*|\d+")
AUTHORITY = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^:\[\]]+)(?::(\d{1,5})?)?")

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


class AddressRefused(ValueError):
    """An address that is not taken; the message says why and what to do, never a secret."""


class HostUnknown(AddressRefused):
    """The host name does not resolve."""


def split_authority(authority: str) -> tuple[str, int | None]:
    match = AUTHORITY.fullmatch(authority)
    if match is None:
        raise AddressRefused("The host is missing or malformed. Use https://host/owner/project.")
    port = int(match[2]) if match[2] else None
    if port is not None and not 0 < port < 65536:
        raise AddressRefused("The port is not a number between 1 and 65535.")
    return _normal_host(match[1]), None if port == HTTPS_PORT else port


def _normal_host(host: str) -> str:
    """Lower case, punycode, no final dot; numbers that are IP addresses in usual form only."""
    host = host.lower().removesuffix(".")
    if host.startswith("["):
        return f"[{_ip_or_refuse(host[1:-1])}]"
    host = ".".join(_ascii_label(label) for label in host.split("."))
    if len(host) > 253 or not _HOST.fullmatch(host):
        raise AddressRefused("The host name is malformed. Use https://host/owner/project.")
    if _NUMBER.fullmatch(host.rpartition(".")[2]):
        return str(_ip_or_refuse(host))
    return host


def _ip_or_refuse(text: str) -> IPAddress:
    try:
        return ipaddress.ip_address(text)
    except ValueError as error:
        raise AddressRefused(
            "The host is a number in an unusual form. Use the host name instead."
        ) from error


def _ascii_label(label: str) -> str:
    if label.isascii():
        return label
    try:
        encoded = label.encode("idna").decode("ascii")
    except UnicodeError:
        encoded = ""
    if not encoded.startswith("xn--"):
        raise AddressRefused(
            "The host name holds letters that only look like the usual ones. Type it anew."
        )
    return encoded


def normal_entry(entry: str) -> str:
    return netloc(*split_authority(entry.strip()))


def netloc(host: str, port: int | None) -> str:
    return host if port in {None, HTTPS_PORT} else f"{host}:{port}"


def https_port(host: str, allowed: Collection[str]) -> int | None:
    """The port on which the list offers this host over https, if there is just one such."""
    ports = [e[len(host) + 1 :] for e in allowed if e.startswith(f"{host}:")]
    return int(ports[0]) if host not in allowed and len(ports) == 1 else None


def without_www(host: str, port: int | None, allowed: Collection[str]) -> str:
    bare = host.removeprefix("www.")
    listed = netloc(host, port) not in allowed and netloc(bare, port) in allowed
    return bare if listed else host


def check_host(host: str, port: int | None, allowed: Collection[str]) -> None:
    name = netloc(host, port)
    if name in allowed:
        return
    add = f"An administrator can add {name} to the list."
    if _is_private_literal(host):
        raise AddressRefused(f"{name} is a private address and not an allowed host. {add}")
    if "xn--" in host:
        raise AddressRefused(
            f"The host is {name} when written without special letters, which is not on the "
            f"list of allowed hosts. Check that it is the one you mean. {add}"
        )
    raise AddressRefused(f"{name} is not on the list of allowed hosts. {add}")


def _is_private_literal(host: str) -> bool:
    try:
        return is_private(ipaddress.ip_address(host.strip("[]")))
    except ValueError:
        return False


def resolve(host: str, port: int) -> tuple[str, ...]:
    try:
        answers = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise HostUnknown(
            f"The host {host} cannot be found. Check the spelling and the network."
        ) from error
    return tuple(dict.fromkeys(str(answer[4][0]).partition("%")[0] for answer in answers))


def is_private(ip: IPAddress) -> bool:
    return any(not one.is_global or one.is_multicast for one in _with_embedded(ip))


def _with_embedded(ip: IPAddress) -> Iterator[IPAddress]:
    """The address and the IPv4 addresses that tunnels and mappings hide in an IPv6 address."""
    if isinstance(ip, ipaddress.IPv4Address):
        yield ip
        return
    hidden = [ip.ipv4_mapped, ip.sixtofour, *(ip.teredo or ())]
    if ip in ipaddress.IPv6Network("64:ff9b::/96"):
        hidden.append(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF))
    if ip.ipv4_mapped is None:
        yield ip
    yield from (one for one in hidden if one is not None)
