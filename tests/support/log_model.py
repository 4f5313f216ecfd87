"""Parses a web server's log without duomap: by ipaddress, regular expressions, and RFC 3986's
steps."""

import ipaddress
import re

TOKEN = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
SCHEME = re.compile(rb"([A-Za-z][A-Za-z0-9+.-]*)://")
HOST = re.compile(rb"(?=[^:]{1,254}(?::|\Z))((?:[A-Za-z0-9_][A-Za-z0-9_-]*\.)*(?=[0-9-]*[A-Za-z_-])[A-Za-z0-9_][A-Za-z0-9_-]*\.?)(?::\d{1,5})?")
PLAIN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


def address(text):
    """The address that a text means, in the form in which addresses are compared."""
    text, percent, zone = text.decode("latin-1").partition("%")
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return None
    if percent and (found.version == 4 or not re.fullmatch(r"[A-Za-z0-9._~-]+", zone)):
        return None
    if found.version == 6 and found.ipv4_mapped and not zone:
        found = found.ipv4_mapped
    return (str(found) + percent + zone).encode("latin-1")


def client(word):
    """The kind and the normal form of a word as a client; None if it is not a client."""
    if word == b"unix:":
        return "name", word
    bracketed = re.fullmatch(rb"\[([^\]]*)\](?::\d{1,5})?", word)
    with_port = re.fullmatch(rb"([0-9.]+)(?::\d{1,5})?", word)
    found = address(bracketed[1] if bracketed else with_port[1] if with_port else word)
    if found:
        return "address", found
    host = HOST.fullmatch(word)
    return ("name", host[1].lower().removesuffix(b".") or host[1]) if host else None


def looks_like_client(word):
    found = client(word)
    return found is not None and (found[0] == "address" or b"." in found[1])


def is_user(user, kind):
    words = user.split(b" ")
    for word in words:
        found = client(word)
        if (len(words) > 1 and word == b"-") or (found and found[0] == "address") or (kind == "name" and looks_like_client(word)):
            return False
    return True


def unescaped(text):
    """A value of a text log, as it was before the server escaped it."""
    plain = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f", b"v": b"\v", b'"': b'"', b"\\": b"\\"}
    return re.sub(rb"\\(?:x([0-9A-Fa-f]{2})|([nrtbfv\"\\]))",
                  lambda found: bytes([int(found[1], 16)]) if found[1] else plain[found[2]], text, flags=re.DOTALL)


def normal_percents(text):
    def triplet(found):
        byte = int(found[1], 16)
        return bytes([byte]) if byte in PLAIN else b"%%%02X" % byte
    text = re.sub(rb"%([0-9A-Fa-f]{2})", triplet, text)
    return re.sub(rb"[\x00-\x1f\x7f]", lambda found: b"%%%02X" % found[0][0], text)


def without_dots(path):
    """Steps A to E of RFC 3986, section 5.2.4."""
    out = []
    while path:
        if path.startswith(b"/./") or path == b"/.":
            path = b"/" + path[3:]
        elif path.startswith(b"/../") or path == b"/..":
            path = b"/" + path[4:]
            if out:
                out.pop()
        else:
            end = path.find(b"/", 1)
            end = len(path) if end < 0 else end
            out.append(path[:end])
            path = path[end:]
    return b"".join(out)


def page(url):
    """The form in which URLs are compared. `url` is as the server got it."""
    origin = b""
    scheme = SCHEME.match(url)
    if scheme:
        end = re.compile(rb"[/?#]|\Z").search(url, scheme.end()).start()
        authority = url[scheme.end():end]
        user, at, host = authority.rpartition(b"@")
        host = normal_percents(host.lower())
        port = {b"http": b":80", b"https": b":443"}.get(scheme[1].lower(), b":")
        colon = host.rfind(b":")
        if colon > host.rfind(b"]") and host[colon:] in (b":", port):
            host = host[:colon]
        origin = scheme[1].lower() + b"://" + normal_percents(user) + at + host
        url = url[end:]
        if not url.startswith(b"/"):
            url = b"/" + url
    end = re.search(rb"[?#]|\Z", url).start()
    path, rest = normal_percents(url[:end]), normal_percents(url[end:])
    return origin + (without_dots(path) if path.startswith(b"/") else path) + rest


def request(line):
    """The method and URL of a logged request line, or None."""
    found = re.fullmatch(rb"([^ ]+) ([^ ].*?)( HTTP/\d(?:\.\d)?)?", line, re.DOTALL)
    if not found or re.fullmatch(rb"HTTP/\d(?:\.\d)?", found[2]) or (not found[3] and b" " in found[2]):
        return None
    method, url = found[1], found[2]
    return (method, url) if is_method(method) and is_target(method, url) else None


def is_method(method):
    return TOKEN.fullmatch(method) is not None and method != b"-"


def is_target(method, url):
    if url.startswith((b"/", b"?")) or SCHEME.match(url):
        return True
    return (method == b"OPTIONS" and url == b"*") or (method == b"CONNECT" and client(url) is not None)
