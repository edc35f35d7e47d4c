/*---
 * tasks: [schema_mount_get_smount-175bd9]
 * instead: [src/plugins_exts/schema_mount.c.o]
 * tests:
 *   a mount point is found: 'Docstring: "Learn details about the current mount point".'
 *   an inline schema is not shared: 'Docstring: "whether the schema is shared or inline"; RFC 8528.'
 *   a shared schema is shared: 'Docstring: "whether the schema is shared or inline"; RFC 8528.'
 *   the config is kept when nothing is said: 'Docstring: "Whether the whole schema should keep its config".'
 *   the config is kept when it is true: 'RFC 8528: config, "true" by default.'
 *   the config is false when it says so: 'RFC 8528: config, if false all nodes are read-only.'
 *   the config is false below a parent without config: 'Docstring: "or be set to false"; RFC 7950, 7.21.1.'
 *   SHARED may be left out: 'Docstring: "Optional flag".'
 *   without SHARED the config is told: 'Docstring: "Optional flag"; caller snode.'
 *   the label tells mount points apart: 'RFC 8528: mount-point, key "module label".'
 *   a label that is missing is LY_ENOT: 'Callers: no mount point, so there cannot be data.'
 *   the module tells mount points apart: 'RFC 8528: mount-point, key "module label".'
 *   no data at all is LY_ENOT: 'Caller: EXT_DATA may be NULL when there is no callback data.'
 *   data without mount points are LY_ENOT: 'RFC 8528, page 10: no mount point, no data.'
 *   a list may have a mount point: 'RFC 8528: in containers and lists.'
 *   a mount point that is neither inline nor shared is an error: 'RFC 8528: schema-ref is mandatory.'
 *   data before the mount points do not matter: 'Docstring: "Extension data retrieved by the callback".'
 *   the data stay as they were: 'Docstring: EXT_DATA is const.'
 *   nothing is left in memory: 'Callers have nothing to free.'
 ---*/
#include "../plugins_exts/schema_mount.c"
#include "yang.h"

static struct ly_ctx *ctx;
static struct lyd_node *data;
static ly_bool config, shared;

static const struct lysc_ext_instance *ext(const char *path) {
    const struct lysc_node *n = lys_find_path(ctx, NULL, path, 0);
    if (!n || LY_ARRAY_COUNT(n->exts) != 1) plus_die("Bail out! no mount point\n");
    return &n->exts[0];
}

static LY_ERR get(const char *path) {
    config = shared = 7;
    return schema_mount_get_smount(ext(path), data, &config, &shared);
}

int main(void) {
    plus_start();
    static const char other[] =
        "module o {namespace urn:o; prefix o; yang-version 1.1; import ietf-yang-schema-mount {prefix y;}"
        "container a {y:mount-point one;}}";
    ctx = yang_context(
        "module m {namespace urn:m; prefix m; yang-version 1.1; import ietf-yang-schema-mount {prefix y;}"
        "container a {y:mount-point one;} container b {y:mount-point two;} container c {y:mount-point three;}"
        "container d {y:mount-point four;} container r {config false; y:mount-point one;} leaf a0 {type string;}"
        "container e {y:mount-point five;} container n {y:mount-point none;}"
        "list l {key k; leaf k {type string;} y:mount-point two;}}");
    if (lys_parse_mem(ctx, other, LYS_IN_YANG, NULL) || !ly_ctx_load_module(ctx, "ietf-yang-schema-mount", NULL, NULL))
        plus_die("Bail out! no modules\n");
    data = yang_data(ctx,
        "{\"m:a0\": \"x\", \"ietf-yang-schema-mount:schema-mounts\": {\"mount-point\": ["
        "{\"module\": \"m\", \"label\": \"one\", \"inline\": {}},"
        "{\"module\": \"m\", \"label\": \"two\", \"shared-schema\": {}},"
        "{\"module\": \"m\", \"label\": \"three\", \"config\": false, \"shared-schema\": {}},"
        "{\"module\": \"m\", \"label\": \"four\", \"config\": true, \"inline\": {}},"
        "{\"module\": \"m\", \"label\": \"five\"}]}}", LYD_JSON);
    char *before = NULL, *after = NULL;
    lyd_print_mem(&before, data, LYD_JSON, LYD_PRINT_WITHSIBLINGS);
    LY_ERR r = get("/m:a");
    ok("a mount point is found", r == LY_SUCCESS);
    ok("an inline schema is not shared", shared == 0);
    ok("the config is kept when nothing is said", config == 1);
    r = get("/m:b");
    ok("a shared schema is shared", r == LY_SUCCESS && shared == 1);
    int two = config == 1;
    r = get("/m:c");
    ok("the config is false when it says so", r == LY_SUCCESS && config == 0 && shared == 1);
    r = get("/m:d");
    ok("the config is kept when it is true", r == LY_SUCCESS && config == 1 && shared == 0);
    r = get("/m:r");
    ok("the config is false below a parent without config", r == LY_SUCCESS && config == 0 && shared == 0);
    config = 7;
    r = schema_mount_get_smount(ext("/m:b"), data, &config, NULL);
    ok("SHARED may be left out", r == LY_SUCCESS);
    int kept = config == 1;
    schema_mount_get_smount(ext("/m:c"), data, &config, NULL);
    ok("without SHARED the config is told", kept && config == 0);
    ok("the label tells mount points apart", two && get("/m:a") == LY_SUCCESS && !shared && !get("/m:b") && shared);
    ok("a label that is missing is LY_ENOT", get("/m:n") == LY_ENOT);
    ok("the module tells mount points apart", get("/o:a") == LY_ENOT);
    ok("no data at all is LY_ENOT", schema_mount_get_smount(ext("/m:a"), NULL, &config, &shared) == LY_ENOT);
    struct lyd_node *empty = yang_data(ctx, "{\"m:a0\": \"y\"}", LYD_JSON);
    ok("data without mount points are LY_ENOT",
       schema_mount_get_smount(ext("/m:a"), empty, &config, &shared) == LY_ENOT);
    r = get("/m:l");
    ok("a list may have a mount point", r == LY_SUCCESS && shared == 1 && config == 1);
    ly_log_options(0);
    r = get("/m:e");
    ok("a mount point that is neither inline nor shared is an error", r != LY_SUCCESS && r != LY_ENOT);
    ok("data before the mount points do not matter", data->next && get("/m:a") == LY_SUCCESS);
    lyd_print_mem(&after, data, LYD_JSON, LYD_PRINT_WITHSIBLINGS);
    ok("the data stay as they were", before && same(before, after));
    get("/m:a");
    get("/m:n");
    long live = plus_live_blocks;
    get("/m:a");
    get("/m:b");
    get("/m:n");
    ok("nothing is left in memory", plus_live_blocks == live);
    return plus_end();
}
