/*---
 * tasks: [print_prop-8c24ff]
 * tests:
 *   a property is printed with its operator and name: 'testoutput7: "prop Lu"; caller pcre_printint.'
 *   a negated property is printed so: 'testoutput7: "notprop Lu"; caller pcre_printint.'
 *   the text before comes first: 'Parameter before; caller pcre_printint passes the indent.'
 *   the text after comes last: 'Parameter after; caller pcre_printint passes what ends the item.'
 *   empty texts add nothing: 'Caller pcre_printint passes empty texts for classes.'
 *   a general category is printed: 'get_ucpname gives the name of type and value.'
 *   a script is printed: 'get_ucpname gives the name of type and value.'
 *   properties without a value are printed: 'get_ucpname gives the name of type and value.'
 *   type and value are not mixed up: 'pcre_internal.h: OP_PROP is followed by the type and the value.'
 *   a list of characters is printed as such: 'Docstring: PT_CLIST; testoutput7: "clist 03a3 03c2 03c3".'
 *   a negated list is printed so: 'testoutput7: "not clist 03a3 03c2 03c3".'
 *   the list ends at its end: 'Docstring: "a pointer to a list of case-equivalent characters".'
 *   lists of another offset are printed: 'Docstring: "a pointer to a list of case-equivalent characters".'
 *   characters have four digits at least: 'testoutput7: "clist 03a3 03c2 03c3".'
 *   the texts stand around a list too: 'Parameters before and after.'
 *   what comes before stands before the not: 'testoutput7: "        not clist".'
 *   the code stays as it was: 'A function that prints.'
 *   the stream stays open: 'Caller pcre_printint goes on with it.'
 ---*/
#include <config.h>
#include "pcre_internal.h"
#define PCRE_INCLUDED
#include "../pcre_printint.c"
#include "plus.h"

static char *text;
static size_t size;
static pcre_uchar code[4], kept[4];
static int changed, closed;

/* Whether OP, TYPE and VALUE are printed as EXPECTED. */
static int prints(int op, int type, int value, const char *before, const char *after, const char *expected) {
    FILE *f = open_memstream(&text, &size);
    int good;
    code[0] = kept[0] = op;
    code[1] = kept[1] = type;
    code[2] = kept[2] = value;
    code[3] = kept[3] = 'x';
    print_prop(f, code, before, after);
    changed |= memcmp(code, kept, sizeof(code)) != 0;
    closed |= fputc('$', f) != '$';
    fclose(f);
    good = size == strlen(expected) + 1 && !strncmp(text, expected, size - 1) && text[size - 1] == '$';
    free(text);
    return good;
}

/* The offset of the list with this first character. */
static int list(pcre_uint32 first) {
    int i;
    for (i = 1; i < 200; i++)
        if (PRIV(ucd_caseless_sets)[i - 1] == NOTACHAR && PRIV(ucd_caseless_sets)[i] == first) return i;
    exit(3);
}

int main(void) {
    int good;
    ok("a property is printed with its operator and name", prints(OP_PROP, PT_PC, ucp_Lu, "", "", "prop Lu"));
    ok("a negated property is printed so", prints(OP_NOTPROP, PT_PC, ucp_Nd, "", "", "notprop Nd"));
    ok("the text before comes first", prints(OP_PROP, PT_PC, ucp_Lu, "    ", "", "    prop Lu"));
    ok("the text after comes last", prints(OP_PROP, PT_PC, ucp_Lu, "<", " ++\n", "<prop Lu ++\n"));
    ok("empty texts add nothing", prints(OP_NOTPROP, PT_PC, ucp_Zs, "", "", "notprop Zs"));
    ok("a general category is printed", prints(OP_PROP, PT_GC, ucp_L, "", "", "prop L") &&
       prints(OP_NOTPROP, PT_GC, ucp_Z, "", "", "notprop Z"));
    ok("a script is printed", prints(OP_PROP, PT_SC, ucp_Greek, "", "", "prop Greek") &&
       prints(OP_NOTPROP, PT_SC, ucp_Arabic, "", "", "notprop Arabic"));
    ok("properties without a value are printed", prints(OP_PROP, PT_ANY, 0, "", "", "prop Any") &&
       prints(OP_NOTPROP, PT_LAMP, 0, "", "", "notprop L&") && prints(OP_PROP, PT_WORD, 0, "", "", "prop Xwd"));
    ok("type and value are not mixed up", prints(OP_PROP, PT_PC, PT_GC, "", "", "prop Cn") &&
       prints(OP_PROP, PT_GC, PT_PC, "", "", "prop N"));

    good = prints(OP_PROP, PT_CLIST, list(0x3a3), "", "", "clist 03a3 03c2 03c3");
    ok("a list of characters is printed as such", good);
    ok("a negated list is printed so", prints(OP_NOTPROP, PT_CLIST, list(0x3a3), "", "", "not clist 03a3 03c2 03c3"));
    ok("the list ends at its end", prints(OP_PROP, PT_CLIST, list(0x53), "", "", "clist 0053 0073 017f"));
    ok("lists of another offset are printed",
       prints(OP_PROP, PT_CLIST, list(0x1c4), "", "", "clist 01c4 01c5 01c6") &&
       prints(OP_PROP, PT_CLIST, list(0x345), "", "", "clist 0345 0399 03b9 1fbe"));
    ok("characters have four digits at least", prints(OP_PROP, PT_CLIST, list(0x4b), "", "", "clist 004b 006b 212a"));
    ok("the texts stand around a list too",
       prints(OP_PROP, PT_CLIST, list(0x4b), "  ", "*", "  clist 004b 006b 212a*"));
    ok("what comes before stands before the not",
       prints(OP_NOTPROP, PT_CLIST, list(0x4b), "  ", "*", "  not clist 004b 006b 212a*"));
    ok("the code stays as it was", !changed);
    ok("the stream stays open", !closed);
    return plus_end();
}
