/*---
 * tasks: [get_regex_type_synonym-328811]
 * tests:
 *   a type without a synonym has none: 'regextype.h: "Otherwise, return -1".'
 *   of two synonyms one names the other: 'regextype.h: "return the index of one of them".'
 *   of two synonyms one is described: 'Caller describe_all describes only what is no synonym of another.'
 *   no type is its own synonym: 'Caller describe_all would write that it is a synonym for itself.'
 *   the first and the last type can be synonyms: 'regextype.h: IX is "a regular expression type index" from 0 on.'
 *   neighbours can be synonyms: 'regextype.h: "If regular expression type IX ... has one or more synonyms".'
 *   a synonym outside the context does not count: 'regextype.h: "interesting in context CONTEXT".'
 *   a synonym of all contexts counts in each: 'regextype.h: CONTEXT_ALL has the bits of both.'
 *   in all contexts any synonym counts: 'regextype.h: CONTEXT_ALL, "all callers".'
 *   behind one outside the context another is found: 'regextype.h: "one or more synonyms".'
 *   behind a different type a synonym is found: 'regextype.h: "one or more synonyms".'
 *   an option mask of zero can be shared: 'regextype.c: RE_SYNTAX_EMACS is one, "emacs".'
 *   masks are compared whole: 'regextype.h: a synonym has the same option mask.'
 *   an index that is too large has none: 'regextype.h: get_regex_type_name returns NULL "if IX is too large".'
 *   of many synonyms one is described: 'Caller describe_all describes only what is no synonym of another.'
 *   the types of the manual are as it says: 'doc/regexprops.texi, which regexprops makes in context findutils.'
 ---*/
#include "plus.h"
#include "../../../lib/regextype.c"

enum { LAST = N_REGEX_MAP_ENTRIES - 1 };

/* Gives all types their own option masks, and all contexts. */
static void differ(void) {
    for (int i = 0; i <= LAST; i++) {
        regex_map[i].option_val = 1000 + i;
        regex_map[i].context = CONTEXT_ALL;
    }
}

static void alike(int a, int b) {
    regex_map[b].option_val = regex_map[a].option_val;
}

/* Whether of A and B one names the other, and only one does. */
static int pair(int a, int b, unsigned context) {
    int of_a = get_regex_type_synonym(a, context), of_b = get_regex_type_synonym(b, context);
    return (of_a == b && of_b == -1) || (of_a == -1 && of_b == a);
}

static int none(unsigned context) {
    for (int i = 0; i <= LAST; i++) if (get_regex_type_synonym(i, context) != -1) return 0;
    return 1;
}

static int find(const char *name) {
    for (int i = 0; i <= LAST; i++) if (same(regex_map[i].name, name)) return i;
    return -2;
}

static int synonym(const char *name, const char *other) {
    int r = get_regex_type_synonym(find(name), CONTEXT_FINDUTILS);
    return other ? r == find(other) : r == -1;
}

int main(void) {
    plus_start();
    ok("the types of the manual are as it says", synonym("egrep", "posix-egrep") && synonym("posix-egrep", NULL) &&
       synonym("findutils-default", NULL) && synonym("emacs", NULL) && synonym("gnu-awk", NULL) &&
       synonym("grep", NULL) && synonym("posix-awk", NULL) && synonym("awk", NULL) &&
       synonym("posix-basic", NULL) && synonym("posix-extended", NULL));
    differ();
    ok("a type without a synonym has none", none(CONTEXT_ALL) && none(CONTEXT_FINDUTILS) && none(CONTEXT_GENERIC));
    alike(2, 6);
    int of_first = get_regex_type_synonym(2, CONTEXT_ALL), of_second = get_regex_type_synonym(6, CONTEXT_ALL);
    ok("of two synonyms one names the other", of_first == 6 || of_second == 2);
    ok("of two synonyms one is described", of_first == -1 || of_second == -1);
    int own = 1;
    for (int i = 0; i <= LAST; i++) own &= get_regex_type_synonym(i, CONTEXT_ALL) != i;
    ok("no type is its own synonym", own && pair(2, 6, CONTEXT_ALL));
    differ();
    alike(0, LAST);
    ok("the first and the last type can be synonyms", pair(0, LAST, CONTEXT_ALL));
    int good = 1;
    for (int i = 0; i < LAST; i++) {
        differ();
        alike(i, i + 1);
        good &= pair(i, i + 1, CONTEXT_ALL);
    }
    ok("neighbours can be synonyms", good);

    differ();
    alike(1, 4);
    regex_map[1].context = regex_map[4].context = CONTEXT_GENERIC;
    good = none(CONTEXT_FINDUTILS) && pair(1, 4, CONTEXT_GENERIC);
    regex_map[1].context = regex_map[4].context = CONTEXT_FINDUTILS;
    ok("a synonym outside the context does not count", good && none(CONTEXT_GENERIC) && pair(1, 4, CONTEXT_FINDUTILS));
    regex_map[1].context = regex_map[4].context = CONTEXT_ALL;
    ok("a synonym of all contexts counts in each", pair(1, 4, CONTEXT_GENERIC) && pair(1, 4, CONTEXT_FINDUTILS));
    regex_map[1].context = CONTEXT_GENERIC;
    regex_map[4].context = CONTEXT_FINDUTILS;
    ok("in all contexts any synonym counts", pair(1, 4, CONTEXT_ALL));
    differ();
    alike(1, 4);
    alike(1, 8);
    regex_map[1].context = CONTEXT_GENERIC;
    ok("behind one outside the context another is found", pair(4, 8, CONTEXT_FINDUTILS));
    differ();
    regex_map[0].context = regex_map[3].context = CONTEXT_GENERIC;
    alike(5, 9);
    ok("behind a different type a synonym is found", pair(5, 9, CONTEXT_FINDUTILS) && pair(5, 9, CONTEXT_ALL));
    differ();
    regex_map[3].option_val = regex_map[7].option_val = 0;
    ok("an option mask of zero can be shared", pair(3, 7, CONTEXT_ALL));
    differ();
    regex_map[3].option_val = 0x01000040;
    regex_map[5].option_val = 0x00000040;
    regex_map[7].option_val = 0x01000000;
    ok("masks are compared whole", none(CONTEXT_ALL));
    differ();
    alike(0, LAST);
    volatile struct tagRegexTypeMap *behind = regex_map + LAST + 1;
    regex_map[1].option_val = behind->option_val;
    ok("an index that is too large has none", get_regex_type_synonym(LAST + 1, CONTEXT_ALL) == -1 &&
       get_regex_type_synonym(LAST + 2, CONTEXT_ALL) == -1 && get_regex_type_synonym(1u << 31, CONTEXT_ALL) == -1 &&
       get_regex_type_synonym(-1u, CONTEXT_ALL) == -1);
    differ();
    alike(2, 5);
    alike(2, 7);
    alike(2, LAST);
    static const int many[] = {2, 5, 7, LAST};
    int described = 0, valid = 1;
    for (int i = 0; i < 4; i++) {
        int r = get_regex_type_synonym(many[i], CONTEXT_ALL);
        described += r == -1;
        valid &= r != many[i] && (r == -1 || r == 2 || r == 5 || r == 7 || r == LAST);
    }
    ok("of many synonyms one is described", described == 1 && valid);
    return plus_end();
}
