/*---
 * tasks: [lydjson_data_check_opaq-937dea]
 * instead: [src/parser_json.c.o]
 * tests:
 *   a leaf with a valid value can be parsed: 'Docstring: "LY_SUCCESS in case the data are ok for the SNODE".'
 *   a leaf with a value that is not valid can not: 'Docstring: such data "are expected to be parsed as opaq nodes".'
 *   a leaf-list is checked like a leaf: 'Docstring: "leaf or leaf-list".'
 *   the hint of a string is detected: 'Docstring: "detected value type hint"; tree_data.h.'
 *   the hint of a number is detected: 'Docstring: "detected value type hint"; tree_data.h.'
 *   the hint of a boolean is detected: 'Docstring: "detected value type hint"; tree_data.h.'
 *   the hint of an empty value is detected: 'Docstring: "detected value type hint"; tree_data.h.'
 *   an object for a leaf is LY_EINVAL: 'Docstring: "LY_EINVAL in case of invalid leaf JSON encoding".'
 *   an array of values for a leaf is LY_EINVAL: 'Docstring: "LY_EINVAL in case of invalid leaf JSON encoding".'
 *   a list with its keys can be parsed: 'Docstring: "LY_SUCCESS in case the data are ok".'
 *   a list with keys in another order can be parsed: 'RFC 7951, 5.4: members are in any order.'
 *   a list without a key is LY_ENOT: 'Docstring: "LY_ENOT ... not sufficient to fully parse the list instance".'
 *   a list with a wrong key is LY_ENOT: 'Docstring: "LY_ENOT"; the key has to be valid.'
 *   an empty list entry is LY_ENOT: 'Docstring: "LY_ENOT ... not sufficient to fully parse the list instance".'
 *   a container can always be parsed: 'Docstring: only lists, leaves and leaf-lists have such data.'
 *   without the option a wrong value is no error: 'Docstring: "done only in case the LYD_PARSE_OPAQ is allowed".'
 *   without the option a list is not checked: 'Docstring: "done only in case the LYD_PARSE_OPAQ is allowed".'
 *   without the option the hint is detected: 'Caller lydjson_parse_instance needs it for a leaf.'
 *   the place in the input is what it was: 'Docstring: "the context is in the same state as before calling".'
 *   status and value are what they were: 'Docstring: "the context is in the same state as before calling".'
 *   that holds after an error too: 'Docstring: "When the function returns".'
 *   parsing goes on after it: 'Docstring: "the context is in the same state as before calling".'
 ---*/
#include "../parser_json.c"
#include "yang.h"

static struct ly_ctx *ctx;
static struct lyd_json_ctx lyd;
static uint32_t hint;
static int place = 1, state = 1, bad_too = 1, goes_on = 1;

static LY_ERR check_with(const char *text, const char *path, uint32_t opts) {
    struct ly_in *in;
    struct lyjson_ctx *j = NULL;
    const struct lysc_node *snode = lys_find_path(ctx, NULL, path, 0);
    if (!snode || ly_in_new_memory(text, &in) || lyjson_ctx_new(ctx, in, 0, &j)) plus_die("Bail out! no context\n");
    lyd.parse_opts = opts;
    lyd.jsonctx = j;
    hint = 0xffff;
    const char *at = in->current, *value = j->value;
    size_t len = j->value_len;
    uint32_t depth = j->depth, count = j->status.count;
    int dynamic = j->dynamic, status = lyjson_ctx_status(j, 0);
    LY_ERR r = lydjson_data_check_opaq(&lyd, snode, &hint);
    int here = in->current == at;
    int kept = j->value == value && j->value_len == len && j->dynamic == dynamic && j->depth == depth &&
               j->status.count == count && (int)lyjson_ctx_status(j, 0) == status;
    place &= here;
    state &= kept;
    if (r) bad_too &= here && kept;
    enum LYJSON_PARSER_STATUS s = status;
    for (int i = 0; i < 50 && s != LYJSON_END; i++)
        if (lyjson_ctx_next(j, &s)) break;
    goes_on &= s == LYJSON_END;
    lyjson_ctx_free(j);
    ly_in_free(in, 0);
    return r;
}

static LY_ERR check(const char *text, const char *path) {
    return check_with(text, path, LYD_PARSE_OPAQ);
}

int main(void) {
    plus_start();
    ctx = yang_context(
        "module m {namespace urn:m; prefix m; yang-version 1.1; leaf i {type int8;}"
        "leaf s {type string {length 1..3;}}"
        "leaf b {type boolean;} leaf e {type empty;} leaf-list l {type int8;} container c {leaf x {type int8;}}"
        "list k {key \"n o\"; leaf n {type string;} leaf o {type int8;} leaf v {type int8;}}}");
    ly_log_options(0);
    ok("a leaf with a valid value can be parsed",
       check("5", "/m:i") == LY_SUCCESS && check("\"abc\"", "/m:s") == LY_SUCCESS &&
       check("true", "/m:b") == LY_SUCCESS);
    ok("a leaf with a value that is not valid can not",
       check("500", "/m:i") == LY_ENOT && check("\"abcd\"", "/m:s") == LY_ENOT && check("\"x\"", "/m:i") == LY_ENOT);
    ok("a leaf-list is checked like a leaf", check("7", "/m:l") == LY_SUCCESS && check("700", "/m:l") == LY_ENOT);
    check("\"ab\"", "/m:s");
    ok("the hint of a string is detected", hint == (LYD_VALHINT_STRING | LYD_VALHINT_NUM64));
    check("5", "/m:i");
    ok("the hint of a number is detected", hint == LYD_VALHINT_DECNUM);
    check("true", "/m:b");
    int yes = hint == LYD_VALHINT_BOOLEAN;
    check("false", "/m:b");
    ok("the hint of a boolean is detected", yes && hint == LYD_VALHINT_BOOLEAN);
    LY_ERR r = check("[null]", "/m:e");
    ok("the hint of an empty value is detected", r == LY_SUCCESS && hint == LYD_VALHINT_EMPTY);
    ok("an object for a leaf is LY_EINVAL", check("{\"m:a\": 1}", "/m:i") == LY_EINVAL);
    ok("an array of values for a leaf is LY_EINVAL", check("[1, 2]", "/m:i") == LY_EINVAL);
    ok("a list with its keys can be parsed",
       check("{\"n\": \"x\", \"o\": 1}", "/m:k") == LY_SUCCESS &&
       check("{\"n\": \"x\", \"o\": 1, \"v\": 2}", "/m:k") == LY_SUCCESS);
    ok("a list with keys in another order can be parsed",
       check("{\"v\": 2, \"o\": 1, \"n\": \"x\"}", "/m:k") == LY_SUCCESS);
    ok("a list without a key is LY_ENOT",
       check("{\"n\": \"x\", \"v\": 1}", "/m:k") == LY_ENOT && check("{\"o\": 1}", "/m:k") == LY_ENOT);
    ok("a list with a wrong key is LY_ENOT",
       check("{\"n\": \"x\", \"o\": 500}", "/m:k") == LY_ENOT && check("{\"n\": {}, \"o\": 5}", "/m:k") == LY_ENOT);
    ok("an empty list entry is LY_ENOT", check("{}", "/m:k") == LY_ENOT);
    ok("a container can always be parsed",
       check("{\"x\": 500}", "/m:c") == LY_SUCCESS && check("{}", "/m:c") == LY_SUCCESS);
    ok("without the option a wrong value is no error",
       check_with("500", "/m:i", 0) == LY_SUCCESS && check_with("\"abcd\"", "/m:s", 0) == LY_SUCCESS);
    ok("without the option a list is not checked",
       check_with("{\"v\": 1}", "/m:k", 0) == LY_SUCCESS && check_with("{}", "/m:k", 0) == LY_SUCCESS);
    check_with("5", "/m:i", 0);
    int number = hint == LYD_VALHINT_DECNUM;
    r = check_with("[null]", "/m:e", 0);
    ok("without the option the hint is detected", number && r == LY_SUCCESS && hint == LYD_VALHINT_EMPTY);
    ok("the place in the input is what it was", place);
    ok("status and value are what they were", state);
    ok("that holds after an error too", bad_too);
    ok("parsing goes on after it", goes_on);
    return plus_end();
}
