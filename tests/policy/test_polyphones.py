"""Which reading a character has among its neighbours, in the words of the bank."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypinyin import Style, lazy_pinyin, pinyin

from agent.policy.polyphones import readings


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("[长]序列", "chang2"),
        ("支持[长]上下文", "chang2"),
        ("在生成[长]短不一的回答上", "chang2"),
        ("参数量增[长]", "zhang3"),
        ("成[长]很快", "zhang3"),
        ("激活[重]计算", "chong2"),
        ("近似去[重]", "chong2"),
        ("[重]新切分", "chong2"),
        ("更[重]要的是", "zhong4"),
        ("权[重]读一遍", "zhong4"),
        ("按[行]切", "hang2"),
        ("减去每[行]最大值", "hang2"),
        ("用两百[行]重写", "hang2"),
        ("张量并[行]数", "xing2"),
        ("一条上[行]链路", "xing2"),
        ("先列切后[行]切", "hang2"),
        ("每步运[行]多久", "xing2"),
        ("全量微[调]", "tiao2"),
        ("基线没[调]好", "tiao2"),
        ("工具[调]用", "diao4"),
        ("学习率[调]度", "diao4"),
        ("没有强[调]这点", "diao4"),
        ("张[量]并行", "liang4"),
        ("怎么测[量]", "liang2"),
        ("[参]数", "can1"),
        ("总[数]", "shu4"),
        ("谁也[数]不清", "shu3"),
        ("学习[率]", "lv4"),
        ("单卡放[得]下", "de"),
        ("由此[得]出", "de2"),
        ("模型会[得]到什么", "de2"),
        ("权重还[得]放在显存里", "dei3"),
        ("扩容[得]提前", "dei3"),
        ("完整[地]算一遍", "de"),
        ("写在本[地]盘", "di4"),
        ("验证的[地]方", "di4"),
        ("把序列[切]开", "qie1"),
        ("这一[切]", "qie4"),
        ("检索[还]能用", "hai2"),
        ("先[还]原再算", "huan2"),
        ("温度[为]零", "wei2"),
        ("因[为]准确率低", "wei4"),
        ("[为]什么", "wei4"),
        ("残[差]连接", "cha1"),
        ("效果变[差]", "cha4"),
        ("无阻[塞]的网络", "se4"),
        ("之前我[都]会先跑", "dou1"),
        ("打包成[分]片", "fen1"),
        ("训练中[间]断一次", "jian1"),
        ("优化也有[空]间", "kong1"),
        ("卡就[干]等", "gan1"),
        ("只看[相]邻的块", "xiang1"),
        ("专家被选[中]", "zhong4"),
        ("输出不[应]变化", "ying1"),
        ("和调[好]学习率的基线比", "hao3"),
        ("归约[散]射", "san4"),
        ("我这边[没]收到", "mei2"),
        ("不用先[转]文字", "zhuan3"),
        ("需[要]约两百台", "yao4"),
        ("[处]在核心位置", "chu3"),
    ],
)
def test_a_character_is_read_as_it_is_meant(text: str, reading: str) -> None:
    place, plain = text.index("["), text.replace("[", "").replace("]", "")
    by_dictionary = lazy_pinyin(plain, Style.TONE3)
    assert {**dict(enumerate(by_dictionary)), **readings(plain)}[place] == reading


@given(st.text("长重行调得地切还为差塞都分间空干相中应好处散没转数要了的上会", max_size=12))
def test_a_reading_is_one_that_the_character_has(characters: str) -> None:
    for place, reading in readings(characters).items():
        assert reading in pinyin(characters[place], Style.TONE3, heteronym=True)[0]
