/*---
 * tasks: [sdstemplate-acaa74]
 * tests:
 *   a template without variables is copied: 'Comment: "expansion of a template string".'
 *   an empty template gives an empty string: 'Comment: "return the result as a newly allocated sds".'
 *   variables are replaced by what the callback gives: 'Comment: "Template variables are specified using curly brackets".'
 *   text after the last variable is kept: 'Comment: "expansion of a template string".'
 *   two variables may stand side by side: 'Comment: "specified using curly brackets".'
 *   the callback gets the bare name and its argument: 'Signature: cb_arg; server.c compares the name with "title", "port" and others.'
 *   names without a character are handed over too: 'Comment: what stands between the brackets is the variable.'
 *   a doubled bracket gives one: 'Comment: "An opening bracket can be quoted by repeating it twice".'
 *   three brackets are one and a variable: 'Comment: "quoted by repeating it twice".'
 *   a quoted bracket at the end is kept: 'Comment: "quoted by repeating it twice".'
 *   a closing bracket alone is text: 'Comment: only an opening bracket is quoted.'
 *   a value is not expanded again: 'Comment: the template is expanded, not what the callback gives.'
 *   NULL when the callback gives none: 'Upstream''s test: "with callback error".'
 *   no callback after one that failed: 'server.c: an unknown variable makes the whole template invalid.'
 *   NULL when a variable is not closed: 'Upstream''s test: "with truncated var name".'
 *   NULL for an open bracket at the end: 'Upstream''s test: "with empty var name".'
 *   names and values are freed: 'sds.h: the callback gives a new sds for each call; server.c expands a template again and again.'
 *   nothing is left behind after an error: 'server.c goes on after NULL.'
 ---*/
#include "../server.h"
#include "../testhelp.h"

static char names[256];
static int calls;

static sds value(const sds name, void *arg) {
    calls++;
    snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s(%zu)%s;", name, sdslen(name), (char *)arg);
    if (!strcmp(name, "one")) return sdsnew("1");
    if (!strcmp(name, "empty")) return sdsempty();
    if (!strcmp(name, "")) return sdsnew("none");
    if (!strcmp(name, "braces")) return sdsnew("{one}{{");
    return NULL;
}

static int gives(const char *template, const char *want) {
    names[0] = '\0', calls = 0;
    sds got = sdstemplate(template, value, "x");
    int same = got && want ? sdslen(got) == strlen(want) && !memcmp(got, want, sdslen(got) + 1) : !got && !want;
    sdsfree(got);
    return same;
}

int main(void) {
    test_cond("a template without variables is copied", gives("plain text", "plain text") && calls == 0);
    test_cond("an empty template gives an empty string", gives("", ""));
    test_cond("variables are replaced by what the callback gives", gives("a={one} b={one}", "a=1 b=1"));
    test_cond("text after the last variable is kept", gives("{one} end", "1 end") && gives("{empty}.", "."));
    test_cond("two variables may stand side by side", gives("{one}{one}{empty}{one}", "111"));
    gives("-{one}-{empty}-", "-1--");
    test_cond("the callback gets the bare name and its argument", !strcmp(names, "one(3)x;empty(5)x;"));
    test_cond("names without a character are handed over too", gives("<{}>", "<none>") && !strcmp(names, "(0)x;"));
    test_cond("a doubled bracket gives one", gives("a{{b {{one}", "a{b {one}") && calls == 0);
    test_cond("three brackets are one and a variable", gives("{{{one}", "{1") && gives("{{{{", "{{"));
    test_cond("a quoted bracket at the end is kept", gives("end{{", "end{"));
    test_cond("a closing bracket alone is text", gives("a}b}} {one}}", "a}b}} 1}"));
    test_cond("a value is not expanded again", gives("{braces}", "{one}{{") && calls == 1);
    test_cond("NULL when the callback gives none", gives("a {unknown} b", NULL) && gives("{ one}", NULL));
    gives("{one}{unknown}{one}", NULL);
    test_cond("no callback after one that failed", calls == 2);
    test_cond("NULL when a variable is not closed", gives("v={one", NULL) && gives("{one} {", NULL));
    test_cond("NULL for an open bracket at the end", gives("{", NULL) && gives("{{{", NULL));
    size_t before = zmalloc_used_memory();
    for (int j = 0; j < 100; j++) gives("a {one} {braces} {{ {empty}", "a 1 {one}{{ { ");
    test_cond("names and values are freed", zmalloc_used_memory() == before);
    for (int j = 0; j < 100; j++) gives("{one} {unknown}", NULL), gives("{one} {braces", NULL), gives("{one} {", NULL);
    test_cond("nothing is left behind after an error", zmalloc_used_memory() == before);
    test_report();
    return 0;
}
