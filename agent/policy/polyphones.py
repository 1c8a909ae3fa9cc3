"""Characters with more than one reading, where their neighbours tell which one is meant.

A dictionary of words reads what it holds; between words it takes the commoner reading, so that a
long sequence grows and a computation done again is heavy. Here stands what the trade needs beside.
"""

import re

_RULES = (
    # long, not to grow
    (r"(?:(?<=生成)|(?<![增成生助校部组队家班院会]))长(?!大|辈|官|势|进|出|成)", "chang2"),
    # again, not heavy
    (r"(?<=[去查排])重(?!要|点|量|大)", "chong2"),
    (
        (
            r"(?<![权比严加偏侧注体着看保说尊沉双])"
            r"重(?=[算计跑新复叠启来做试写建组构训载放传发读切现演申编置采装连配学答问听讲命合排调])"
        ),
        "chong2",
    ),
    # a row, not to go
    (r"(?<=[按每整逐几首末换单两十百千])行(?![动为驶走])", "hang2"),
    (r"(?<=一)行(?![动为人得])", "hang2"),
    (r"(?<![并串进可执运平流先举实同推通])行(?=[列数号切])", "hang2"),
    (r"(?<=[上下])行(?=[链带流])", "xing2"),
    # to adjust, not to move or tone
    (r"(?<![强单语声基腔])调(?![度用查研动集回换子门取包令离])", "tiao2"),
    # must; the particle; else to get
    (r"(?<=[都就还也总必又])得(?![到出知分])", "dei3"),
    (r"(?<=[我你他她])得(?=[先去回自再把等])|得(?=靠|提前|先|自己|重新)", "dei3"),
    (
        (
            r"(?<=.)(?<![获取值所求由此能各而法应该才最就都还也却去总必又部容心难我你他她])"
            r"得(?![到知分以失靠]|提前|先|自己|重新)"
        ),
        "de",
    ),
    (
        r"(?<=.)(?<![本落场各异原当就基土占外天])地(?![方址图位点区板基道球面理带盘下上])",
        "de",
    ),
    # to cut, not urgent
    (r"(?<![一迫密亲急关确深恳])切(?![实记忌身合])", "qie1"),
    (r"(?<![归偿退返交])还(?![原回款清债给])", "hai2"),
    (r"(?<!因)为(?=[零例负]|准(?![备确])|空(?!出)|主(?![动要机题]))", "wei2"),
    (r"(?<=[残方误偏])差(?!不多|点|太|得|很)|(?<=标准)差|差(?=[异别距额值])", "cha1"),
    (r"(?<=[阻拥堵])塞", "se4"),
    (r"(?<![首成京古国])都", "dou1"),
    (r"(?<=成)分(?=[片块词页组桶段支])", "fen1"),
    (r"(?<=中)间(?=断)", "jian1"),
    (r"(?<=[有留省腾])空(?=间)", "kong1"),
    (r"(?<=[就用])干(?=等)", "gan1"),
    (r"相(?=[邻同似关近等加乘减比互])", "xiang1"),
    (r"(?<=选)中(?![间心等文国])", "zhong4"),
    (r"(?<=不)应(?=[变该有])", "ying1"),
    (r"(?<=[调做练训设定])好", "hao3"),
    (r"(?<![各好此深到几])处(?=在)", "chu3"),
    (r"散(?=[射播])", "san4"),
    (r"没(?=收到)", "mei2"),
    (r"转(?=文)", "zhuan3"),
    (r"数(?=[得不]清)", "shu3"),
    (r"要(?=约)", "yao4"),
)
"""One character among its neighbours, and its reading: pinyin with the tone as a figure at its
end, and no figure for a syllable without a tone. The first that fits counts."""
_READINGS = tuple((re.compile(pattern), reading) for pattern, reading in _RULES)


def readings(characters: str) -> dict[int, str]:
    """Return by its place the reading of each Han character that its neighbours decide."""
    found: dict[int, str] = {}
    for pattern, reading in _READINGS:
        for match in pattern.finditer(characters):
            found.setdefault(match.start(), reading)
    return found
