"""Prevents: a renaming that changes a string, an included file's name or prose, leaves a name of a macro or a comment
behind, moves a line, or loses a byte."""

from __future__ import annotations

import pytest

from executor.manifest.variant.renamed_text import rename_code, rename_comment, rename_data, restore_original_names
from index.source_text import decode_source

NAMES = {"dict": "zap", "dictFind": "zapSeek", "word": "plonk", "LEN": "MUB", "a_b": "c_d", "_suffix": "_ending"}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("dict *d = dictFind(word);", "zap *d = zapSeek(plonk);"),
        ("s = \"dict\" LEN\"dict\" L'd' 'dict';", "s = \"dict\" MUB\"dict\" L'd' 'dict';"),
        ('R"(dict " )" dict u8R"x(dict)"x)x" dict', 'R"(dict " )" zap u8R"x(dict)"x)x" zap'),
        ('#include "dict.h"\n# include <dict>\n#include LEN', '#include "dict.h"\n# include <dict>\n#include MUB'),
        ("#error a dict isn't\n#pragma dict\ndict", "#error a dict isn't\n#pragma dict\nzap"),
        ("#error dict \\\n dict\ndict", "#error dict \\\n dict\nzap"),
        ("#if __has_include(<dict>) || LEN", "#if __has_include(<dict>) || MUB"),
        ("#define F(x) dict##x #x word.dict", "#define F(x) zap##x #x plonk.zap"),
        ("%:define LEN <:dict:>", "%:define MUB <:zap:>"),
        ("1'000'000 + 0xdict + 1.0_suffix + .5dict + dict", "1'000'000 + 0xdict + 1.0_suffix + .5dict + zap"),
        ('operator""_suffix "x"_suffix', 'operator""_ending "x"_ending'),
        ("mydict dict2 DICT", "mydict dict2 DICT"),
        ('"open\ndict', '"open\nzap'),
        ('"a\\"dict" dict', '"a\\"dict" zap'),
        # The text names the operands by their labels.
        (
            'asm("%[dict]" : [dict] "=r"(dict), [ word ]"r"(word));',
            'asm("%[dict]" : [dict] "=r"(zap), [ word ]"r"(plonk));',
        ),
        ('f(dict[word], "x"); g([word] { h("x"); });', 'f(zap[plonk], "x"); g([plonk] { h("x"); });'),
    ],
)
def test_tokens_are_replaced_outside_literals(text: str, wanted: str) -> None:
    assert rename_code(text, NAMES) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("/* a word of a dict (any) */", "/* a word of a dict (any) */"),
        ("// dict() and `word` and 'dict', struct dict", "// zap() and `plonk` and 'zap', struct zap"),
        ("// see dictFind, a_b or LEN", "// see zapSeek, c_d or MUB"),
        ("/** @param word a word\n * \\p dict */", "/** @param plonk a word\n * \\p zap */"),
        ("/** @param[in] word a word */", "/** @param[in] plonk a word */"),
        ("// dict->x, dict::y, dict[0], &word, x->word", "// zap->x, zap::y, zap[0], &plonk, x->plonk"),
        ("// dict.c holds dictFind.c and a_b.h, not a_b.", "// dict.c holds dictFind.c and a_b.h, not c_d."),
        ("// in bold: **word**", "// in bold: **word**"),
    ],
)
def test_names_in_comments_change_and_prose_stays(text: str, wanted: str) -> None:
    assert rename_comment(text, NAMES) == wanted
    assert rename_code(f"{text}\n", NAMES) == f"{wanted}\n"


def test_every_byte_and_every_line_survives() -> None:
    data = b'int dict; /* \xe9 dictFind \xff */\r\n\fchar *s = "\xe4\\\n dict";\n\x00 word'
    text = rename_code(decode_source(data), NAMES)
    assert text.encode("utf-8", "surrogateescape") == data.replace(b"int dict", b"int zap").replace(
        b"dictFind", b"zapSeek"
    ).replace(b"\x00 word", b"\x00 plonk")
    assert rename_code(decode_source(data), {}) == decode_source(data)


def test_an_answer_reads_under_the_original_names() -> None:
    code = 'dict *d = dictFind(word); /* dictFind() of a word */\nlog("dict");\n'
    assert restore_original_names(rename_code(code, NAMES), NAMES) == code
    assert restore_original_names('It calls zapSeek on a zap, and logs "zapSeek".', NAMES) == (
        'It calls dictFind on a dict, and logs "dictFind".'
    )


@pytest.mark.parametrize("opening", ["/*", '"', "'", 'R"(', "#error \\\n", "__has_include(", "a" * 3, "1'"])
def test_text_that_is_never_closed_takes_linear_time(opening: str) -> None:
    assert rename_code(opening * 100_000, NAMES) == opening * 100_000


def test_a_generators_json_names_handlers_and_groups() -> None:
    """redis: its command table is generated of these files, and refused when a command's group was renamed."""
    names = {"getCommand": "golpVusk", "string": "brin", "get_keys": "pelk_jorv", "group": "x", "aB": "qR"}
    text = '{"group": "string", "function": "getCommand", "get_keys": "get_keys", "aB": "aB"}'
    renamed = '{"group": "string", "function": "golpVusk", "get_keys": "pelk_jorv", "aB": "qR"}'
    assert rename_data("src/commands/get.json", text, names) == renamed
