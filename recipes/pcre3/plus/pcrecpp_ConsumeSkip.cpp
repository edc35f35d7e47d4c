/*---
 * tasks: [pcrecpp.Scanner.ConsumeSkip-8792d4]
 * tests:
 *   what matches the skip expression is consumed: 'Docstring: "helper function to consume *skip_".'
 *   it is consumed again and again: 'pcre_scanner.h: "Skipping repeats as long as it succeeds".'
 *   with Skip it is consumed once: 'pcre_scanner.h: Skip, "does *not* repeat".'
 *   what does not match stays: 'Docstring: "consume *skip_"; only a prefix is skipped.'
 *   only a prefix is skipped: 'pcre_scanner.h: "a prefix of the input matches this RE".'
 *   the end of the input is no problem: 'pcre_scanner.h: "Skipping repeats as long as it succeeds".'
 *   an empty input is no problem: 'pcre_scanner.h: "Skipping repeats as long as it succeeds".'
 *   without save_comments nothing is saved: 'pcre_scanner.h: save_comments_, "If true, aggregate".'
 *   with save_comments the skipped text is saved: 'Docstring: "honour save_comments_".'
 *   repeated skips are saved as one text: 'pcre_scanner.h: save_comments_, "aggregate the skip expression".'
 *   a single skip is saved alone: 'pcre_scanner.h: Skip, "does *not* repeat".'
 *   when nothing is skipped nothing is saved: 'GetComments: "the comments found".'
 *   a text of one character is saved: 'GetComments: "the comments found".'
 *   later texts are added behind: 'GetNextComments: "the comments added since the last time".'
 *   the saved text lies in the input: 'GetComments: "found in the byte range [start,end] ... of the input data".'
 *   texts can be found by their place: 'GetComments: "extracted entirely within that range".'
 *   once asked for they are not handed out again: 'GetNextComments: "since the last time this was called".'
 *   saving can be switched off again: 'Docstring: "honour save_comments_".'
 *   what is skipped by EnableSkip is saved: 'EnableSkip: "immediately dropped"; it calls ConsumeSkip.'
 *   a skip expression that could match nothing is consumed once: 'pcre_scanner.h: Skip, "does *not* repeat".'
 ---*/
#include <string>
#include <vector>
#include "plus.h"
#include <pcre_scanner.h>
using namespace pcrecpp;
using std::vector;

static bool is(const StringPiece &piece, const char *text) {
    return piece.as_string() == text;
}

int main() {
    vector<StringPiece> found;
    {
        Scanner s("  a  b   ");
        s.SetSkipExpression(" ");
        ok("what matches the skip expression is consumed", s.Offset() > 0);
        ok("it is consumed again and again", s.Offset() == 2);
        s.ConsumeSkip();
        ok("what does not match stays", s.Offset() == 2 && s.LookingAt("a"));
        s.Consume("a");
        ok("only a prefix is skipped", s.Offset() == 5 && s.LookingAt("b"));
        s.Consume("b");
        ok("the end of the input is no problem", s.Offset() == 9);
        s.ConsumeSkip();
        Scanner none("");
        none.SetSkipExpression("\\s|x");
        none.set_save_comments(true);
        none.ConsumeSkip();
        none.GetNextComments(&found);
        ok("an empty input is no problem", none.Offset() == 0 && found.empty());
        s.GetNextComments(&found);
        s.GetComments(0, 9, &found);
        ok("without save_comments nothing is saved", found.empty());
    }
    {
        Scanner s("---a--b");
        s.Skip("-");
        bool good = s.Offset() == 1;
        s.ConsumeSkip();
        good &= s.Offset() == 2;
        s.set_save_comments(true);
        s.ConsumeSkip();
        ok("with Skip it is consumed once", good && s.Offset() == 3);
        s.GetNextComments(&found);
        ok("a text of one character is saved", found.size() == 1 && is(found[0], "-"));
        s.Consume("a");
        found.clear();
        s.GetNextComments(&found);
        ok("a single skip is saved alone", found.size() == 1 && is(found[0], "-") && s.Offset() == 5);
        Scanner maybe("xx yy");
        maybe.Skip("x*");
        good = maybe.Offset() == 2;
        maybe.ConsumeSkip();
        ok("a skip expression that could match nothing is consumed once", good && maybe.Offset() == 2);
    }
    {
        const char *text = "a # one\n# two\nb;c # three\nd#\n e";
        Scanner s(text);
        s.SetSkipExpression("\\s|#.*\n");
        s.set_save_comments(true);
        found.clear();
        s.Consume("a");
        s.GetNextComments(&found);
        ok("with save_comments the skipped text is saved", !found.empty() && is(found[0], " # one\n# two\n"));
        ok("repeated skips are saved as one text", found.size() == 1 && s.LookingAt("b"));
        ok("the saved text lies in the input", found.size() == 1 && found[0].data() == s.data_.data() + 1);
        s.Consume("b");
        s.Consume(";");
        found.clear();
        s.GetNextComments(&found);
        ok("when nothing is skipped nothing is saved", found.empty());
        s.Consume("c");
        s.Consume("d");
        s.GetNextComments(&found);
        ok("later texts are added behind", found.size() == 2 && is(found[0], " # three\n") && is(found[1], "#\n "));
        vector<StringPiece> placed;
        s.GetComments(0, 14, &placed);
        bool good = placed.size() == 1 && is(placed[0], " # one\n# two\n");
        placed.clear();
        s.GetComments(15, 27, &placed);
        good &= placed.size() == 1 && is(placed[0], " # three\n");
        placed.clear();
        s.GetComments(0, 100, &placed);
        ok("texts can be found by their place", good && placed.size() == 3);
        found.clear();
        s.GetNextComments(&found);
        ok("once asked for they are not handed out again", found.empty());
    }
    {
        Scanner s("a b c d");
        s.SetSkipExpression(" ");
        s.set_save_comments(true);
        s.Consume("a");
        s.set_save_comments(false);
        s.Consume("b");
        found.clear();
        s.GetNextComments(&found);
        ok("saving can be switched off again", found.size() == 1 && s.LookingAt("c"));
        s.set_save_comments(true);
        s.DisableSkip();
        s.Consume("c");
        bool good = s.LookingAt(" d");
        s.EnableSkip();
        found.clear();
        s.GetNextComments(&found);
        ok("what is skipped by EnableSkip is saved", good && s.LookingAt("d") && found.size() == 1 &&
           is(found[0], " ") &&
           found[0].data() == s.data_.data() + 5);
    }
    return plus_end();
}
