/*---
 * tasks: [uc_width-b1e99a]
 * tests:
 *   printable characters of ASCII have one column: 'Comment: "number of column positions required for UC".'
 *   control characters have none to tell: 'Caller wcwidth gives it as its result, which is -1 where not printable.'
 *   the null character has no column: 'Caller wcwidth gives it as its result, which is 0 for that one.'
 *   letters of other alphabets have one column: 'Comment: "number of column positions"; u_width2 lists the wide ones.'
 *   combining characters have none: 'Comment of the tables: "Non-spacing characters".'
 *   format control characters have none: 'Comment of the tables: "Format control characters".'
 *   characters of zero width have none: 'Comment of the tables: "Zero width characters".'
 *   vowels and finals of conjoining Hangul have none: 'Comment of the tables: "jungseong", "jongseong".'
 *   the tags have none: 'Comment of the tables: "Format control characters".'
 *   the supplementary variation selectors have none: 'Comment of the tables: "Non-spacing characters".'
 *   what is between the tags is none: 'test-uc_width2.sh: E0002..E001F, E0080..E00FF and E01F0 on have 1.'
 *   combining characters outside the first plane have none: 'Comment of the tables: "Non-spacing characters".'
 *   wide characters have two columns: 'width2.h: u_width2 is the table of them.'
 *   wide characters outside the first plane have two: 'width2.h: u_width2 is the table of them.'
 *   halfwidth characters have one column: 'width2.h: they are not in u_width2.'
 *   private characters of the last planes have one column: 'width2.h: they are not in u_width2.'
 *   in each encoding of CJK most characters have two: 'uniwidth.h: "The encoding argument identifies the encoding".'
 *   in other encodings they have one: 'cjk.h: is_cjk_encoding lists the encodings.'
 *   ASCII has one column in an encoding of CJK too: 'cjk.h: these are encodings with characters of one byte.'
 *   halfwidth characters have one column there too: 'Halfwidth characters are those of one column there.'
 *   non-spacing characters have none there either: 'Comment of the tables: they "act like combining characters".'
 *   wide characters have two there too: 'width2.h: u_width2 is the table of them.'
 *   control characters are none there either: 'Caller wcwidth gives it as its result.'
 ---*/
#include "plus.h"
#include "../uniwidth/width.c"

static int all(const ucs4_t *list, int n, const char *encoding, int width) {
    for (int i = 0; i < n; i++) if (uc_width(list[i], encoding) != width) return 0;
    return 1;
}

static int range(ucs4_t first, ucs4_t last, const char *encoding, int width) {
    for (ucs4_t c = first; c <= last; c++) if (uc_width(c, encoding) != width) return 0;
    return 1;
}

#define ALL(list, encoding, width) all(list, sizeof(list) / sizeof(*list), encoding, width)

int main(void) {
    static const char *cjk[] = {"EUC-JP", "GB2312", "GBK", "EUC-TW", "BIG5", "EUC-KR", "CP949", "JOHAB"};
    static const char *others[] = {"UTF-8", "ISO-8859-5", "KOI8-R", "GB18030", "ISO-8859-1", "ASCII"};
    static const ucs4_t letters[] = {0xe9, 0x17f, 0x3b1, 0x410, 0x44f, 0x10d0, 0x1e00, 0x2190, 0x2500, 0x10300};
    static const ucs4_t combining[] = {0x300, 0x301, 0x36f, 0x483, 0x591, 0x5b0, 0x64b, 0x20d0, 0xfe20};
    static const ucs4_t formats[] = {0x200c, 0x200d, 0x200e, 0x200f, 0x202a, 0x202e, 0x2060};
    static const ucs4_t high[] = {0x1d167, 0x1d185, 0x101fd};
    static const ucs4_t wide[] = {0x1100, 0x3000, 0x3001, 0x3042, 0x30a2, 0x4e00, 0x9fff, 0xac00, 0xb250, 0xd7a3,
        0xf900, 0xff01, 0xff1a, 0xff60, 0xffe6};
    static const ucs4_t far[] = {0x20000, 0x20369, 0x2f876, 0x30000};
    static const ucs4_t half[] = {0xff61, 0xff71, 0xff9d, 0xffa1, 0xffdc};
    static const ucs4_t cyrillic[] = {0x410, 0x42f, 0x430, 0x44f, 0x391, 0x3b1, 0x2500, 0x2190};
    static const ucs4_t few[] = {0x301, 0x5b0, 0x200b, 0xfeff, 0xe0044};
    plus_start();
    ok("printable characters of ASCII have one column", range(0x20, 0x7e, "UTF-8", 1) &&
       range(0x20, 0x7e, "ASCII", 1));
    ok("control characters have none to tell", range(0x01, 0x1f, "UTF-8", -1) && range(0x7f, 0x9f, "UTF-8", -1));
    ok("the null character has no column", uc_width(0, "UTF-8") == 0);
    ok("letters of other alphabets have one column", ALL(letters, "UTF-8", 1));
    ok("combining characters have none", ALL(combining, "UTF-8", 0));
    ok("format control characters have none", ALL(formats, "UTF-8", 0));
    ok("characters of zero width have none", uc_width(0x200b, "UTF-8") == 0 && uc_width(0xfeff, "UTF-8") == 0);
    ok("vowels and finals of conjoining Hangul have none", range(0x1160, 0x11ff, "UTF-8", 0));
    ok("the tags have none", uc_width(0xe0001, "UTF-8") == 0 && range(0xe0020, 0xe007f, "UTF-8", 0));
    ok("the supplementary variation selectors have none", range(0xe0100, 0xe01ef, "UTF-8", 0));
    ok("what is between the tags is none",
       range(0xe0002, 0xe001f, "UTF-8", 1) && range(0xe0080, 0xe00ff, "UTF-8", 1) &&
       uc_width(0xe0000, "UTF-8") == 1 && range(0xe01f0, 0xe0300, "UTF-8", 1));
    ok("combining characters outside the first plane have none", ALL(high, "UTF-8", 0));
    ok("wide characters have two columns", ALL(wide, "UTF-8", 2));
    ok("wide characters outside the first plane have two", ALL(far, "UTF-8", 2));
    ok("halfwidth characters have one column", ALL(half, "UTF-8", 1));
    ok("private characters of the last planes have one column", uc_width(0xf0000, "UTF-8") == 1 &&
       uc_width(0x10fffd, "UTF-8") == 1 && uc_width(0xe000, "UTF-8") == 1);
    int most = 1, ascii = 1, halves = 1, none = 1, two = 1, control = 1, plain = 1;
    for (int i = 0; i < 8; i++) {
        most &= ALL(cyrillic, cjk[i], 2);
        ascii &= range(0x20, 0x7e, cjk[i], 1);
        halves &= ALL(half, cjk[i], 1);
        none &= ALL(few, cjk[i], 0) && uc_width(0, cjk[i]) == 0;
        two &= ALL(wide, cjk[i], 2) && ALL(far, cjk[i], 2);
        control &= range(0x01, 0x1f, cjk[i], -1) && range(0x7f, 0x9f, cjk[i], -1);
    }
    for (int i = 0; i < 6; i++) plain &= ALL(cyrillic, others[i], 1);
    ok("in each encoding of CJK most characters have two", most);
    ok("in other encodings they have one", plain);
    ok("ASCII has one column in an encoding of CJK too", ascii);
    ok("halfwidth characters have one column there too", halves);
    ok("non-spacing characters have none there either", none);
    ok("wide characters have two there too", two);
    ok("control characters are none there either", control);
    return plus_end();
}
