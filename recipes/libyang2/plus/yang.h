/* A context with one module, for the plus tests. */
#ifndef PLUS_YANG_H
#define PLUS_YANG_H
#include "libyang.h"
#include "common.h"
#include "plus.h"

static inline struct ly_ctx *yang_context(const char *module) {
    struct ly_ctx *ctx = NULL;
    if (ly_ctx_new(NULL, LY_CTX_NO_YANGLIBRARY, &ctx) || (module && lys_parse_mem(ctx, module, LYS_IN_YANG, NULL)))
        plus_die("Bail out! no context\n");
    return ctx;
}

static inline struct lyd_node *yang_data(struct ly_ctx *ctx, const char *text, LYD_FORMAT format) {
    struct lyd_node *tree = NULL;
    if (lyd_parse_data_mem(ctx, text, format, LYD_PARSE_ONLY | LYD_PARSE_STRICT, 0, &tree) || !tree)
        plus_die("Bail out! no data\n");
    return tree;
}
#endif
