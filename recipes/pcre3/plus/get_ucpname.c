/*---
 * tasks: [get_ucpname-768157]
 * tests:
 *   a particular category has its name: 'Caller print_prop; testoutput7: "prop Lu".'
 *   a general category has its name: 'Caller print_prop prints type PT_GC; pcre_tables.c: utt.'
 *   a script has its name: 'Caller print_prop prints type PT_SC; pcre_tables.c: utt.'
 *   the first of the table has its name: 'pcre_tables.c: utt begins with "Any".'
 *   the last of the table has its name: 'pcre_tables.c: utt ends with "Zs".'
 *   types without a value have their names: 'pcre_tables.c: utt: "L&", "Xan", "Xps", "Xsp", "Xuc", "Xwd".'
 *   the same value of another type has another name: 'pcre_tables.c: utt: type and value.'
 *   the same type with another value has another name: 'pcre_tables.c: utt: type and value.'
 *   each of the table has a name of its type and value: 'Comment: "Find Unicode property name"; pcre_tables.c: utt.'
 *   names are ended by a zero: 'Caller print_prop prints them with %s.'
 *   an unknown value still gives a string: 'Caller print_prop prints the result with %s, unchecked.'
 *   an unknown type still gives a string: 'Caller print_prop prints the result with %s, unchecked.'
 *   an unknown pair is given no name of the table: 'Comment: "Find Unicode property name".'
 *   asking again gives the same name: 'Comment: "Find Unicode property name"; the names are const.'
 ---*/
#include <config.h>
#include "pcre_internal.h"
#define PCRE_INCLUDED
#include "../pcre_printint.c"
#include "plus.h"

static int is(unsigned type, unsigned value, const char *name) {
    const char *found = get_ucpname(type, value);
    return found != NULL && !strcmp(found, name);
}

/* Whether NAME is one of the table's, and of that type and value. */
static int known(const char *name, unsigned type, unsigned value) {
    int i, found = 0;
    for (i = 0; i < PRIV(utt_size); i++)
        found |= !strcmp(PRIV(utt_names) + PRIV(utt)[i].name_offset, name) && PRIV(utt)[i].type == type &&
                 PRIV(utt)[i].value == value;
    return found;
}

static int named(const char *name) {
    int i, found = 0;
    for (i = 0; i < PRIV(utt_size); i++) found |= !strcmp(PRIV(utt_names) + PRIV(utt)[i].name_offset, name);
    return found;
}

int main(void) {
    int i, good = 1, last = PRIV(utt_size) - 1;
    const char *none, *other;
    ok("a particular category has its name",
       is(PT_PC, ucp_Lu, "Lu") && is(PT_PC, ucp_Nd, "Nd") && is(PT_PC, ucp_Cc, "Cc"));
    ok("a general category has its name", is(PT_GC, ucp_L, "L") && is(PT_GC, ucp_Z, "Z") && is(PT_GC, ucp_C, "C"));
    ok("a script has its name", is(PT_SC, ucp_Greek, "Greek") && is(PT_SC, ucp_Old_Italic, "Old_Italic") &&
       is(PT_SC, ucp_Common, "Common"));
    ok("the first of the table has its name",
       is(PRIV(utt)[0].type, PRIV(utt)[0].value, PRIV(utt_names) + PRIV(utt)[0].name_offset));
    ok("the last of the table has its name",
       is(PRIV(utt)[last].type, PRIV(utt)[last].value, PRIV(utt_names) + PRIV(utt)[last].name_offset));
    ok("types without a value have their names", is(PT_ANY, 0, "Any") && is(PT_LAMP, 0, "L&") &&
       is(PT_ALNUM, 0, "Xan") &&
       is(PT_PXSPACE, 0, "Xps") && is(PT_SPACE, 0, "Xsp") && is(PT_UCNC, 0, "Xuc") && is(PT_WORD, 0, "Xwd"));
    ok("the same value of another type has another name",
       is(PT_PC, 3, "Co") && is(PT_GC, 3, "N") && is(PT_SC, ucp_Greek, "Greek") &&
       strcmp(get_ucpname(PT_SC, 3), "Co") != 0 && strcmp(get_ucpname(PT_SC, 3), "N") != 0);
    ok("the same type with another value has another name", is(PT_PC, ucp_Ll, "Ll") && is(PT_PC, ucp_Lm, "Lm") &&
       is(PT_PC, ucp_Lt, "Lt"));
    for (i = 0; i <= last; i++) {
        const char *name = get_ucpname(PRIV(utt)[i].type, PRIV(utt)[i].value);
        good &= name != NULL && known(name, PRIV(utt)[i].type, PRIV(utt)[i].value);
    }
    ok("each of the table has a name of its type and value", good);
    ok("names are ended by a zero", strlen(get_ucpname(PT_GC, ucp_M)) == 1 && strlen(get_ucpname(PT_PC, ucp_Mn)) == 2);
    none = get_ucpname(PT_SC, 9999);
    ok("an unknown value still gives a string", none != NULL && strlen(none) < 100);
    other = get_ucpname(777, ucp_Lu);
    ok("an unknown type still gives a string", other != NULL && strlen(other) < 100);
    ok("an unknown pair is given no name of the table", none && other && !named(none) && !named(other) &&
       !named(get_ucpname(PT_PC, 200)));
    ok("asking again gives the same name", is(PT_PC, ucp_Lu, "Lu") && is(PT_PC, ucp_Lu, "Lu"));
    return plus_end();
}
