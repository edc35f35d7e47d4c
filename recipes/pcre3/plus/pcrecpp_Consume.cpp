/*---
 * tasks: [pcrecpp.Scanner.Consume-f15032]
 * tests:
 *   a match at the start is true: 'Docstring: "the start of the remaining input matches".'
 *   the matched input is skipped over: 'Docstring: "it skips over the matched input".'
 *   no match is false: 'Docstring: "Return true iff".'
 *   a match further on is none: 'Docstring: "the start of the remaining input matches".'
 *   without a match nothing is skipped: 'Docstring: "If it returns true, it skips over".'
 *   without a match nothing that could be skipped is: 'Docstring: "If it returns true, it skips over".'
 *   one argument is stored: 'Docstring: "matched sub-patterns can be parsed and stored into the arguments".'
 *   two arguments are stored in order: 'Docstring: "parsed and stored into the arguments".'
 *   three arguments are stored in order: 'Docstring: "parsed and stored into the arguments".'
 *   what can not be parsed is false: 'Docstring: "matched sub-patterns can be parsed".'
 *   what can not be parsed stays in the input: 'Docstring: "If it returns true, it skips over the matched input".'
 *   more arguments than sub-patterns are false: 'Docstring: "matched sub-patterns can be parsed and stored".'
 *   what follows and is to be skipped is skipped: 'Docstring: "and any following input that matches the "skip"".'
 *   skipping repeats: 'pcre_scanner.h: "Skipping repeats as long as it succeeds".'
 *   with Skip it does not repeat: 'pcre_scanner.h: Skip, "does *not* repeat".'
 *   what is before the match is not skipped: 'Docstring: "any following input".'
 *   with skipping disabled nothing more is skipped: 'pcre_scanner.h: DisableSkip, "Temporarily pause "skip"ing".'
 *   with skipping enabled again it is skipped: 'pcre_scanner.h: EnableSkip.'
 *   without a skip expression nothing more is skipped: 'pcre_scanner.h: "pass NULL ... if you do not want".'
 *   an empty match is true: 'Docstring: "the start of the remaining input matches".'
 *   after an empty match it is skipped too: 'Docstring: "and any following input that matches".'
 *   at the end of the input only an empty match is true: 'Docstring: "the remaining input".'
 *   the whole input can be consumed in steps: 'Docstring: "skips over the matched input".'
 *   skipped comments are saved: 'pcre_scanner.h: ConsumeSkip, to "honour save_comments_".'
 ---*/
#include <string>
#include <vector>
#include "plus.h"
#include <pcre_scanner.h>
using namespace pcrecpp;
using std::string;

int main() {
    {
        Scanner s("abc123 x");
        bool good = s.Consume("[a-z]+");
        ok("a match at the start is true", good);
        ok("the matched input is skipped over", s.Offset() == 3 && s.LookingAt("123"));
        good = !s.Consume("[a-z]+");
        ok("no match is false", good && !s.Consume("y"));
        ok("a match further on is none", !s.Consume("x") && !s.Consume("23"));
        ok("without a match nothing is skipped", s.Offset() == 3);
        good = s.Consume("z*");
        ok("an empty match is true", good && s.Offset() == 3);
        good = s.Consume("\\d+") && s.Consume(" ") && s.Offset() == 7 && s.Consume("x") && s.Offset() == 8;
        ok("the whole input can be consumed in steps", good && s.LookingAt("\\z"));
        ok("at the end of the input only an empty match is true",
           !s.Consume("x") && s.Consume("x*") && s.Offset() == 8);
    }
    {
        Scanner s("key=12;a:b;1,2,3;9z;q");
        string key, left, right;
        int n = 0, a = 0, b = 0, c = 0;
        bool good = s.Consume("(\\w+)=", &key);
        good &= s.Consume("(\\d+);", &n);
        ok("one argument is stored", good && key == "key" && n == 12);
        good = s.Consume("(\\w):(\\w);", &left, &right);
        ok("two arguments are stored in order", good && left == "a" && right == "b" && s.Offset() == 11);
        good = s.Consume("(\\d),(\\d),(\\d);", &a, &b, &c);
        ok("three arguments are stored in order", good && a == 1 && b == 2 && c == 3);
        int at = s.Offset();
        ok("what can not be parsed is false", !s.Consume("(\\w+);", &n));
        ok("what can not be parsed stays in the input", s.Offset() == at && s.LookingAt("9z;q"));
        ok("more arguments than sub-patterns are false", !s.Consume("(9)z", &a, &b) && s.Offset() == at);
    }
    {
        Scanner s("  a   b --c");
        s.SetSkipExpression(" ");
        int start = s.Offset();
        bool good = !s.Consume(" +b");
        ok("without a match nothing that could be skipped is", good && s.Offset() == start);
        good = s.Consume("a");
        ok("what follows and is to be skipped is skipped", good && s.LookingAt("b"));
        ok("skipping repeats", s.Offset() == 6);
        s.DisableSkip();
        good = s.Consume("b") && s.Offset() == 7;
        ok("with skipping disabled nothing more is skipped", good && s.LookingAt(" --c"));
        good = !s.Consume("--c") && s.Offset() == 7;
        s.EnableSkip();
        good &= s.Consume("-") && s.Consume("-") && s.LookingAt("c");
        ok("with skipping enabled again it is skipped", good);
    }
    {
        Scanner s("a  b  c d");
        s.Skip(" ");
        bool good = s.Consume("a") && s.Offset() == 2;
        ok("with Skip it does not repeat", good && s.LookingAt(" b"));
        good = !s.Consume("b");
        ok("what is before the match is not skipped", good && s.Offset() == 2);
        good = s.Consume(" b") && s.Offset() == 5;
        s.Skip(NULL);
        good &= s.Consume(" c") && s.Offset() == 7 && s.LookingAt(" d");
        Scanner plain("x  y");
        good &= plain.Consume("x") && plain.Offset() == 1;
        plain.SetSkipExpression("\\s");
        good &= plain.Offset() == 3;
        plain.SetSkipExpression(NULL);
        ok("without a skip expression nothing more is skipped", good && plain.Consume("y") && plain.Offset() == 4);
    }
    {
        Scanner s("a--b");
        s.SetSkipExpression("-");
        s.DisableSkip();
        s.Consume("a");
        s.should_skip_ = true;
        bool good = s.Consume("x?");
        ok("after an empty match it is skipped too", good && s.Offset() == 3);
    }
    {
        Scanner s("a /* one */ b // two\nc");
        std::vector<StringPiece> found;
        s.SkipCXXComments();
        s.set_save_comments(true);
        bool good = s.Consume("a") && s.Consume("b") && s.Consume("c");
        s.GetNextComments(&found);
        ok("skipped comments are saved", good && found.size() == 2 && found[0].as_string() == " /* one */ " &&
           found[1].as_string() == " // two\n");
    }
    return plus_end();
}
