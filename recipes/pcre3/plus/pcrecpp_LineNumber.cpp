/*---
 * tasks: [pcrecpp.Scanner.LineNumber-155978]
 * tests:
 *   at the start it is line 1: 'Docstring: "The returned line-number is one-based".'
 *   without any input it is line 1: 'Docstring: "1 + the number of consumed newlines".'
 *   a consumed newline makes it line 2: 'Docstring: "1 + the number of consumed newlines".'
 *   a newline that is next is not counted: 'Docstring: "consumed newlines".'
 *   each of several newlines is counted: 'Docstring: "the number of consumed newlines".'
 *   a newline at the very start is counted: 'Docstring: "the number of consumed newlines".'
 *   a newline at the very end is counted: 'Docstring: "the number of consumed newlines".'
 *   skipped newlines are counted: 'Docstring: "current line number"; pcre_scanner.h: what is skipped is consumed.'
 *   a carriage return is no newline: 'Docstring: "newlines".'
 *   a failed Consume leaves the line: 'pcre_scanner.h: Consume skips over input only "if it returns true".'
 *   asking again gives the same: 'Docstring: "Return current line number"; the method is const.'
 *   asking changes nothing of the scanner: 'The method is const.'
 *   newlines after a byte of zero are counted: 'Docstring; the input is a string with a size.'
 *   after each of many lines it is right: 'Docstring: "1 + the number of consumed newlines".'
 ---*/
#include <string>
#include <vector>
#include "plus.h"
#include <pcre_scanner.h>
using namespace pcrecpp;

int main() {
    {
        Scanner s("ab\ncd\n\n\nef"), none("");
        ok("at the start it is line 1", s.LineNumber() == 1);
        ok("without any input it is line 1", Scanner().LineNumber() == 1 && none.LineNumber() == 1);
        s.Consume("ab");
        ok("a newline that is next is not counted", s.LineNumber() == 1);
        s.Consume("\n");
        ok("a consumed newline makes it line 2", s.LineNumber() == 2);
        bool failed = !s.Consume("x\n");
        ok("a failed Consume leaves the line", failed && s.LineNumber() == 2);
        s.Consume("cd\n\n\n");
        ok("each of several newlines is counted", s.LineNumber() == 5);
        ok("asking again gives the same", s.LineNumber() == 5 && s.LineNumber() == 5);
        ok("asking changes nothing of the scanner", s.Offset() == 8 && s.LookingAt("ef") && s.Consume("ef") &&
           s.LineNumber() == 5);
    }
    {
        Scanner first("\nabc"), last("abc\n");
        first.Consume("\n");
        last.Consume("abc");
        bool good = last.LineNumber() == 1;
        last.Consume("\n");
        ok("a newline at the very start is counted", first.LineNumber() == 2);
        ok("a newline at the very end is counted", good && last.LineNumber() == 2);
    }
    {
        Scanner s("a \n /* x\ny */ b\n");
        s.SkipCXXComments();
        s.Consume("a");
        bool good = s.LineNumber() == 3;
        s.Consume("b");
        ok("skipped newlines are counted", good && s.LineNumber() == 4);
    }
    {
        Scanner s("a\rb\r\nc");
        s.Consume("a\rb");
        bool good = s.LineNumber() == 1;
        s.Consume("\r\n");
        ok("a carriage return is no newline", good && s.LineNumber() == 2);
    }
    {
        Scanner s(std::string("a\0\nb\n", 5));
        s.Consume("a\\0\nb");
        bool good = s.LineNumber() == 2;
        s.Consume("\n");
        ok("newlines after a byte of zero are counted", good && s.LineNumber() == 3);
    }
    {
        std::string text;
        for (int i = 0; i < 300; i++) text += "line\n";
        Scanner s(text);
        bool good = true;
        for (int i = 1; i <= 300; i++) {
            good &= s.Consume("line") && s.LineNumber() == i;
            good &= s.Consume("\n") && s.LineNumber() == i + 1;
        }
        ok("after each of many lines it is right", good);
    }
    return plus_end();
}
