"""Look-alikes: names of people in many scripts, and attacks with characters of the same shape."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentad.game import GameError
from pentad.web.http.identity import clean
from pentad.web.http.look_alikes import check_scripts, look_alike, skeletons
from tests.cases import together
from tests.properties import properties

NAMES = [
    "Ada Lovelace",
    "José Ángel",
    "Zoë",
    "Zoe\u0308",
    "Łukasz Żółć",
    "Đorđe",
    "Øyvind Ærø",
    "Nguyễn Thị Ánh",
    "İbrahim Çağrı",
    "Jean-Luc d'Arc",
    "O\u2019Brien",
    "Ñandú",
    "Straße",
    "Þórr",
    "Ọlábísí",
    "Kapaʻa",
    "Владимир",
    "Щукин Пётр",
    "Їжакевич",
    "Ђорђе Ћосић",
    "Ўткир",
    "Ғалия Әлиева",
    "Ελένη Παπαδοπούλου",
    "ΝΙΚΟΣ",
    "Άγγελος",
    "Արամ Խաչատրյան",
    "ნინო",
    "דוד בן־גוריון",
    "שָׁלוֹם",
    "محمد علي",
    "علی\u200cرضا",
    "פֿײַגעלע",
    "आर्यभट",
    "ঠাকুর",
    "ਗੁਰੂ",
    "தமிழ்செல்வன்",
    "శ్రీనివాస్",
    "ಕನ್ನಡ",
    "മോഹൻലാൽ",
    "ශ්\u200dරී",
    "สมชาย",
    "ສົມສັກ",
    "သန္တာ",
    "សុខា",
    "བསྟན་འཛིན",
    "王小明",
    "陳大文",
    "渡辺\U000e0100 さくら",
    "ヤマダ太郎",
    "ささきT郎",
    "김철수",
    "ㄓㄨㄧㄣ",
    "ᎠᏓ",
    "አበበ",
    "ⵉⵣⵎ",
    "ᠮᠣᠩᠭᠣᠯ",
    "Иван Smith",  # each word in its script
    "Ада 🤔",
    "Max ♥ Mia",
    "👩\u200d🚀",
    "R2-D2",
    "x_Ada_x",
    "42",
    "!",
]


@together("name", NAMES)
def test_names_in_all_scripts_are_accepted(name: str) -> None:
    assert clean(name) == name
    assert all(skeletons(name))


def test_these_names_look_different() -> None:
    alike = [(one, other) for one in NAMES for other in NAMES if one < other and look_alike(one, other)]
    assert alike == [("Zoe\u0308", "Zoë")]  # the same letters, written in two ways


@together(
    ("name", "like"),
    [
        ("Ada", "ada"),
        ("Ada", "\u0410da"),
        ("Ace", "Асе"),
        ("paypal", "раураl"),
        ("ANNA", "ΑΝΝΑ"),
        ("Nina", "Νіnа"),
        ("ADA", "ᎪᎠᎪ"),
        ("Ada", "Ａｄａ"),
        ("Ada", "𝔄𝔡𝔞"),
        ("Ada", "🅐🅳🄰"),
        ("Ada", "ⓐⓓⓐ"),
        ("Ada", "ᴀᴅᴀ"),
        ("Ada", "Adạ"),
        ("Ada", "A\u0301d\u0302a\u0327"),
        ("Ada", "Ada."),
        ("Ada", "_Ada_"),
        ("Ada", "A d a"),
        ("Ada", "«Ada»"),
        ("Allan", "AIlan"),
        ("Allan", "A11an"),
        ("Al", "A|"),
        ("Oscar", "0scar"),
        ("Martin", "rnartin"),
        ("Willi", "VVilli"),
        ("Ida", "ıda"),
        ("Bjorn", "Bjørn"),
        ("Émile", "emile"),
        ("Андрей", "Андреи"),
        ("علی", "علي"),
        ("ﬁona", "fiona"),
    ],
)
def test_attacks_look_alike(name: str, like: str) -> None:
    assert look_alike(name, like)
    assert look_alike(like, name)


@together(
    ("name", "other"),
    [
        ("Ada", "Ida"),
        ("Anna", "Anna 2"),
        ("Max", "Мария"),
        ("कमल", "कमला"),
        ("王小明", "王小名"),
        ("Ada 🤔", "Ada"),
        ("!", "?"),
    ],
)
def test_other_names_do_not(name: str, other: str) -> None:
    assert not look_alike(name, other)


@together(
    "name",
    [
        "\u0430dmin",
        "Ad\u0430",
        "Pen\u03c4ad",
        "\u13aada",
        "\u0585scar",
        "Ada Lovel\u0430ce",
        "x\u0430\u0301x",
        "𝔄d\u0430",
    ],
)
def test_a_word_in_two_scripts_that_look_alike_is_refused_in_one_line(name: str) -> None:
    with pytest.raises(GameError, match="letters") as error:
        check_scripts(name)
    assert "\n" not in str(error.value)


@given(st.text(max_size=40))
@properties()
def test_any_text_has_skeletons(text: str) -> None:
    assert look_alike(text, text)
    assert look_alike(text, text.upper()) or not text.isascii()


@pytest.mark.slow
def test_every_character_has_a_skeleton() -> None:
    for code in range(sys.maxunicode + 1):
        if unicodedata.category(chr(code)) not in ("Cn", "Co"):
            assert look_alike(chr(code) * 2, chr(code) * 2)
            if len(unicodedata.normalize("NFKC", chr(code))) == 1:  # a square of letters may mix scripts
                check_scripts(chr(code))
