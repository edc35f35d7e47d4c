/*---
 * tasks: [lydxml_data_skip-9f2a2f]
 * instead: [src/parser_xml.c.o]
 * tests:
 *   an element with text is skipped: 'Docstring: "Skip an element".'
 *   the next element follows: 'Docstring: "Skip an element with all its descendants"; the caller goes on there.'
 *   an empty element is skipped: 'Docstring: "Skip an element".'
 *   an element with attributes is skipped: 'Docstring: "Skip an element"; xml.h: attributes belong to it.'
 *   its descendants are skipped: 'Docstring: "with all its descendants".'
 *   a descendant of the same name is skipped: 'Docstring: "with all its descendants".'
 *   only this element is skipped: 'Docstring: "Skip an element".'
 *   the last element leads to the end of its parent: 'xml.h: LYXML_ELEM_CLOSE of the parent follows.'
 *   the only element leads to the end: 'xml.h: LYXML_END.'
 *   the parents stay open: 'xml.h: lyxml_ctx, ELEMENTS.'
 *   namespaces of what is skipped are gone: 'xml.c: lyxml_ns_rm at the end of an element.'
 *   a success is LY_SUCCESS: 'Docstring: "LY_ERR value".'
 *   a wrong end is an error: 'Docstring: "LY_ERR value"; lyxml_ctx_next, LY_EVALID.'
 *   an end that is missing is an error: 'Docstring: "LY_ERR value".'
 *   a wrong attribute is an error: 'Docstring: "LY_ERR value".'
 *   nothing is left in memory: 'xml.h: lyxml_ctx, DYNAMIC values are freed.'
 ---*/
#include "../parser_xml.c"
#include "yang.h"

static struct ly_ctx *ctx;
static struct ly_in *in;
static struct lyxml_ctx *x;
static int all = 1;

static void start(const char *text, int elements) {
    if (ly_in_new_memory(text, &in) || lyxml_ctx_new(ctx, in, &x)) plus_die("Bail out! no context\n");
    for (int i = x->status == LYXML_ELEMENT; i < elements; i += x->status == LYXML_ELEMENT)
        if (lyxml_ctx_next(x) || x->status == LYXML_END) plus_die("Bail out! no such element\n");
}

static void stop(void) {
    lyxml_ctx_free(x);
    ly_in_free(in, 0);
}

static LY_ERR error(const char *text, int elements) {
    start(text, elements);
    LY_ERR r = lydxml_data_skip(x);
    stop();
    return r;
}

/* Skips the element with that number. Says whether the element NEXT follows, with OPEN elements, itself included. */
static int to(const char *text, int elements, const char *next, int open) {
    start(text, elements);
    LY_ERR r = lydxml_data_skip(x);
    all &= r == LY_SUCCESS;
    int good = !r && x->status == LYXML_ELEMENT && x->name_len == strlen(next);
    good = good && !strncmp(x->name, next, x->name_len);
    good &= (int)x->elements.count == open;
    stop();
    return good;
}

int main(void) {
    plus_start();
    ctx = yang_context(NULL);
    ok("an element with text is skipped", to("<t><a>text</a><b/></t>", 2, "b", 2));
    ok("the next element follows", to("<t><a>text</a>\n <b>1</b><c/></t>", 2, "b", 2));
    ok("an empty element is skipped", to("<t><a/><b/></t>", 2, "b", 2) && to("<t><a></a><b/></t>", 2, "b", 2));
    ok("an element with attributes is skipped",
       to("<t><a k=\"v\" l=\"w\">x</a><b/></t>", 2, "b", 2) && to("<t><a k=\"v\" l=\"w\"/><b/></t>", 2, "b", 2));
    ok("its descendants are skipped",
       to("<t><a><b>1</b><c k=\"v\"><d/><e>2</e></c><f><g><h>3</h></g></f></a><z/></t>", 2, "z", 2));
    ok("a descendant of the same name is skipped", to("<t><a><a><a/></a><a>x</a></a><z/></t>", 2, "z", 2));
    ok("only this element is skipped",
       to("<t><p><a/><b/></p><z/></t>", 3, "b", 3) && to("<t><a>1</a><a>2</a><z/></t>", 2, "a", 2));
    ok("the parents stay open", to("<t><p><q><a><b/></a><c/></q></p></t>", 4, "c", 4));

    start("<t><p><a>x</a></p><z/></t>", 3);
    LY_ERR r = lydxml_data_skip(x);
    ok("the last element leads to the end of its parent",
       !r && x->status == LYXML_ELEM_CLOSE && x->elements.count == 1 && !lyxml_ctx_next(x) &&
       x->status == LYXML_ELEMENT && x->name[0] == 'z');
    stop();
    start("<t k=\"v\"><a>1</a><b>2</b></t>", 1);
    r = lydxml_data_skip(x);
    ok("the only element leads to the end", !r && x->status == LYXML_END && x->elements.count == 0);
    stop();
    start("<t xmlns=\"urn:t\"><a xmlns:p=\"urn:p\" xmlns=\"urn:a\"><p:b/></a><c/></t>", 2);
    r = lydxml_data_skip(x);
    const struct lyxml_ns *ns = lyxml_ns_get(&x->ns, NULL, 0);
    ok("namespaces of what is skipped are gone",
       !r && x->ns.count == 1 && ns && same(ns->uri, "urn:t") && !lyxml_ns_get(&x->ns, "p", 1));
    stop();
    ok("a success is LY_SUCCESS", all);

    ly_log_options(0);
    ok("a wrong end is an error",
       error("<t><a><b></c></a></t>", 2) == LY_EVALID && error("<t><a>x</b></t>", 2) == LY_EVALID);
    ok("an end that is missing is an error",
       error("<t><a><b/>", 2) == LY_EVALID && error("<t><a>text", 2) == LY_EVALID);
    ok("a wrong attribute is an error",
       error("<t><a><b k=v/></a></t>", 2) == LY_EVALID && error("<t><a><b k/></a></t>", 2) == LY_EVALID);
    static const char big[] = "<t><a k=\"a&amp;b\">c&lt;d<b>e&gt;f</b></a><z/></t>";
    to(big, 2, "z", 2);
    long live = plus_live_blocks;
    int good = to(big, 2, "z", 2);
    ok("nothing is left in memory", good && plus_live_blocks == live);
    return plus_end();
}
