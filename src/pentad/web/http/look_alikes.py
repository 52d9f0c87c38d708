"""Look-alikes: names that people take for one another, although their characters differ.

A name has two skeletons, in which characters of one shape are one: with the capitals as they are seen, and without.
Names look alike if they share a skeleton. The table has the letters of Latin, Greek, Cyrillic, Armenian and Cherokee
that look like plain Latin ones. Python's `unicodedata` does the rest: full-width, circled and mathematical letters, and
accents.

A word that mixes the letters of these scripts is never somebody's name. Words of one script may be in any, and scripts
that look different may be mixed, as in Japanese.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from pentad.game import GameError

_PAIRS = (
    # Latin: small capitals, letters without a dot or with a stroke
    "ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz"
    "ɑaƅbɗdɡgıiɩiȷjƙkɭlɱmɳnɵoøoØOłlŁLđdĐDħhĦHŧtŦTɨiƖlǀlɾrʂsʋuƴyȥzƏeәe"
    # Cyrillic
    "аaАAвbВBгrеeЕEѕsЅSіiІIјjЈJкkКKӏlӀlмmМMнhНHоoОOпnрpРPсcСCтtТTуyУYхxХXьbЬbһhҺHԁdԛqԚQԝwԜWѵvѴVєeөoӨO"
    # Greek
    "αaΑAβbΒBγyεeΕEΖZηnΗHιiΙIκkΚKμuΜMνvΝNοoΟOρpΡPσoςcτtΤTυuΥYχxΧXωwϲcϹCϳjͿJ"
    # Armenian
    "օoՕOսuՍUոnհhցgզqյjքpլlՏSԼL"
    # Cherokee
    "ᎪAᏴBᏟCᎠDᎬEᏀGᎻHᎥiᎫJᏦKᏞLᎷMᏢPᏒRᏚSᎢTᏙVᏔWᏃZ"
)
_LATIN_OF = dict(zip(_PAIRS[::2], _PAIRS[1::2], strict=True))
# White letters on black circles and squares, and the letters of flags, are no letters for Python.
_SYMBOLS = {first + i: chr(ord("A") + i) for first in (0x1F150, 0x1F170, 0x1F1E6) for i in range(26)}
_ONE_SHAPE = str.maketrans(
    {
        "I": "l",
        "|": "l",
        "1": "l",
        "0": "o",
        "æ": "ae",
        "Æ": "AE",
        "ӕ": "ae",
        "Ӕ": "AE",
        "œ": "oe",
        "Œ": "OE",
        "ي": "ی",
        "ى": "ی",
        "ك": "ک",
    }
)
_TWO_AS_ONE = (("rn", "m"), ("vv", "w"))
_ALIKE = ("LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE", "COPTIC")  # scripts, as the names of letters have them
_WORD = re.compile(r"[^\W_]+")
_MOST_KNOWN = 2000


@lru_cache(_MOST_KNOWN)
def skeletons(name: str) -> frozenset[str]:
    """The skeletons of a name.

    >>> skeletons("Ada") & skeletons("\\u0410\\u2146\\u0430")  # Cyrillic and mathematical letters
    frozenset({'ada'})
    >>> sorted(skeletons("AI") & skeletons("Al")), sorted(skeletons("AI") & skeletons("ai"))
    (['al'], ['ai'])
    """
    plain = _without_accents(name.translate(_SYMBOLS))
    return frozenset(map(_skeleton, (plain, plain.casefold())))


def look_alike(one: str, other: str) -> bool:
    """Whether people may take one name for the other.

    >>> look_alike("Ada", "ada."), look_alike("Ada", "Ida")
    (True, False)
    """
    return not skeletons(one).isdisjoint(skeletons(other))


def check_scripts(name: str) -> None:
    """Raises if a word of a name mixes scripts whose letters look alike."""
    for word in _WORD.findall(unicodedata.normalize("NFKC", name)):
        scripts = list(dict.fromkeys(script for script in map(_script, word) if script in _ALIKE))
        if len(scripts) > 1:
            first, second = (script.capitalize() for script in scripts[:2])
            raise GameError(
                "The word {word} mixes {first} and {second} letters. Write it in one script.",
                word=word,
                first=first,
                second=second,
            )


def _script(letter: str) -> str:
    """The first word of a letter's name, which is the script of those in question."""
    return unicodedata.name(letter, "").partition(" ")[0]


def _without_accents(text: str) -> str:
    """A text of plain letters; marks stay in scripts where they are vowels."""
    shown: list[str] = []
    is_alike = False
    for each in unicodedata.normalize("NFKD", text):
        if unicodedata.combining(each) == 0:
            is_alike = _script(each) in _ALIKE
        elif is_alike:
            continue
        shown.append(each)
    return unicodedata.normalize("NFC", "".join(shown))


def _skeleton(text: str) -> str:
    latin = "".join(_LATIN_OF.get(each, each) for each in text).translate(_ONE_SHAPE).casefold()
    for two, one in _TWO_AS_ONE:
        latin = latin.replace(two, one)
    return "".join(each for each in latin if unicodedata.category(each)[0] not in "PZC") or latin
