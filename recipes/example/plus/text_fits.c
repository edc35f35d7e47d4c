/*---
 * tasks: [text-fits]
 * tests:
 *   a_star_takes_as_many_as_needed: 'Docstring: "''*'' for any number of them".'
 *   a_star_takes_none: 'Docstring: "none included".'
 *   a_star_begins_anew_after_each_mismatch: 'The same: what it takes may end at any place.'
 *   several_stars_share_the_text: 'The same.'
 *   a_star_in_the_text_is_a_character: 'Docstring: only in the pattern they stand for others.'
 *   a_question_mark_takes_just_one: 'Docstring: "''?'' stands for any one character".'
 *   all_of_the_text_must_fit: 'Docstring: the pattern fits the text, not a part of it.'
 *   all_of_the_pattern_must_be_used: 'The same; stars may be left over.'
 *   other_characters_stand_for_themselves: 'Docstring: "every other character stands for itself".'
 *   there_is_no_escape: 'Docstring: "There is no escape."'
 ---*/
#include "core/text.h"
#include "../tests/harness.h"

static void fits(const char *pattern, const char *text, int whether)
{
    if (!text_fits(pattern, text) != !whether)
        test_fail(__FILE__, __LINE__, "%s, %s", pattern, text);
}

TEST(a_star_takes_as_many_as_needed)
{
    fits("*", "tea", 1);
    fits("t*", "tea and cups", 1);
    fits("*s", "tea and cups", 1);
    fits("t*s", "tea and cups", 1);
    fits("t*x", "tea and cups", 0);
}

TEST(a_star_takes_none)
{
    fits("te*a", "tea", 1);
    fits("tea*", "tea", 1);
    fits("*tea", "tea", 1);
    fits("***", "", 1);
}

TEST(a_star_begins_anew_after_each_mismatch)
{
    fits("*aab", "aaab", 1);
    fits("*abac", "ababac", 1);
    fits("a*abc", "aababc", 1);
    fits("*issip*ss*", "mississippi", 0);
    fits("*issip*", "mississippi", 1);
    fits("*ab?c", "aabababxc", 1);
}

TEST(several_stars_share_the_text)
{
    fits("a*b*a", "abba", 1);
    fits("a*b*a", "ab", 0);
    fits("*a*b*c*", "xxaxbbxcx", 1);
    fits("*a*b*c*", "xxaxcxbx", 0);
    fits("*a**b*", "ab", 1);
}

TEST(a_star_in_the_text_is_a_character)
{
    fits("*a", "*ba", 1);
    fits("a*d", "a*cd", 1);
    fits("**a", "**ba", 1);
    fits("a", "*", 0);
    fits("ab", "a*", 0);
}

TEST(a_question_mark_takes_just_one)
{
    fits("???", "tea", 1);
    fits("??", "tea", 0);
    fits("????", "tea", 0);
    fits("te?", "te", 0);
    fits("*?", "", 0);
    fits("*??", "te", 1);
    fits("?*?", "t", 0);
    fits("?", "?", 1);
    fits("t", "?", 0);
}

TEST(all_of_the_text_must_fit)
{
    fits("te", "tea", 0);
    fits("ea", "tea", 0);
    fits("t*e", "tea", 0);
    fits("", "t", 0);
}

TEST(all_of_the_pattern_must_be_used)
{
    fits("abc", "ab", 0);
    fits("ab*c", "ab", 0);
    fits("ab**", "ab", 1);
    fits("ab*?", "ab", 0);
    fits("a", "", 0);
}

TEST(other_characters_stand_for_themselves)
{
    fits("T", "t", 0);
    fits("a.c", "abc", 0);
    fits("[a]", "a", 0);
    fits("[a]", "[a]", 1);
    fits("a+", "aa", 0);
}

TEST(there_is_no_escape)
{
    fits("\\*", "*", 0);
    fits("\\*", "\\tea", 1);
    fits("\\?", "?", 0);
    fits("\\?", "\\x", 1);
}
