/*---
 * tasks: [ACC2F8D9A0A4B244]
 * tests:
 *   the name goes to the target: 'Docstring: "Move peername from one param structure to another".'
 *   the source has no name afterwards: 'Docstring: "Move"; a name has one owner.'
 *   a name at the target is replaced: 'Docstring: "freeing any name present at the target".'
 *   a source without a name leaves none: 'Docstring: "Move peername ..., freeing any name present at the target".'
 *   a NULL source clears the name:
 *     'Docstring: "If the source is a NULL parameter structure, free and zero the target peername."'
 *   a NULL source and no name is nothing to do:
 *     'ssl_lib.c: ossl_ssl_connection_reset calls it with NULL whether there is a name or not.'
 *   nothing is leaked or freed twice: 'Docstring: "freeing any name present at the target".'
 *   the other parameters stay: 'Docstring: "Move peername".'
 ---*/
#include "../../crypto/x509/x509_vpm.c"
#include "../testutil.h"
#include "memory_count.h"

/* Parameters with this name of the peer, if any. */
static X509_VERIFY_PARAM *named(const char *name)
{
    X509_VERIFY_PARAM *param = X509_VERIFY_PARAM_new();

    if (TEST_ptr(param) && name != NULL)
        param->peername = OPENSSL_strdup(name);
    return param;
}

/* Does moving from one with `source` to one with `target` give `expected` and leave the source none? */
static int moves(const char *target, const char *source, const char *expected)
{
    X509_VERIFY_PARAM *to = named(target), *from = named(source);
    int ok;

    X509_VERIFY_PARAM_move_peername(to, from);
    ok = (expected == NULL ? TEST_ptr_null(X509_VERIFY_PARAM_get0_peername(to))
                           : TEST_str_eq(X509_VERIFY_PARAM_get0_peername(to), expected))
        && TEST_ptr_null(X509_VERIFY_PARAM_get0_peername(from));
    if (!ok)
        return 0;
    /* The source first, so that a name that both hold is seen. */
    X509_VERIFY_PARAM_free(from);
    ok = expected == NULL || TEST_str_eq(X509_VERIFY_PARAM_get0_peername(to), expected);
    X509_VERIFY_PARAM_free(to);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int clears(const char *target)
{
    X509_VERIFY_PARAM *to = named(target);
    int ok;

    X509_VERIFY_PARAM_move_peername(to, NULL);
    ok = TEST_ptr_null(X509_VERIFY_PARAM_get0_peername(to));
    if (ok)
        X509_VERIFY_PARAM_free(to);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int goes(void)
{
    return moves(NULL, "host.example", "host.example");
}

static int source_none(void)
{
    X509_VERIFY_PARAM *to = named(NULL), *from = named("host.example");
    int ok;

    X509_VERIFY_PARAM_move_peername(to, from);
    ok = TEST_ptr_null(X509_VERIFY_PARAM_get0_peername(from));
    if (ok) {
        X509_VERIFY_PARAM_free(to);
        X509_VERIFY_PARAM_free(from);
    }
    return ok;
}

static int replaced(void)
{
    return moves("old.example", "new.example", "new.example");
}

static int leaves_none(void)
{
    return moves("old.example", NULL, NULL) && moves(NULL, NULL, NULL);
}

static int null_clears(void)
{
    return clears("old.example");
}

static int nothing_to_do(void)
{
    return clears(NULL);
}

static int balanced(void)
{
    long before = memory_blocks;

    return moves(NULL, "a.example", "a.example") && moves("b.example", "c.example", "c.example")
        && moves("d.example", NULL, NULL) && clears("e.example") && clears(NULL)
        && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

static int others_stay(void)
{
    X509_VERIFY_PARAM *to = named("old.example"), *from = named("new.example");
    int ok;

    X509_VERIFY_PARAM_set_depth(to, 3);
    X509_VERIFY_PARAM_set1_host(to, "to.example", 0);
    X509_VERIFY_PARAM_set_depth(from, 5);
    X509_VERIFY_PARAM_set1_host(from, "from.example", 0);
    X509_VERIFY_PARAM_move_peername(to, from);
    ok = TEST_int_eq(X509_VERIFY_PARAM_get_depth(to), 3)
        && TEST_str_eq(X509_VERIFY_PARAM_get0_host(to, 0), "to.example")
        && TEST_int_eq(X509_VERIFY_PARAM_get_depth(from), 5)
        && TEST_str_eq(X509_VERIFY_PARAM_get0_host(from, 0), "from.example");
    return ok;
}

int setup_tests(void)
{
    add_test("the name goes to the target", goes);
    add_test("the source has no name afterwards", source_none);
    add_test("a name at the target is replaced", replaced);
    add_test("a source without a name leaves none", leaves_none);
    add_test("a NULL source clears the name", null_clears);
    add_test("a NULL source and no name is nothing to do", nothing_to_do);
    add_test("nothing is leaked or freed twice", balanced);
    add_test("the other parameters stay", others_stay);
    return 1;
}
