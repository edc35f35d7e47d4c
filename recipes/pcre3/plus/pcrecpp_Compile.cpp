/*---
 * tasks: [pcrecpp.RE.Compile-ccd125]
 * tests:
 *   a valid expression is compiled: 'pcrecpp.h: "Compile the regexp".'
 *   a valid expression has no error: 'pcrecpp.h: error(), "Else returns the empty string".'
 *   an unanchored expression matches anywhere: 'pcrecpp.h: UNANCHORED, "No anchoring".'
 *   one anchored at the start is compiled as such: 'pcrecpp.h: ANCHOR_START, "Anchor at start only".'
 *   one with both anchors matches the whole text: 'pcrecpp.h: ANCHOR_BOTH, "Anchor at start and end".'
 *   the end holds for each alternative: 'pcrecpp.h: ANCHOR_BOTH, "Anchor at start and end"; FullMatch.'
 *   another alternative is tried to reach the end: 'pcrecpp.h: ANCHOR_BOTH, "Anchor at start and end"; FullMatch.'
 *   a newline before the end is not passed over: 'pcrecpp.h: ANCHOR_BOTH, "Anchor at start and end".'
 *   the end is that of the text in multiline mode too: 'pcrecpp.h: ANCHOR_BOTH, "Anchor at start and end".'
 *   groups keep their numbers with both anchors: 'Caller DoMatchImpl takes the groups of vec from 1 on.'
 *   the number of groups is that of the expression: 'Caller NumberOfCapturingGroups.'
 *   the options are those of the expression: 'pcrecpp.h: RE_Options, "options to be passed along to pcre".'
 *   the options hold with both anchors: 'pcrecpp.h: RE_Options, "options to be passed along to pcre".'
 *   without options none are set: 'pcrecpp.h: RE_Options() has none.'
 *   an invalid expression gives NULL: 'Caller Init: compares the result with NULL.'
 *   its error is told: 'pcrecpp.h: error(), "If RE could not be created properly, returns an error string".'
 *   the error is that of pcre: 'pcrecpp.h: error(); pcre_compile gives the message.'
 *   an expression invalid with any anchor has an error: 'pcrecpp.h: error(), "returns an error string".'
 *   the first error is kept: 'Cleanup deletes one error only.'
 *   the pattern stays as it was: 'pcrecpp.h: pattern(), "The string specification for this RE".'
 *   an empty expression is compiled: 'pcrecpp.h: "Compile the regexp".'
 *   each compiled pattern is the caller's own: 'Cleanup frees re_full_ and re_partial_.'
 *   nothing else is left in store: 'Cleanup frees re_full_ and re_partial_ alone.'
 ---*/
#include <string>
#include <vector>
#include "plus.h"
#include <pcrecpp.h>
using namespace pcrecpp;

static int options_of(const pcre *code) {
    unsigned long options = 0;
    pcre_fullinfo(code, NULL, PCRE_INFO_OPTIONS, &options);
    return (int) options;
}

static bool compiled_with(const RE &re, int options) {
    return (options_of(re.re_partial_) & 0xffff & ~PCRE_ANCHORED) == options &&
           (options_of(re.re_full_) & 0xffff & ~PCRE_ANCHORED) == options;
}

int main() {
    pcre_malloc = plus_malloc;
    pcre_free = plus_free;
    {
        RE re("(a|b)+c|d");
        int groups[3] = {-1, -1, -1};
        ok("a valid expression is compiled", re.re_partial_ != NULL && re.re_full_ != NULL);
        ok("a valid expression has no error", re.error().empty());
        ok("an unanchored expression matches anywhere", re.PartialMatch("--abc--") && !re.PartialMatch("--abx-"));
        long live = plus_live;
        pcre *start = re.Compile(RE::ANCHOR_START), *other = re.Compile(RE::UNANCHORED);
        pcre *full = re.Compile(RE::ANCHOR_BOTH);
        int vec[30];
        bool good = start && pcre_exec(start, NULL, "abcx", 4, 0, PCRE_ANCHORED, vec, 30) == 2;
        good &= vec[0] == 0 && vec[1] == 3;
        ok("one anchored at the start is compiled as such", good && re.error().empty());
        ok("one with both anchors matches the whole text", re.FullMatch("aabc") && !re.FullMatch("aabcx") &&
           !re.FullMatch("-aabc") &&
           pcre_exec(full, NULL, "abcx", 4, 0, PCRE_ANCHORED, vec, 30) == PCRE_ERROR_NOMATCH);
        ok("each compiled pattern is the caller's own", start != other && other != full && other != re.re_partial_ &&
           full != re.re_full_ && plus_live == live + 3);
        pcre_free(start);
        pcre_free(other);
        pcre_free(full);
    }
    {
        RE re("ab|abc|x");
        ok("the end holds for each alternative", re.FullMatch("ab") && re.FullMatch("x") && !re.FullMatch("abz") &&
           !re.FullMatch("xz") && !re.FullMatch("abcz"));
        ok("another alternative is tried to reach the end", re.FullMatch("abc"));
        ok("a newline before the end is not passed over", !re.FullMatch("ab\n") && !re.FullMatch("x\n"));
        RE lines("ab|^c", MULTILINE());
        ok("the end is that of the text in multiline mode too", !lines.FullMatch("ab\nc") && lines.FullMatch("ab") &&
           lines.PartialMatch("b\nc"));
    }
    {
        RE re("(\\w+)-(\\d+)");
        std::string word;
        int number = 0;
        ok("groups keep their numbers with both anchors", re.FullMatch("abc-12", &word, &number) && word == "abc" &&
           number == 12 && RE("(a)\\1").FullMatch("aa"));
        int full = -1;
        pcre_fullinfo(re.re_full_, NULL, PCRE_INFO_CAPTURECOUNT, &full);
        ok("the number of groups is that of the expression", re.NumberOfCapturingGroups() == 2 && full == 2);
    }
    {
        bool good = true;
        int each[] = {PCRE_CASELESS, PCRE_MULTILINE, PCRE_DOTALL, PCRE_EXTENDED, PCRE_DOLLAR_ENDONLY, PCRE_EXTRA,
                      PCRE_UNGREEDY, PCRE_UTF8, PCRE_NO_AUTO_CAPTURE, PCRE_CASELESS | PCRE_DOTALL | PCRE_UNGREEDY};
        for (size_t i = 0; i < sizeof(each) / sizeof(each[0]); i++)
            good &= compiled_with(RE("a(b)", RE_Options(each[i])), each[i]);
        ok("the options are those of the expression", good && RE("AB", CASELESS()).PartialMatch("xab"));
        ok("the options hold with both anchors", RE("A.B", CASELESS().set_dotall(true)).FullMatch("a\nb") &&
           RE(" a b", EXTENDED()).FullMatch("ab") && RE("..", UTF8()).FullMatch("\xc3\xa9\xc3\xa9"));
        ok("without options none are set", compiled_with(RE("ab"), 0) && !RE("AB").FullMatch("ab"));
    }
    {
        RE re("a(b");
        const char *message;
        int offset;
        pcre_compile("a(b", 0, &message, &offset, NULL);
        ok("an invalid expression gives NULL", re.re_partial_ == NULL && re.re_full_ == NULL);
        ok("its error is told", !re.error().empty());
        ok("the error is that of pcre", re.error() == message);
        std::string before = re.error();
        pcre *again = re.Compile(RE::UNANCHORED), *full = re.Compile(RE::ANCHOR_BOTH);
        ok("the first error is kept", again == NULL && full == NULL && re.error() == before);
        RE bracket("[z-a]"), repeat("*a"), fine("ab");
        bool good = !bracket.error().empty() && !repeat.error().empty() && bracket.error() != repeat.error();
        fine.pattern_ = "(c";
        good &= fine.Compile(RE::ANCHOR_BOTH) == NULL && !fine.error().empty();
        RE third("ab");
        third.pattern_ = "(c";
        good &= third.Compile(RE::ANCHOR_START) == NULL && !third.error().empty();
        ok("an expression invalid with any anchor has an error", good);
    }
    {
        RE re("x|y"), empty("");
        ok("the pattern stays as it was", re.pattern() == "x|y" && RE("a(").pattern() == "a(");
        ok("an empty expression is compiled", empty.error().empty() && empty.FullMatch("") && !empty.FullMatch("a") &&
           empty.PartialMatch("a"));
    }
    ok("nothing else is left in store", plus_live == 0 && plus_bad == 0);
    return plus_end();
}
