/*---
 * tasks: [custom_ext_parse-9fc2dd.4, custom_ext_parse-9fc2dd.8]
 * tests:
 *   the flags of what both have are copied: 'Comment: "Copy the flags from src to dst for any extensions that exist in both".'
 *   flags are replaced and not joined: 'Comment: "Copy the flags".'
 *   what only one has is passed over: 'Comment: "that exist in both".'
 *   the role decides with the type: 'custom_ext_find: role; client and server apart on one SSL_CTX.'
 *   places may differ: 'Comment: extensions, not places.'
 *   empty lists are right: 'SSL_set_SSL_CTX calls it whether there are extensions or not.'
 *   nothing else is copied: 'Comment: "Copy the flags".'
 ---*/
#include "pa_custext.h"

static custom_ext_methods src, dst;

static void begin(void)
{
    OPENSSL_free(src.meths);
    OPENSSL_free(dst.meths);
    memset(&src, 0, sizeof(src));
    memset(&dst, 0, sizeof(dst));
}

static void add(custom_ext_methods *exts, ENDPOINT role, int type, unsigned int flags)
{
    plus_method(exts, role, type, CH, NULL)->ext_flags = flags;
}

#define COPIES() TEST_int_eq(custom_exts_copy_flags(&dst, &src), 1)
#define FLAGS(i, flags) TEST_uint_eq(dst.meths[i].ext_flags, flags)

static int copied(void)
{
    begin();
    add(&src, ENDPOINT_BOTH, 1, SENT);
    add(&src, ENDPOINT_BOTH, 2, RECEIVED);
    add(&src, ENDPOINT_BOTH, 3, SENT | RECEIVED);
    add(&dst, ENDPOINT_BOTH, 1, 0);
    add(&dst, ENDPOINT_BOTH, 2, 0);
    add(&dst, ENDPOINT_BOTH, 3, 0);
    return COPIES() && FLAGS(0, SENT) && FLAGS(1, RECEIVED) && FLAGS(2, SENT | RECEIVED)
        && TEST_uint_eq(src.meths[0].ext_flags, SENT)
        && TEST_uint_eq(src.meths[2].ext_flags, SENT | RECEIVED);
}

static int replaced(void)
{
    begin();
    add(&src, ENDPOINT_BOTH, 1, SENT);
    add(&src, ENDPOINT_BOTH, 2, 0);
    add(&dst, ENDPOINT_BOTH, 1, RECEIVED);
    add(&dst, ENDPOINT_BOTH, 2, SENT | RECEIVED);
    return COPIES() && FLAGS(0, SENT) && FLAGS(1, 0);
}

static int only_one(void)
{
    begin();
    add(&src, ENDPOINT_BOTH, 1, SENT);
    add(&src, ENDPOINT_BOTH, 2, RECEIVED);
    add(&dst, ENDPOINT_BOTH, 3, SENT);
    add(&dst, ENDPOINT_BOTH, 2, 0);
    return COPIES() && FLAGS(0, SENT) && FLAGS(1, RECEIVED) && TEST_size_t_eq(dst.meths_count, 2)
        && TEST_size_t_eq(src.meths_count, 2);
}

static int role(void)
{
    begin();
    add(&src, ENDPOINT_CLIENT, 1, SENT);
    add(&src, ENDPOINT_SERVER, 1, RECEIVED);
    add(&src, ENDPOINT_SERVER, 2, RECEIVED);
    add(&dst, ENDPOINT_SERVER, 1, 0);
    add(&dst, ENDPOINT_CLIENT, 1, 0);
    add(&dst, ENDPOINT_CLIENT, 2, SENT);
    return COPIES() && FLAGS(0, RECEIVED) && FLAGS(1, SENT) && FLAGS(2, SENT);
}

static int places(void)
{
    begin();
    add(&src, ENDPOINT_BOTH, 5, SENT);
    add(&src, ENDPOINT_BOTH, 6, RECEIVED);
    add(&src, ENDPOINT_BOTH, 7, SENT | RECEIVED);
    add(&dst, ENDPOINT_BOTH, 7, 0);
    add(&dst, ENDPOINT_BOTH, 9, 0);
    add(&dst, ENDPOINT_BOTH, 6, 0);
    add(&dst, ENDPOINT_BOTH, 8, 0);
    add(&dst, ENDPOINT_BOTH, 5, 0);
    return COPIES() && FLAGS(0, SENT | RECEIVED) && FLAGS(1, 0) && FLAGS(2, RECEIVED)
        && FLAGS(3, 0) && FLAGS(4, SENT);
}

static int empty(void)
{
    begin();
    if (!COPIES())
        return 0;
    add(&src, ENDPOINT_BOTH, 5, SENT);
    if (!COPIES() || !TEST_ptr_null(dst.meths) || !TEST_size_t_eq(dst.meths_count, 0))
        return 0;
    begin();
    add(&dst, ENDPOINT_BOTH, 5, SENT);
    return COPIES() && FLAGS(0, SENT);
}

static int others_stay(void)
{
    begin();
    add(&src, ENDPOINT_CLIENT, 5, SENT);
    src.meths[0].context = EE;
    src.meths[0].add_arg = &src;
    src.meths[0].parse_cb = plus_parse;
    add(&dst, ENDPOINT_BOTH, 5, 0);
    return COPIES() && FLAGS(0, SENT) && TEST_uint_eq(dst.meths[0].context, CH)
        && TEST_ptr_null(dst.meths[0].add_arg) && TEST_true(dst.meths[0].parse_cb == NULL)
        && TEST_ptr_eq(dst.meths[0].parse_arg, &plus_seen)
        && TEST_int_eq(dst.meths[0].role, ENDPOINT_BOTH);
}

int setup_tests(void)
{
    add_test("the flags of what both have are copied", copied);
    add_test("flags are replaced and not joined", replaced);
    add_test("what only one has is passed over", only_one);
    add_test("the role decides with the type", role);
    add_test("places may differ", places);
    add_test("empty lists are right", empty);
    add_test("nothing else is copied", others_stay);
    return 1;
}
