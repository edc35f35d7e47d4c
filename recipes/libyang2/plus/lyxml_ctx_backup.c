/*---
 * tasks: [lyxml_ctx_backup-a92925]
 * tests:
 *   a backup is a success: 'Docstring: "LY_ERR value".'
 *   parsing goes on after a backup as if there were none: 'Docstring: "XML context to back up".'
 *   a restored context goes on from where it was: 'xml.h: lyxml_ctx_restore, "Restore previous backup".'
 *   a restored context reads the same names, values and prefixes: 'xml.h: lyxml_ctx_restore.'
 *   the place in the input is restored: 'xml.h: lyxml_ctx, "backup in members".'
 *   the line is restored: 'xml.h: lyxml_ctx, "backup in members".'
 *   the status is in the backup: 'Docstring: "Backup XML context".'
 *   the open elements are copies: 'lyxml_ctx_restore frees those of the context and keeps those of the backup.'
 *   there are as many open elements: 'Docstring: "Create a backup".'
 *   there is room for as many open elements: 'set.c: ly_set_add goes by SIZE.'
 *   the namespaces are copies: 'lyxml_ctx_restore frees those of the context and keeps those of the backup.'
 *   prefixes and addresses of namespaces are copies: 'xml.c: lyxml_ns_rm_all frees them.'
 *   the depth of namespaces is kept: 'xml.h: lyxml_ns, DEPTH.'
 *   the default namespace stays without a prefix: 'xml.h: lyxml_ns, "NULL for the default namespace".'
 *   namespaces are found after elements were closed and restored: 'xml.h: lyxml_ns_get.'
 *   a value that was allocated is in the backup: 'xml.h: lyxml_ctx, DYNAMIC; parser_xml.c goes on with it.'
 *   it is not freed while parsing goes on: 'lyxml_ctx_next and lyxml_ctx_free free a value that is DYNAMIC.'
 *   it is freed with the restored context: 'xml.h: lyxml_ctx, DYNAMIC; lyxml_ctx_free.'
 *   a value that was not allocated stays so: 'xml.h: lyxml_ctx, DYNAMIC.'
 *   a name is not taken for a flag: 'xml.h: lyxml_ctx, NAME_LEN and DYNAMIC are a union.'
 *   a context without elements and namespaces is backed up: 'Docstring: "XML context to back up".'
 *   nothing is left of a restored context: 'xml.h: the backup "is unusable afterwards"; lyxml_ctx_free.'
 *   the context is what it was before: 'Docstring: "XML context to back up".'
 *   without memory it is LY_EMEM: 'Docstring: "LY_ERR value"; log.h: LY_EMEM.'
 ---*/
#include "yang.h"
#include "in_internal.h"
#include "xml.h"

static struct ly_ctx *ctx;
static struct ly_in *in;
static struct lyxml_ctx *x;

static void start(const char *text) {
    if (ly_in_new_memory(text, &in) || lyxml_ctx_new(ctx, in, &x)) plus_die("Bail out! no context\n");
}

static void stop(void) {
    lyxml_ctx_free(x);
    ly_in_free(in, 0);
}

static int at_value(void) {
    return x->status == LYXML_ELEM_CONTENT || x->status == LYXML_ATTR_CONTENT;
}

/* What the rest of the document is, as text, the context included. */
static char *rest(void) {
    static char out[4][8000];
    static int turn;
    char *to = out[turn++ % 4], *p = to;
    *p = '\0';
    do {
        p += sprintf(p, "%d:%u:%u", x->status, x->elements.count, x->ns.count);
        if (at_value()) p += sprintf(p, "=%.*s", (int)x->value_len, x->value);
        if (x->status == LYXML_ELEMENT || x->status == LYXML_ATTRIBUTE) {
            p += sprintf(p, "<%.*s:%.*s", (int)x->prefix_len, x->prefix ? x->prefix : "", (int)x->name_len, x->name);
            const struct lyxml_ns *ns = lyxml_ns_get(&x->ns, x->prefix, x->prefix_len);
            p += sprintf(p, "{%s}", ns ? ns->uri : "");
        }
        p += sprintf(p, "@%d\n", (int)in->line);
        if (x->status == LYXML_END) break;
    } while (!lyxml_ctx_next(x));
    if (x->status != LYXML_END) plus_die("Bail out! not read to the end\n");
    return to;
}

/* Goes on to the COUNT-th place from here with this status. */
static void go(enum LYXML_PARSER_STATUS status, int count) {
    while (count) {
        if (lyxml_ctx_next(x) || x->status == LYXML_END) plus_die("Bail out! no such place\n");
        count -= x->status == status;
    }
}

static const char doc[] =
    "<top xmlns=\"urn:d\" xmlns:p=\"urn:p\">\n <p:a k=\"v\"\n xmlns:q=\"urn:q\">\n  <q:b>one</q:b>\n"
    "  <c xmlns=\"urn:e\">a&amp;b</c>\n  <d><e><f><g><h>deep</h></g></f></e></d>\n </p:a>\n <z p:m=\"n\"/>\n</top>\n";

int main(void) {
    plus_start();
    ctx = yang_context(NULL);
    struct lyxml_ctx b;

    start(doc);
    go(LYXML_ELEMENT, 2);
    char *expected = rest();
    stop();

    start(doc);
    go(LYXML_ELEMENT, 2);
    memset(&b, 0xee, sizeof b);
    struct lyxml_ctx before = *x;
    const char *place = in->current;
    int line = in->line;
    LY_ERR r = lyxml_ctx_backup(x, &b);
    ok("a backup is a success", r == LY_SUCCESS);
    if (r) exit(1);
    ok("the context is what it was before",
       x->status == before.status && x->name == before.name && x->name_len == before.name_len &&
       x->elements.objs == before.elements.objs && x->elements.count == before.elements.count &&
       x->ns.objs == before.ns.objs && x->ns.count == before.ns.count && in->current == place);
    ok("a name is not taken for a flag", x->name_len == before.name_len && b.name_len == before.name_len);
    ok("the status is in the backup", b.status == LYXML_ELEMENT && b.name == x->name && b.prefix == x->prefix);
    int copies = b.elements.objs != x->elements.objs;
    for (unsigned i = 0; i < x->elements.count; i++) {
        struct lyxml_elem *m = b.elements.objs[i], *n = x->elements.objs[i];
        copies &= m != n && plus_live(m) && m->name == n->name && m->prefix == n->prefix &&
                  m->name_len == n->name_len && m->prefix_len == n->prefix_len;
    }
    ok("the open elements are copies", copies);
    ok("there are as many open elements", b.elements.count == x->elements.count && x->elements.count >= 2);
    int spaces = b.ns.objs != x->ns.objs && b.ns.count == x->ns.count && x->ns.count == 3, words = 1, depth = 1;
    int unnamed = 0;
    for (unsigned i = 0; i < x->ns.count; i++) {
        struct lyxml_ns *m = b.ns.objs[i], *n = x->ns.objs[i];
        spaces &= m != n && plus_live(m);
        words &= m->uri != n->uri && same(m->uri, n->uri) && same(m->prefix, n->prefix) &&
                 (!n->prefix || m->prefix != n->prefix);
        depth &= m->depth == n->depth;
        unnamed += !n->prefix && !m->prefix;
    }
    ok("the namespaces are copies", spaces);
    ok("prefixes and addresses of namespaces are copies", words);
    ok("the depth of namespaces is kept", depth);
    ok("the default namespace stays without a prefix", unnamed == 1);
    char *after = rest();
    ok("parsing goes on after a backup as if there were none", same(after, expected));
    lyxml_ctx_restore(x, &b);
    ok("the place in the input is restored", in->current == place);
    ok("the line is restored", (int)in->line == line);
    after = rest();
    ok("a restored context goes on from where it was", x->status == LYXML_END && x->elements.count == 0);
    ok("a restored context reads the same names, values and prefixes", same(after, expected));
    stop();

    /* Both elements and the namespace are closed before it is restored; the value was allocated. */
    start(doc);
    go(LYXML_ELEM_CONTENT, 4);
    int allocated = x->status == LYXML_ELEM_CONTENT && x->dynamic && !strncmp(x->value, "a&b", 3);
    if (!allocated) plus_die("Bail out! the value was not allocated\n");
    const char *value = x->value;
    r = lyxml_ctx_backup(x, &b);
    ok("a value that was allocated is in the backup", !r && b.dynamic && b.value == value && b.value_len == 3);
    expected = rest();
    ok("it is not freed while parsing goes on", plus_live(value));
    lyxml_ctx_restore(x, &b);
    const struct lyxml_ns *e = lyxml_ns_get(&x->ns, NULL, 0), *q = lyxml_ns_get(&x->ns, "q", 1);
    ok("namespaces are found after elements were closed and restored",
       e && same(e->uri, "urn:e") && q && same(q->uri, "urn:q") && x->ns.count == 4);
    int kept = x->dynamic && x->value == value && plus_live(value) && !strncmp(value, "a&b", 3);
    /* More elements are opened than there were; the guard behind the list is looked at when it grows or goes. */
    after = rest();
    ok("there is room for as many open elements", same(strchr(after, '\n'), strchr(expected, '\n')));
    ok("it is freed with the restored context", kept && plus_dead(value));
    stop();

    start("<a><b>plain</b></a>");
    go(LYXML_ELEM_CONTENT, 2);
    r = lyxml_ctx_backup(x, &b);
    int plain = !r && !x->dynamic && !b.dynamic && !strncmp(x->value, "plain", 5);
    rest();
    lyxml_ctx_restore(x, &b);
    ok("a value that was not allocated stays so", plain && !x->dynamic && !strncmp(x->value, "plain", 5));
    stop();

    start("<a/>");
    rest();
    r = lyxml_ctx_backup(x, &b);
    int none = !r && b.elements.count == 0 && b.ns.count == 0;
    lyxml_ctx_restore(x, &b);
    ok("a context without elements and namespaces is backed up", none && x->status == LYXML_END);
    stop();

    long live = 0;
    for (int turn = 0; turn < 3; turn++) {
        if (turn == 2) live = plus_live_blocks;
        start(doc);
        go(turn ? LYXML_ELEM_CONTENT : LYXML_ELEMENT, 4);
        lyxml_ctx_backup(x, &b);
        rest();
        lyxml_ctx_restore(x, &b);
        rest();
        stop();
    }
    ok("nothing is left of a restored context", plus_live_blocks == live);

    ly_log_options(0);
    int good = 1, failed = 0, at = 1;
    for (; at < 60; at++) {
        start(doc);
        go(LYXML_ELEMENT, 4);
        plus_fail_at = at;
        r = lyxml_ctx_backup(x, &b);
        int over = plus_fail_at > 0;
        plus_fail_at = 0;
        good &= r == (over ? LY_SUCCESS : LY_EMEM);
        failed += r == LY_EMEM;
        if (over) break;
    }
    ok("without memory it is LY_EMEM", good && failed > 0 && at < 60);
    return plus_end();
}
