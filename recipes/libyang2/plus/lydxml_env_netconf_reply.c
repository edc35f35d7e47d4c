/*---
 * tasks: [lydxml_env_netconf_reply-e9f7fc.2]
 * instead: [src/parser_xml.c.o]
 * tests:
 *   an ok is read: 'Docstring: "expected non-data XML elements of a NETCONF rpc-reply message"; RFC 6241 4.4.'
 *   the envelope has its name and attributes: 'Docstring: "Parsed envelope(s) (opaque node)"; RFC 6241 4.2.'
 *   the options are for a reply with siblings: 'Docstring: int_opts; neighbours lydxml_env_netconf_rpc and _notif.'
 *   one element is to be closed: 'Docstring: "Number of parsed opened elements that need to be closed".'
 *   the reader stands at the end of the reply: 'Caller lyd_parse_xml_netconf closes what is open.'
 *   an error is read: 'RFC 6241 4.3: rpc-error; neighbour lydxml_env_netconf_rpc_reply_error.'
 *   several errors are read in their order: 'RFC 6241 4.3: "multiple rpc-error elements".'
 *   data are left to be read: 'Docstring: "for parsing the rest of YANG data".'
 *   data leave an envelope without children: 'test_parser_xml.c: test_netconf_reply_or_notification.'
 *   nothing to read is no error: 'Neighbours lydxml_env_netconf_rpc and _notif: LYXML_END.'
 *   another element is no reply: 'Caller lyd_parse_xml_netconf: LY_ENOT, "Missing NETCONF <rpc-reply>".'
 *   another namespace is no reply: 'Caller: "Missing NETCONF <rpc-reply> envelope or in incorrect namespace".'
 *   a reply without children is an error: 'RFC 6241 4.2 and 4.4; "Missing child elements".'
 *   an ok with a child is an error: 'RFC 6241 4.4.'
 *   an ok with a sibling is an error: 'RFC 6241 4.4: ok stands for no data and no error.'
 *   an ok and an error are an error: 'RFC 6241 4.4.'
 *   an error and data are an error: 'RFC 6241 4.3; "no data".'
 *   an ok of another namespace is data: 'RFC 6241: the namespace of NETCONF.'
 *   a wrong error makes the reply wrong: 'Docstring: "LY_ERR value on error".'
 *   after an error there is no envelope: 'Caller does not free it; neighbours set it to NULL.'
 *   broken XML is an error: 'Docstring: "LY_ERR value on error".'
 *   all children of an error are read: 'lydxml_env_netconf_rpc_reply_error: "all expected non-data XML elements".'
 *   they are in the order of the message: 'Its docstring: "Parent to append nodes to".'
 *   each type of an error is taken: 'RFC 6241 appendix B: error-type.'
 *   another type is refused: 'RFC 6241 appendix B: error-type.'
 *   each tag of an error is taken: 'RFC 6241 appendix B: error-tag.'
 *   another tag is refused: 'RFC 6241 appendix B: error-tag.'
 *   both severities are taken: 'RFC 6241 appendix B: error-severity.'
 *   another severity is refused: 'RFC 6241 appendix B: error-severity.'
 *   other elements have any value: 'RFC 6241 4.3: error-app-tag, error-path, error-message.'
 *   no element but error-info may be there twice: 'RFC 6241 4.3; "Duplicate element".'
 *   error-info may be there twice: 'lydxml_env_netconf_rpc_reply_error: no_dup.'
 *   error-info has its content: 'lydxml_env_netconf_rpc_reply_error_info.'
 *   an empty or wrong error-info is an error: 'lydxml_env_netconf_rpc_reply_error_info.'
 *   an unknown element is an error: '"expected"; "Unexpected child element".'
 *   an element of another namespace is an error: 'RFC 6241: the namespace of NETCONF.'
 *   an element with a child is an error: 'RFC 6241 appendix B: these are simple.'
 *   an error without children is an error: '"Missing child elements of rpc-error".'
 *   after a success the reader stands at the end of the error: 'Caller lydxml_env_netconf_reply.'
 *   nothing is left behind: 'Callers free the envelope alone.'
 ---*/
#include "../parser_xml.c"
#include "yang.h"

#define NS " xmlns=\"urn:ietf:params:xml:ns:netconf:base:1.0\""

static struct ly_ctx *ctx;
static struct ly_in *in;
static struct lyxml_ctx *x;
static struct lyd_node *env;
static uint32_t opts, closing;
static int status, always = 1;
static char buffer[4000], text[4000];

static void start(const char *message) {
    if (ly_in_new_memory(message, &in) || lyxml_ctx_new(ctx, in, &x)) plus_die("Bail out! no context\n");
}

static void stop(void) {
    lyxml_ctx_free(x);
    ly_in_free(in, 0);
}

/* The nodes as NAME=VALUE; with the children in braces. */
static void write_down(const struct lyd_node *n) {
    for (; n; n = n->next) {
        const struct lyd_node_opaq *o = (const struct lyd_node_opaq *)n;
        sprintf(text + strlen(text), "%s%s%s", o->name.name, o->value && o->value[0] ? "=" : "",
                o->value ? o->value : "");
        if (o->child) {
            strcat(text, "{");
            write_down(o->child);
            strcat(text, "}");
        }
        strcat(text, ";");
    }
}

static LY_ERR reply(const char *message) {
    start(message);
    env = NULL;
    opts = closing = 77;
    LY_ERR r = lydxml_env_netconf_reply(x, &env, &opts, &closing);
    status = x->status;
    text[0] = 0;
    if (r) always &= env == NULL;
    write_down(env);
    lyd_free_all(env);
    stop();
    return r;
}

static LY_ERR inner(const char *content) {
    snprintf(buffer, sizeof buffer, "<rpc-reply%s>%s</rpc-reply>", NS, content);
    return reply(buffer);
}

static int is(const char *content, const char *expected) {
    return inner(content) == LY_SUCCESS && same(text, expected);
}

/* The children of one rpc-error. */
static LY_ERR error(const char *content) {
    static char message[4000];
    snprintf(message, sizeof message, "<rpc-error%s>%s</rpc-error>", NS, content);
    struct lyd_node *parent = NULL;
    start(message);
    if (lydxml_envelope(x, "rpc-error", "urn:ietf:params:xml:ns:netconf:base:1.0", 0, &parent))
        plus_die("Bail out! no envelope\n");
    LY_ERR r = lydxml_env_netconf_rpc_reply_error(x, parent);
    status = x->status;
    text[0] = 0;
    write_down(lyd_child(parent));
    lyd_free_all(parent);
    stop();
    return r;
}

static int reads(const char *content, const char *expected) {
    return error(content) == LY_SUCCESS && same(text, expected) && status == LYXML_ELEM_CLOSE;
}

static int value(const char *name, const char *v) {
    char content[300], expected[300];
    snprintf(content, sizeof content, "<%s>%s</%s>", name, v, name);
    snprintf(expected, sizeof expected, "%s=%s;", name, v);
    return reads(content, expected);
}

static int refused(const char *name, const char *v) {
    char content[300];
    snprintf(content, sizeof content, "<%s>%s</%s>", name, v, name);
    return error(content) == LY_EVALID;
}

static int twice(const char *name, const char *v, const char *w) {
    char content[300];
    snprintf(content, sizeof content, "<%s>%s</%s><error-info><session-id>4</session-id></error-info><%s>%s</%s>",
             name, v, name, name, w, name);
    return error(content);
}

#define TYPE "<error-type>rpc</error-type>"
#define TAG "<error-tag>in-use</error-tag>"

int main(void) {
    static const char *const tags[] = {
        "in-use", "invalid-value", "too-big", "missing-attribute", "bad-attribute", "unknown-attribute",
        "missing-element", "bad-element", "unknown-element", "unknown-namespace", "access-denied", "lock-denied",
        "resource-denied", "rollback-failed", "data-exists", "data-missing", "operation-not-supported",
        "operation-failed", "malformed-message"};
    plus_start();
    ctx = yang_context(NULL);
    ly_log_options(0);
    int good = is("<ok/>", "rpc-reply{ok;};"), place = status;
    ok("an ok is read", good && is("\n  <ok/>\n", "rpc-reply{ok;};") && is("<ok></ok>", "rpc-reply{ok;};"));
    ok("the reader stands at the end of the reply", place == LYXML_ELEM_CLOSE);
    ok("the options are for a reply with siblings", opts == (LYD_INTOPT_WITH_SIBLINGS | LYD_INTOPT_REPLY));
    ok("one element is to be closed", closing == 1);
    start("<rpc-reply message-id=\"55\"" NS "><ok/></rpc-reply>");
    env = NULL;
    LY_ERR r = lydxml_env_netconf_reply(x, &env, &opts, &closing);
    struct lyd_node_opaq *o = (struct lyd_node_opaq *)env;
    ok("the envelope has its name and attributes",
       !r && o && same(o->name.name, "rpc-reply") &&
       same(o->name.module_ns, "urn:ietf:params:xml:ns:netconf:base:1.0") && o->attr &&
       same(o->attr->name.name, "message-id") && same(o->attr->value, "55") && !o->attr->next && !o->parent);
    lyd_free_all(env);
    stop();
    good = is("<rpc-error>" TYPE TAG "</rpc-error>", "rpc-reply{rpc-error{error-type=rpc;error-tag=in-use;};};");
    ok("an error is read",
       good && opts == (LYD_INTOPT_WITH_SIBLINGS | LYD_INTOPT_REPLY) && closing == 1 && status == LYXML_ELEM_CLOSE);
    ok("several errors are read in their order",
       is("<rpc-error>" TYPE "</rpc-error><rpc-error>" TAG "</rpc-error><rpc-error>" TAG TYPE "</rpc-error>",
          "rpc-reply{rpc-error{error-type=rpc;};rpc-error{error-tag=in-use;};"
          "rpc-error{error-tag=in-use;error-type=rpc;};};"));
    start("<rpc-reply" NS "><a xmlns=\"urn:a\">1</a><b/></rpc-reply>");
    env = NULL;
    opts = closing = 0;
    r = lydxml_env_netconf_reply(x, &env, &opts, &closing);
    ok("data are left to be read",
       !r && x->status == LYXML_ELEMENT && x->name_len == 1 && x->name[0] == 'a' && closing == 1 &&
       opts == (LYD_INTOPT_WITH_SIBLINGS | LYD_INTOPT_REPLY));
    ok("data leave an envelope without children", env && !lyd_child(env) && same(LYD_NAME(env), "rpc-reply"));
    lyd_free_all(env);
    stop();
    ok("nothing to read is no error", reply("") == LY_SUCCESS && same(text, "") && status == LYXML_END);
    ok("another element is no reply",
       reply("<rpc" NS "><ok/></rpc>") == LY_ENOT && reply("<ok" NS "/>") == LY_ENOT &&
       reply("<rpc-replyx" NS "><ok/></rpc-replyx>") == LY_ENOT);
    ok("another namespace is no reply", reply("<rpc-reply xmlns=\"urn:other\"><ok/></rpc-reply>") == LY_ENOT);
    ok("a reply without children is an error", inner("") == LY_EVALID && inner("  \n") == LY_EVALID);
    ok("an ok with a child is an error", inner("<ok><a xmlns=\"urn:a\"/></ok>") == LY_EVALID);
    ok("an ok with a sibling is an error",
       inner("<ok/><a xmlns=\"urn:a\"/>") == LY_EVALID && inner("<ok/><ok/>") == LY_EVALID);
    ok("an ok and an error are an error",
       inner("<ok/><rpc-error>" TYPE "</rpc-error>") == LY_EVALID &&
       inner("<rpc-error>" TYPE "</rpc-error><ok/>") == LY_EVALID);
    ok("an error and data are an error", inner("<rpc-error>" TYPE "</rpc-error><a xmlns=\"urn:a\"/>") == LY_EVALID);
    good = inner("<ok xmlns=\"urn:a\"/>") == LY_SUCCESS && same(text, "rpc-reply;") && status == LYXML_ELEMENT;
    ok("an ok of another namespace is data", good);
    ok("a wrong error makes the reply wrong",
       inner("<rpc-error/>") == LY_EVALID && inner("<rpc-error><error-type>x</error-type></rpc-error>") == LY_EVALID &&
       inner("<rpc-error>" TYPE "</rpc-error><rpc-error>" TAG "<b/></rpc-error>") == LY_EVALID);
    ok("broken XML is an error",
       reply("<rpc-reply" NS "><ok></rpc-reply>") == LY_EVALID &&
       inner("<rpc-error>" TYPE "</rpc-errox>") == LY_EVALID);
    ok("after an error there is no envelope", always);

    ok("all children of an error are read",
       reads(TYPE TAG "<error-severity>error</error-severity><error-app-tag>t</error-app-tag>"
             "<error-path>/a</error-path><error-message xml:lang=\"en\">m n</error-message>"
             "<error-info><bad-element>b</bad-element></error-info>",
             "error-type=rpc;error-tag=in-use;error-severity=error;error-app-tag=t;error-path=/a;"
             "error-message=m n;error-info{bad-element=b;};"));
    ok("they are in the order of the message",
       reads("<error-message>m</error-message>" TAG "<error-path>/a</error-path>" TYPE,
             "error-message=m;error-tag=in-use;error-path=/a;error-type=rpc;"));
    ok("each type of an error is taken",
       value("error-type", "transport") && value("error-type", "rpc") && value("error-type", "protocol") &&
       value("error-type", "application"));
    ok("another type is refused",
       refused("error-type", "Rpc") && refused("error-type", "app") && refused("error-type", "rpcx") &&
       refused("error-type", "error") && refused("error-type", ""));
    good = 1;
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) good &= value("error-tag", tags[i]);
    ok("each tag of an error is taken", good);
    ok("another tag is refused",
       refused("error-tag", "in-us") && refused("error-tag", "other") && refused("error-tag", "rpc") &&
       refused("error-tag", "partial-operation ") && refused("error-tag", ""));
    ok("both severities are taken", value("error-severity", "error") && value("error-severity", "warning"));
    ok("another severity is refused",
       refused("error-severity", "info") && refused("error-severity", "rpc") && refused("error-severity", ""));
    ok("other elements have any value",
       value("error-app-tag", "x y") && value("error-path", "/p:a") && value("error-message", "any 1"));
    ok("no element but error-info may be there twice",
       twice("error-type", "rpc", "protocol") == LY_EVALID && twice("error-tag", "in-use", "too-big") == LY_EVALID &&
       twice("error-severity", "error", "warning") == LY_EVALID && twice("error-app-tag", "a", "b") == LY_EVALID &&
       twice("error-path", "a", "b") == LY_EVALID && twice("error-message", "a", "b") == LY_EVALID);
    ok("error-info may be there twice",
       reads("<error-info><session-id>1</session-id></error-info>" TYPE
             "<error-info><bad-element>2</bad-element></error-info>",
             "error-info{session-id=1;};error-type=rpc;error-info{bad-element=2;};"));
    ok("error-info has its content",
       reads("<error-info><bad-attribute>a</bad-attribute><bad-element>e</bad-element>"
             "<c xmlns=\"urn:c\"><d>1</d></c></error-info>",
             "error-info{bad-attribute=a;bad-element=e;c{d=1;};};"));
    ok("an empty or wrong error-info is an error",
       error("<error-info/>") == LY_EVALID && error("<error-info>text</error-info>") == LY_EVALID &&
       error("<error-info><bad-element>a</bad-element><bad-element>a</bad-element></error-info>") == LY_EVALID);
    ok("an unknown element is an error",
       error("<other>1</other>") == LY_EVALID && error(TYPE "<error-types>rpc</error-types>") == LY_EVALID &&
       error("<ok/>") == LY_EVALID && error(TYPE "<rpc-error>" TYPE "</rpc-error>") == LY_EVALID);
    ok("an element of another namespace is an error",
       error("<error-type xmlns=\"urn:a\">rpc</error-type>") == LY_EVALID &&
       error(TYPE "<error-message xmlns=\"urn:a\">m</error-message>") == LY_EVALID);
    ok("an element with a child is an error",
       error("<error-message><a/></error-message>") == LY_EVALID &&
       error("<error-path><a>1</a></error-path>") == LY_EVALID);
    ok("an error without children is an error", error("") == LY_EVALID && error(" \n ") == LY_EVALID);
    good = error(TYPE TAG) == LY_SUCCESS && status == LYXML_ELEM_CLOSE;
    ok("after a success the reader stands at the end of the error", good);

    ly_err_clean(ctx, NULL);
    long live = plus_live_blocks;
    inner("<ok/>");
    inner("<ok/><ok/>");
    inner("<ok><a xmlns=\"urn:a\"/></ok>");
    inner("<rpc-error>" TYPE TAG "</rpc-error><rpc-error>" TAG "</rpc-error>");
    inner("<rpc-error>" TYPE TAG "</rpc-error><rpc-error>" TAG TAG "</rpc-error>");
    inner("<rpc-error>" TYPE "</rpc-error><a xmlns=\"urn:a\"/>");
    inner("");
    reply("<rpc" NS "/>");
    error("<error-type>x</error-type>");
    error(TYPE TYPE);
    error("<error-info><bad-element>2</bad-element><bad-element>2</bad-element></error-info>");
    error("<error-message>m<a/></error-message>");
    ly_err_clean(ctx, NULL);
    ok("nothing is left behind", plus_live_blocks == live);
    return plus_end();
}
