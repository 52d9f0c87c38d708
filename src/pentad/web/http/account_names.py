"""Names of accounts: how they look, by our own table and a library's, and which are reserved.

Our table knows accents, small capitals and the letters of five scripts; that of Unicode, which the library has, knows
all scripts, but not that people read Zoe and Zoë alike. Two names look alike if one of the tables says so.
"""

from __future__ import annotations

import unicodedata
from functools import cache

from pentad.game import GameError, names
from pentad.web.http import identity, look_alikes

SHORTEST = 2
OURS, UNICODE = "1:", "2:"  # before the looks of each table
_DEEPEST = 4  # a character may stand for another one that stands for two

# Words with which somebody could speak for the server, or be taken for nobody.
RESERVED = (
    *("admin", "administrator", "administration", "root", "system", "server", "official", "security"),
    *("moderator", "moderators", "moderation", "mod", "operator", "operators", "staff", "support", "team", "help"),
    *("pentad", "pentad team", "computer", "bot", "engine", "human", "person"),
    *("anonymous", "nobody", "everybody", "everyone", "somebody", "guest", "player", "you", "me", "open", "open seat"),
    *("deleted", "deleted player", "deleted account", "unknown", "none", "null", "undefined"),
)


def account_name(name: str) -> str:
    """A name for an account, as it is shown; `GameError` if it is reserved, too short, or none."""
    plain = identity.clean(name)
    if len(plain) < SHORTEST or not any(each.isalnum() for each in plain):
        raise GameError("The name of an account has at least {shortest} letters or digits.", shortest=SHORTEST)
    if not look_alikes.skeletons(plain).isdisjoint(_reserved()):
        raise GameError("{name} is reserved. Choose another name.", name=plain)
    return plain


def looks(name: str) -> list[str]:
    """How a name looks; two names look alike if they have a look in common."""
    ours = {OURS + each for each in look_alikes.skeletons(name)}
    theirs = {UNICODE + _unicode_skeleton(each) for each in (name, name.casefold())}
    return sorted(ours | theirs)


@cache
def _reserved() -> frozenset[str]:
    words = (*RESERVED, *names())
    # In capitals, too: there an I looks like a 1.
    return frozenset().union(*(look_alikes.skeletons(each) for word in words for each in (word, word.upper())))


def _unicode_skeleton(name: str) -> str:
    """The skeleton of Unicode's report 39, without spaces and punctuation."""
    shown = name
    for _ in range(_DEEPEST):
        before, shown = shown, "".join(map(_prototype, unicodedata.normalize("NFD", shown)))
        if shown == before:
            break
    plain = shown.casefold()
    return "".join(each for each in plain if unicodedata.category(each)[0] not in "PZC") or plain


@cache
def _prototype(letter: str) -> str:
    """What stands for a character and all that look like it: the longest of them, and of these the first."""
    from confusable_homoglyphs import confusables  # a megabyte, which a server without accounts does not need

    alike, waiting = {letter}, [letter]
    while waiting:
        for each in confusables.confusables_data.get(waiting.pop(), ()):
            if each["c"] not in alike:
                alike.add(each["c"])
                waiting.append(each["c"])
    return min(alike, key=lambda each: (-len(each), each))
