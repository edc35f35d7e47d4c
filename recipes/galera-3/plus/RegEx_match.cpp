/*---
 * tasks: [gu.RegEx.match-bc8283]
 * tests:
 *   the first match is the matched string: 'gu_regex.hpp: "vector of matched substrings"; regexec.'
 *   groups follow in their order: 'gu_regex.hpp: "vector of matched substrings"; callers (gu_uri.cpp).'
 *   as many are returned as were asked for: 'gu_regex.hpp: "num number of matches to return".'
 *   fewer than there are groups can be asked for: 'gu_regex.hpp: "number of matches to return".'
 *   none can be asked for: 'gu_regex.hpp: "number of matches to return".'
 *   more than there are groups are not set: 'gu_regex.hpp: "number of matches to return"; "empty and unset strings".'
 *   a group that took no part is not set: 'gu_regex.hpp: "to differentiate between an empty and unset strings".'
 *   a group that is empty is set: 'gu_regex.hpp: "to differentiate between an empty and unset strings".'
 *   what is not set throws when read: 'gu_regex.hpp: "throws NotSet".'
 *   a match within the string is found: 'gu_regex.hpp: "Matches given string"; regexec.'
 *   a match can be empty: 'gu_regex.hpp: "Matches given string".'
 *   no match throws: 'gu_regex.hpp: the vector holds matches alone; callers (gu_uri.cpp) check nothing.'
 *   no match throws even if none is asked for: 'gu_regex.hpp: "Matches given string".'
 *   after that it can be used again: 'Signature: const.'
 *   extended expressions and nested groups are right: 'gu_regex.hpp: REG_EXTENDED.'
 *   repeated groups hold their last: 'gu_regex.hpp: POSIX regex functions.'
 *   large numbers of matches and long strings do: 'gu_regex.hpp: size_t num.'
 *   the results are copies: 'gu_regex.hpp: vector of matches with values of their own.'
 *   calls do not influence each other: 'Signature: const.'
 *   parts of a URI are found: 'Callers: gu_uri.cpp.'
 ---*/
#include <string>
#include <vector>
#include "gu_regex.hpp"
#include "gu_utils.hpp"
#include "gu_exception.hpp"
#include "gu_uri.hpp"
#include "ok.h"

typedef std::vector<gu::RegEx::Match> Matches;

static bool is(const gu::RegEx::Match &m, const std::string &want)
{
    return m.is_set() && m.str() == want;
}

static bool unset(const gu::RegEx::Match &m)
{
    if (m.is_set()) return false;
    try {
        m.str();
    } catch (const gu::NotSet &) {
        return true;
    }
    return false;
}

static bool fails(const gu::RegEx &r, const std::string &text, size_t num)
{
    try {
        r.match(text, num);
    } catch (const gu::Exception &) {
        return true;
    } catch (...) {
    }
    return false;
}

int main()
{
    limit();
    const gu::RegEx pair("([a-z]+)=([0-9]+)");
    Matches m = pair.match("key=42", 3);
    ok("the first match is the matched string", m.size() == 3 && is(m[0], "key=42"));
    ok("groups follow in their order", m.size() == 3 && is(m[1], "key") && is(m[2], "42"));
    ok("as many are returned as were asked for",
       pair.match("a=1", 3).size() == 3 && pair.match("a=1", 1).size() == 1 &&
       pair.match("a=1", 7).size() == 7);
    m = pair.match("key=42", 2);
    const Matches one = pair.match("key=42", 1);
    ok("fewer than there are groups can be asked for", m.size() == 2 && is(m[0], "key=42") && is(m[1], "key") &&
       one.size() == 1 && is(one[0], "key=42"));
    ok("none can be asked for", pair.match("key=42", 0).empty());
    m = pair.match("key=42", 6);
    ok("more than there are groups are not set", m.size() == 6 && is(m[2], "42") && unset(m[3]) && unset(m[4]) &&
       unset(m[5]));
    const gu::RegEx either("^(a)?(b)?(c*)(d)?$");
    m = either.match("bd", 5);
    const Matches left = either.match("a", 5);
    ok("a group that took no part is not set", m.size() == 5 && !m[1].is_set() && is(m[2], "b") && is(m[4], "d") &&
       left.size() == 5 && is(left[1], "a") && !left[2].is_set() && !left[4].is_set());
    ok("a group that is empty is set", is(m[3], "") && is(left[3], ""));
    ok("what is not set throws when read", unset(m[1]) && unset(left[4]));
    m = pair.match("  12 key=42; other=7", 3);
    ok("a match within the string is found", m.size() == 3 && is(m[0], "key=42") && is(m[1], "key") && is(m[2], "42"));
    const gu::RegEx any("x*");
    m = any.match("abc", 2);
    const Matches empty = any.match("", 1);
    ok("a match can be empty", m.size() == 2 && is(m[0], "") && unset(m[1]) && is(empty[0], ""));
    ok("no match throws", fails(pair, "key=", 3) && fails(pair, "", 3) && fails(pair, "=42", 1) &&
       fails(either, "abe", 5));
    ok("no match throws even if none is asked for", fails(pair, "nothing", 0) && !fails(pair, "key=42", 0));
    m = pair.match("z=9", 3);
    ok("after that it can be used again", m.size() == 3 && is(m[0], "z=9") && is(m[1], "z") && is(m[2], "9"));
    const gu::RegEx nested("((a+)(b{2}|c))+(.)");
    m = nested.match("aabb!", 5);
    const gu::RegEx anchored("^begin.*end$");
    ok("extended expressions and nested groups are right", m.size() == 5 && is(m[0], "aabb!") && is(m[1], "aabb") &&
       is(m[2], "aa") && is(m[3], "bb") && is(m[4], "!") &&
       is(anchored.match("begin the end", 1)[0], "begin the end") &&
       fails(anchored, "begin the end.", 1));
    const gu::RegEx many("(([a-z])[0-9];)*");
    m = many.match("a1;b2;c3;", 3);
    ok("repeated groups hold their last", m.size() == 3 && is(m[0], "a1;b2;c3;") && is(m[1], "c3;") && is(m[2], "c"));
    const std::string text(20000, 'q');
    const gu::RegEx whole("^q(q*)q$");
    m = whole.match(text, 300);
    bool rest = m.size() == 300 && is(m[0], text) && is(m[1], std::string(19998, 'q'));
    for (size_t i = 2; rest && i < 300; i++) rest = unset(m[i]);
    ok("large numbers of matches and long strings do", rest);
    std::string mine("key=42");
    m = pair.match(mine, 3);
    mine.replace(0, 3, "xyz");
    ok("the results are copies", is(m[0], "key=42") && is(m[1], "key") && mine == "xyz=42");
    const Matches second = pair.match("other=777", 3), third = pair.match("n=0", 3);
    ok("calls do not influence each other", is(m[1], "key") && is(second[1], "other") && is(second[2], "777") &&
       is(third[0], "n=0"));
    bool uri = false, bare = false;
    try {
        const gu::URI u("tcp://user@host:4567/path?a=b#end");
        uri = u.get_scheme() == "tcp" && u.get_host() == "host" && u.get_port() == "4567" && u.get_path() == "/path" &&
              u.get_option("a") == "b" && u.get_fragment() == "end" && u.get_user() == "user";
        const gu::URI v("tcp://host");
        bare = v.get_host() == "host" && v.get_path().empty();
        try {
            v.get_fragment();
            bare = false;
        } catch (const gu::NotSet &) {
        }
    } catch (...) {
        uri = false;
    }
    ok("parts of a URI are found", uri && bare);
    return plan();
}
