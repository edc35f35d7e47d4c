/*---
 * tasks: [F26B5D118AC8365C]
 * tests:
 *   the criterion is a search by name: 'OSSL_STORE_SEARCH(3): OSSL_STORE_SEARCH_BY_NAME "is created with
 *     OSSL_STORE_SEARCH_by_name()".'
 *   the name is the one given: 'OSSL_STORE_SEARCH(3): "the actual subject name is retrieved with
 *     OSSL_STORE_SEARCH_get0_name()".'
 *   the name is referred to and not copied: 'OSSL_STORE_SEARCH(3): "The parameters that are provided are not copied,
 *     only referred to".'
 *   nothing else is set: 'OSSL_STORE_SEARCH(3): get0_serial, get0_bytes and get0_string give "NULL when the given
 *     OSSL_STORE_SEARCH was of a different type".'
 *   each criterion has its own name: 'OSSL_STORE_SEARCH(3).'
 *   the name outlives the criterion: 'Docstring: "owned by the caller".'
 *   nothing is leaked: 'OSSL_STORE_SEARCH_free(3) frees the criterion alone.'
 *   without memory there is no criterion: 'OSSL_STORE_SEARCH(3): "or NULL on failure".'
 *   a file store takes the criterion: 'OSSL_STORE_find(3).'
 ---*/
#include "memory_count.h"
#include <openssl/store.h>
#include <openssl/x509.h>
#include "testutil.h"

static X509_NAME *alice, *bob;

static int by_name(void)
{
    OSSL_STORE_SEARCH *search = OSSL_STORE_SEARCH_by_name(alice);
    int ok = TEST_ptr(search) && TEST_int_eq(OSSL_STORE_SEARCH_get_type(search), OSSL_STORE_SEARCH_BY_NAME);

    OSSL_STORE_SEARCH_free(search);
    return ok;
}

static int is_given(void)
{
    OSSL_STORE_SEARCH *search = OSSL_STORE_SEARCH_by_name(alice);
    int ok = TEST_ptr(search) && TEST_ptr(OSSL_STORE_SEARCH_get0_name(search))
        && TEST_int_eq(X509_NAME_cmp(OSSL_STORE_SEARCH_get0_name(search), alice), 0);

    OSSL_STORE_SEARCH_free(search);
    return ok;
}

static int not_copied(void)
{
    OSSL_STORE_SEARCH *search = OSSL_STORE_SEARCH_by_name(bob);
    int ok = TEST_ptr(search) && TEST_ptr_eq(OSSL_STORE_SEARCH_get0_name(search), bob);

    OSSL_STORE_SEARCH_free(search);
    return ok;
}

static int nothing_else(void)
{
    OSSL_STORE_SEARCH *search = OSSL_STORE_SEARCH_by_name(alice);
    size_t length = 1;
    int ok = TEST_ptr(search)
        && TEST_ptr_null(OSSL_STORE_SEARCH_get0_serial(search))
        && TEST_ptr_null(OSSL_STORE_SEARCH_get0_bytes(search, &length))
        && TEST_ptr_null(OSSL_STORE_SEARCH_get0_string(search))
        && TEST_ptr_null(OSSL_STORE_SEARCH_get0_digest(search));

    OSSL_STORE_SEARCH_free(search);
    return ok;
}

static int its_own(void)
{
    OSSL_STORE_SEARCH *one = OSSL_STORE_SEARCH_by_name(alice), *two = OSSL_STORE_SEARCH_by_name(bob);
    int ok = TEST_ptr(one) && TEST_ptr(two) && TEST_ptr_ne(one, two)
        && TEST_int_eq(X509_NAME_cmp(OSSL_STORE_SEARCH_get0_name(one), alice), 0)
        && TEST_int_eq(X509_NAME_cmp(OSSL_STORE_SEARCH_get0_name(two), bob), 0);

    OSSL_STORE_SEARCH_free(one);
    ok = ok && TEST_int_eq(X509_NAME_cmp(OSSL_STORE_SEARCH_get0_name(two), bob), 0);
    OSSL_STORE_SEARCH_free(two);
    return ok;
}

static int outlives(void)
{
    OSSL_STORE_SEARCH_free(OSSL_STORE_SEARCH_by_name(alice));
    return TEST_int_eq(X509_NAME_entry_count(alice), 1)
        && TEST_int_ne(X509_NAME_cmp(alice, bob), 0)
        && TEST_long_eq(memory_bad_frees, 0);
}

static int no_leak(void)
{
    long before = memory_blocks;

    OSSL_STORE_SEARCH_free(OSSL_STORE_SEARCH_by_name(alice));
    OSSL_STORE_SEARCH_free(OSSL_STORE_SEARCH_by_name(bob));
    return TEST_long_eq(memory_blocks, before);
}

static int no_memory(void)
{
    OSSL_STORE_SEARCH *search;

    memory_left = 0;
    search = OSSL_STORE_SEARCH_by_name(alice);
    memory_left = -1;
    return TEST_ptr_null(search);
}

static int file_store(void)
{
    OSSL_STORE_SEARCH *search = OSSL_STORE_SEARCH_by_name(alice);
    OSSL_STORE_CTX *ctx = OSSL_STORE_open("test", NULL, NULL, NULL, NULL);
    OSSL_STORE_INFO *info = NULL;
    /* No file of this directory is named after the hash of Alice. */
    int ok = TEST_ptr(search) && TEST_ptr(ctx)
        && TEST_int_eq(OSSL_STORE_find(ctx, search), 1)
        && TEST_ptr_null(info = OSSL_STORE_load(ctx))
        && TEST_true(OSSL_STORE_eof(ctx));

    OSSL_STORE_INFO_free(info);
    OSSL_STORE_close(ctx);
    OSSL_STORE_SEARCH_free(search);
    return ok;
}

static X509_NAME *named(const char *name)
{
    X509_NAME *result = X509_NAME_new();

    if (!X509_NAME_add_entry_by_txt(result, "CN", MBSTRING_ASC, (const unsigned char *)name, -1, -1, 0)
        || i2d_X509_NAME(result, NULL) <= 0)
        return NULL;
    return result;
}

int setup_tests(void)
{
    if (!TEST_ptr(alice = named("Alice")) || !TEST_ptr(bob = named("Bob")))
        return 0;
    add_test("the criterion is a search by name", by_name);
    add_test("the name is the one given", is_given);
    add_test("the name is referred to and not copied", not_copied);
    add_test("nothing else is set", nothing_else);
    add_test("each criterion has its own name", its_own);
    add_test("the name outlives the criterion", outlives);
    add_test("nothing is leaked", no_leak);
    add_test("without memory there is no criterion", no_memory);
    add_test("a file store takes the criterion", file_store);
    return 1;
}

void cleanup_tests(void)
{
    X509_NAME_free(alice);
    X509_NAME_free(bob);
}
