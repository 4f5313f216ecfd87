"""Finds the links of HTML with html5lib's tokenizer, which follows the HTML standard."""

import re

from html5lib._tokenizer import HTMLTokenizer
from html5lib.constants import tokenTypes

# The tokenizer's state after a start tag. Scripting is off, so noscript sets no state.
STATE_BEHIND = {
    "title": "rcdataState", "textarea": "rcdataState", "script": "scriptDataState", "plaintext": "plaintextState",
    "style": "rawtextState", "xmp": "rawtextState", "iframe": "rawtextState", "noembed": "rawtextState",
    "noframes": "rawtextState",
}


# After a null character, html5lib 1.1 wrongly believes that a comment has just begun
# (standard: 13.2.5.43, 13.2.5.44).
NULL_IN_COMMENT = re.compile("(<!---?)\0")


def links_by_html5lib(text):
    """The targets of a text in the order of their tags."""
    tokenizer = HTMLTokenizer(NULL_IN_COMMENT.sub("\\1\ufffd", text))
    targets = []
    for token in tokenizer:
        if token["type"] not in (tokenTypes["StartTag"], tokenTypes["EmptyTag"]):
            continue
        name = token["name"]
        if name in ("a", "area") and "href" in token["data"]:
            targets.append(token["data"]["href"])
        if name in STATE_BEHIND:
            tokenizer.state = getattr(tokenizer, STATE_BEHIND[name])
    return targets
