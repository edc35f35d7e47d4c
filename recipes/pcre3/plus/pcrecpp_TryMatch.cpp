/*---
 * tasks: [pcrecpp.RE.TryMatch-996906]
 * tests:
 *   a match gives one pair for the whole: 'Docstring: "The first pair corresponds to the entire matched text".'
 *   the pairs of groups follow in order: 'Docstring: "subsequent pairs correspond, in order".'
 *   the number of pairs is that of the last group that matched: 'Docstring: "(foo)|(bar)|(baz)" gives 2, 3 and 4.'
 *   a group that took no part is not counted: 'Docstring: "(foo)|hello" gives 1 for "hello".'
 *   the values of unset groups are filled in: 'Docstring: "the values for all subpattern are filled in".'
 *   no match gives zero: 'Docstring: "zero if the match failed".'
 *   an invalid expression gives zero: 'Docstring: "zero if the match failed"; RE::Init leaves no compiled pattern.'
 *   without an anchor a match may be anywhere: 'pcrecpp.h: UNANCHORED, "No anchoring".'
 *   with an anchor at the start it must begin there: 'pcrecpp.h: ANCHOR_START, "Anchor at start only".'
 *   with an anchor at the start it may end anywhere: 'pcrecpp.h: ANCHOR_START, "Anchor at start only".'
 *   with both anchors it must be the whole text: 'pcrecpp.h: ANCHOR_BOTH, "Anchor at start and end".'
 *   with both anchors another alternative is tried: 'pcrecpp.h: ANCHOR_BOTH; FullMatch.'
 *   a newline at the end is not left over: 'pcrecpp.h: ANCHOR_BOTH, "Anchor at start and end".'
 *   the search begins at the position: 'Parameter startpos; caller GlobalReplace.'
 *   offsets count from the start of the text: 'Callers replace in the text by vec[0] and vec[1].'
 *   an anchor at the start is at the position: 'Caller GlobalReplace: ANCHOR_START with its start.'
 *   what is before the position can be looked at: 'Caller GlobalReplace passes the whole text and a position.'
 *   the text does not start anew at the position: 'Caller GlobalReplace passes the whole text and a position.'
 *   a position at the end gives an empty match: 'Caller GlobalReplace goes on while start <= length.'
 *   an empty match is good when it may be: 'Parameter empty_ok.'
 *   an empty match is passed over when it may not be: 'Parameter empty_ok; GlobalReplace seeks a nonempty one.'
 *   with an anchor no empty match gives zero: 'Caller GlobalReplace: ANCHOR_START and no empty match.'
 *   a text of no data is an empty text: 'pcre_stringpiece.h: StringPiece() has NULL for data.'
 *   zeros in the text are matched: 'pcre_stringpiece.h: a StringPiece has a size.'
 *   the text ends with its size: 'pcre_stringpiece.h: a StringPiece has a size.'
 *   a small vector is filled as far as it goes: 'Docstring: "(up to "vecsize" * 2/3)".'
 *   nothing is written past the vector: 'Docstring: "up to".'
 *   the match limit of the options holds: 'pcrecpp.h: RE_Options::match_limit.'
 *   the recursion limit of the options holds: 'pcrecpp.h: RE_Options::match_limit_recursion.'
 *   without limits the same match is found: 'pcrecpp.h: limits of 0 are unset.'
 *   large limits do not hinder a match: 'pcrecpp.h: RE_Options::match_limit.'
 *   options of the compilation do not hinder the match: 'pcrecpp.h: RE_Options hold them.'
 *   a text that is no UTF-8 does not match: 'Docstring: "zero if the match failed"; pcreapi.3: PCRE_ERROR_BADUTF8.'
 *   UTF-8 is not checked when the options say so: 'ChangeLog: "to allow PCRE_NO_UTF8_CHECK to be set".'
 *   the same expression can match again: 'pcrecpp.h: an RE is pre-compiled; the method is const.'
 ---*/
#include <string>
#include <vector>
#include "plus.h"
#include <pcrecpp.h>
using namespace pcrecpp;

static int vec[64];

static int match(const RE &re, const StringPiece &text, int start = 0, RE::Anchor anchor = RE::UNANCHORED,
                 bool empty = true, int size = 30) {
    for (int i = 0; i < 64; i++) vec[i] = 7777;
    return re.TryMatch(text, start, anchor, empty, vec, size);
}

static bool pair(int n, int from, int to) {
    return vec[2 * n] == from && vec[2 * n + 1] == to;
}

int main() {
    int r = match("b+", "aabbc");
    ok("a match gives one pair for the whole", r == 1 && pair(0, 2, 4));
    r = match("(\\w+):(\\d+)", "<ab:123>");
    ok("the pairs of groups follow in order", r == 3 && pair(0, 1, 7) && pair(1, 1, 3) && pair(2, 4, 7));
    RE three("(foo)|(bar)|(baz)");
    ok("the number of pairs is that of the last group that matched",
       match(three, "foo") == 2 && match(three, "bar") == 3 && match(three, "baz") == 4);
    ok("a group that took no part is not counted", match("(foo)|hello", "hello") == 1);
    bool good = pair(0, 0, 5) && pair(1, -1, -1);
    match(three, "-baz");
    good &= pair(0, 1, 4) && pair(1, -1, -1) && pair(2, -1, -1) && pair(3, 1, 4);
    match(three, "bar");
    ok("the values of unset groups are filled in", good && pair(1, -1, -1) && pair(2, 0, 3) && pair(3, -1, -1));
    ok("no match gives zero", match("x", "abc") == 0 && match("^b", "abc") == 0);
    RE invalid("a(b");
    ok("an invalid expression gives zero", match(invalid, "a(b") == 0 && match(invalid, "ab") == 0 &&
       match(invalid, "ab", 0, RE::ANCHOR_BOTH) == 0 && match(invalid, "ab", 0, RE::ANCHOR_START) == 0);

    RE ab("ab|abc|x");
    ok("without an anchor a match may be anywhere", match(ab, "--abc-") == 1 && pair(0, 2, 4));
    ok("with an anchor at the start it must begin there", match(ab, "-ab", 0, RE::ANCHOR_START) == 0);
    ok("with an anchor at the start it may end anywhere",
       match(ab, "abc-", 0, RE::ANCHOR_START) == 1 && pair(0, 0, 2));
    ok("with both anchors it must be the whole text", match(ab, "abcd", 0, RE::ANCHOR_BOTH) == 0 &&
       match(ab, "-ab", 0, RE::ANCHOR_BOTH) == 0 && match(ab, "ab", 0, RE::ANCHOR_BOTH) == 1 && pair(0, 0, 2));
    ok("with both anchors another alternative is tried", match(ab, "abc", 0, RE::ANCHOR_BOTH) == 1 && pair(0, 0, 3));
    ok("a newline at the end is not left over", match(ab, "ab\n", 0, RE::ANCHOR_BOTH) == 0);

    ok("the search begins at the position", match("a", "abab", 1) == 1 && match("a", "abab", 3) == 0);
    match("(a)", "abab", 1);
    ok("offsets count from the start of the text", pair(0, 2, 3) && pair(1, 2, 3));
    ok("an anchor at the start is at the position", match("b", "abab", 1, RE::ANCHOR_START) == 1 && pair(0, 1, 2) &&
       match("b", "abab", 2, RE::ANCHOR_START) == 0);
    ok("what is before the position can be looked at", match("(?<=a)b", "abab", 1, RE::ANCHOR_START) == 1 &&
       match("\\bb", "abab", 1) == 0);
    ok("the text does not start anew at the position", match("^b", "abab", 1) == 0);
    ok("a position at the end gives an empty match", match("z*", "abab", 4) == 1 && pair(0, 4, 4));

    ok("an empty match is good when it may be", match("z*", "abz") == 1 && pair(0, 0, 0));
    ok("an empty match is passed over when it may not be",
       match("z*", "abz", 0, RE::UNANCHORED, false) == 1 && pair(0, 2, 3) &&
       match("b*|aa", "aa", 0, RE::ANCHOR_START, false) == 1 && pair(0, 0, 2));
    ok("with an anchor no empty match gives zero", match("z*", "abz", 0, RE::ANCHOR_START, false) == 0 &&
       match("z*", "", 0, RE::ANCHOR_BOTH, false) == 0 && match("z*", "", 0, RE::ANCHOR_BOTH) == 1);

    ok("a text of no data is an empty text", match("a*", StringPiece()) == 1 && pair(0, 0, 0) &&
       match("a", StringPiece()) == 0 && match("", StringPiece(), 0, RE::ANCHOR_BOTH) == 1);
    ok("zeros in the text are matched", match("b\\0c", StringPiece("ab\0cd", 5)) == 1 && pair(0, 1, 4));
    ok("the text ends with its size", match("c", StringPiece("abc", 2)) == 0 &&
       match("ab", StringPiece("abc", 2), 0, RE::ANCHOR_BOTH) == 1);

    r = match("(a)(b)(c)(d)", "-abcd", 0, RE::UNANCHORED, true, 6);
    ok("a small vector is filled as far as it goes", r > 0 && pair(0, 1, 5) && pair(1, 1, 2));
    good = true;
    for (int i = 6; i < 64; i++) good &= vec[i] == 7777;
    match("(a)(b)(c)", "abc", 0, RE::ANCHOR_BOTH, true, 12);
    for (int i = 12; i < 64; i++) good &= vec[i] == 7777;
    ok("nothing is written past the vector", good);

    const char *deep = "(?:a|b)*c";
    std::string more = std::string(200, 'a') + "c";
    RE_Options few, shallow, plenty;
    few.set_match_limit(5);
    shallow.set_match_limit_recursion(5);
    plenty.set_match_limit(1000000).set_match_limit_recursion(100000);
    ok("the match limit of the options holds", match(RE(deep, few), more) == 0 &&
       match(RE(deep, few), more, 0, RE::ANCHOR_BOTH) == 0 && match(RE("a", few), "a") == 1);
    ok("the recursion limit of the options holds", match(RE(deep, shallow), more) == 0 &&
       match(RE(deep, shallow), more, 0, RE::ANCHOR_START) == 0 && match(RE("a", shallow), "a") == 1);
    ok("without limits the same match is found", match(deep, more) == 1 && pair(0, 0, 201));
    ok("large limits do not hinder a match", match(RE(deep, plenty), more) == 1 && pair(0, 0, 201));

    good = match(RE("B", CASELESS()), "ab") == 1 && match(RE("^b", MULTILINE()), "a\nb") == 1 && pair(0, 2, 3) &&
           match(RE("a.b", DOTALL()), "a\nb") == 1 && match(RE(" a b ", EXTENDED()), "ab") == 1 &&
           match(RE("a+", RE_Options().set_ungreedy(true)), "aaa") == 1 && pair(0, 0, 1) &&
           match(RE("(a)", RE_Options().set_no_auto_capture(true)), "a") == 1;
    ok("options of the compilation do not hinder the match",
       good && match(RE("^.$", UTF8()), "\xc3\xa9") == 1 && pair(0, 0, 2) &&
       match(RE("B", RE_Options(PCRE_CASELESS | PCRE_EXTRA | PCRE_UTF8)), "ab") == 1);
    ok("a text that is no UTF-8 does not match", match(RE("a", UTF8()), "a\xff\xfe") == 0);
    ok("UTF-8 is not checked when the options say so",
       match(RE("a", RE_Options(PCRE_UTF8 | PCRE_NO_UTF8_CHECK)), "a\xff\xfe", 0, RE::ANCHOR_START) == 1);
    ok("the same expression can match again", match(ab, "x") == 1 && match(ab, "y") == 0 && match(ab, "-x") == 1 &&
       match(ab, "x", 0, RE::ANCHOR_BOTH) == 1 && match(ab, "-x") == 1);
    return plus_end();
}
