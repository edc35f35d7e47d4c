/*---
 * tasks: [custom_ext_parse-9fc2dd.16]
 * tests:
 *   each name is there in its order:
 *     'Name: dup; SSL_new.pod: SSL_dup copies "any CA list or client CA list".'
 *   the list and its names are apart from the source: 'Name: dup; SSL_free frees the names of each.'
 *   no list gives no list:
 *     'ssl_cert.c: SSL_get0_CA_list falls back to the list of the context for NULL alone.'
 *   an empty list gives an empty list:
 *     'ssl_cert.c: SSL_get0_CA_list falls back to the list of the context for NULL alone.'
 *   long lists and names that come twice are copied whole: 'Name: dup.'
 *   the source stays as it was: 'SSL_new.pod: "duplicates an existing SSL structure".'
 *   refused memory is told and nothing is left behind:
 *     'Signature: int, as that of dane_ctx_enable; SSL_new.pod: "the creation of a new SSL structure
 *     failed".'
 *   nothing is leaked or freed twice: 'SSL_free frees by sk_X509_NAME_pop_free.'
 ---*/
#include "../../ssl/ssl_lib.c"
#include "pa_dupssl.h"

static void push_name(STACK_OF(X509_NAME) *list, const char *text)
{
    X509_NAME *name = X509_NAME_new();

    /* One without entries for "". */
    if (*text != '\0')
        X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)text, -1, -1,
                                   0);
    sk_X509_NAME_push(list, name);
}

static STACK_OF(X509_NAME) *names(const char *first, const char *second, const char *third)
{
    STACK_OF(X509_NAME) *list = sk_X509_NAME_new_null();

    if (first != NULL)
        push_name(list, first);
    if (second != NULL)
        push_name(list, second);
    if (third != NULL)
        push_name(list, third);
    return list;
}

static void free_names(STACK_OF(X509_NAME) *list)
{
    sk_X509_NAME_pop_free(list, X509_NAME_free);
}

static int is_name(const STACK_OF(X509_NAME) *list, int place, const char *text)
{
    char line[200];
    X509_NAME *name = sk_X509_NAME_value(list, place);

    return TEST_ptr(name)
        && (*text == '\0' ? TEST_int_eq(X509_NAME_entry_count(name), 0)
            : TEST_int_gt(X509_NAME_get_text_by_NID(name, NID_commonName, line, sizeof(line)), 0)
              && TEST_str_eq(line, text));
}

static int in_order(void)
{
    STACK_OF(X509_NAME) *src = names("one", "two", "a third"), *dst = NULL;
    int ok = TEST_int_eq(dup_ca_names(&dst, src), 1) && TEST_int_eq(sk_X509_NAME_num(dst), 3)
        && is_name(dst, 0, "one") && is_name(dst, 1, "two") && is_name(dst, 2, "a third");

    free_names(src);
    free_names(dst);
    if (!ok)
        return 0;
    src = names("b", "a", NULL);
    dst = NULL;
    ok = TEST_int_eq(dup_ca_names(&dst, src), 1) && TEST_int_eq(sk_X509_NAME_num(dst), 2)
        && is_name(dst, 0, "b") && is_name(dst, 1, "a");
    free_names(src);
    free_names(dst);
    return ok;
}

static int apart(void)
{
    STACK_OF(X509_NAME) *src = names("one", "two", NULL), *dst = NULL;
    int i, ok = TEST_int_eq(dup_ca_names(&dst, src), 1) && TEST_ptr(dst) && TEST_ptr_ne(dst, src);

    for (i = 0; i < 2 && ok; i++)
        ok = TEST_ptr_ne(sk_X509_NAME_value(dst, i), sk_X509_NAME_value(src, i))
            && TEST_int_eq(X509_NAME_cmp(sk_X509_NAME_value(dst, i), sk_X509_NAME_value(src, i)), 0);
    if (ok) {
        X509_NAME_add_entry_by_txt(sk_X509_NAME_value(src, 0), "O", MBSTRING_ASC,
                                   (const unsigned char *)"more", -1, -1, 0);
        push_name(src, "three");
        X509_NAME_free(sk_X509_NAME_shift(src));
        ok = TEST_int_eq(sk_X509_NAME_num(dst), 2)
            && TEST_int_eq(X509_NAME_entry_count(sk_X509_NAME_value(dst, 0)), 1);
    }
    free_names(src);
    /* The copy outlives its source. */
    ok = ok && is_name(dst, 0, "one") && is_name(dst, 1, "two");
    free_names(dst);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int no_list(void)
{
    STACK_OF(X509_NAME) *dst = NULL;

    return TEST_int_eq(dup_ca_names(&dst, NULL), 1) && TEST_ptr_null(dst);
}

static int empty(void)
{
    STACK_OF(X509_NAME) *src = names(NULL, NULL, NULL), *dst = NULL;
    int ok = TEST_int_eq(dup_ca_names(&dst, src), 1) && TEST_ptr(dst) && TEST_ptr_ne(dst, src)
        && TEST_int_eq(sk_X509_NAME_num(dst), 0);

    free_names(src);
    free_names(dst);
    return ok;
}

static int whole(void)
{
    STACK_OF(X509_NAME) *src = names(NULL, NULL, NULL), *dst = NULL;
    char text[20];
    int i, ok;

    for (i = 0; i < 300; i++) {
        sprintf(text, i % 50 == 7 ? "" : "name %d", i % 3 == 0 ? 0 : i);
        push_name(src, text);
    }
    ok = TEST_int_eq(dup_ca_names(&dst, src), 1) && TEST_int_eq(sk_X509_NAME_num(dst), 300);
    for (i = 0; i < 300 && ok; i++) {
        sprintf(text, i % 50 == 7 ? "" : "name %d", i % 3 == 0 ? 0 : i);
        ok = is_name(dst, i, text);
    }
    free_names(src);
    free_names(dst);
    return ok;
}

static int source_stays(void)
{
    STACK_OF(X509_NAME) *src = names("b", "a", "b"), *dst = NULL;
    X509_NAME *held[3];
    int i, ok;

    for (i = 0; i < 3; i++)
        held[i] = sk_X509_NAME_value(src, i);
    ok = TEST_int_eq(dup_ca_names(&dst, src), 1) && TEST_int_eq(sk_X509_NAME_num(src), 3);
    for (i = 0; i < 3 && ok; i++)
        ok = TEST_ptr_eq(sk_X509_NAME_value(src, i), held[i]) && is_name(src, i, i == 1 ? "a" : "b");
    free_names(dst);
    /* What was copied is freed, and the source is whole still. */
    ok = ok && is_name(src, 0, "b") && is_name(src, 1, "a") && is_name(src, 2, "b");
    free_names(src);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int refused(void)
{
    STACK_OF(X509_NAME) *src = names("one", "two", "three"), *dst = NULL;
    int i, failed = 0, done = 0, ok;

    /* A name keeps its encoding from the first time on. */
    ok = TEST_int_eq(dup_ca_names(&dst, src), 1);
    free_names(dst);
    for (i = 0; i < 400 && ok && done < 4; i++) {
        long blocks;
        int result;

        ERR_clear_error();
        OPENSSL_thread_stop();
        blocks = memory_blocks;
        dst = NULL;
        plus_refuse(i);
        result = dup_ca_names(&dst, src);
        plus_refuse(-1);
        failed += !result;
        done += result != 0;
        ok = TEST_true(result == 0 || result == 1)
            && (result == 0 || (TEST_int_eq(sk_X509_NAME_num(dst), 3) && is_name(dst, 0, "one")
                                && is_name(dst, 1, "two") && is_name(dst, 2, "three")));
        /* As SSL_free does with what is there. */
        free_names(dst);
        ERR_clear_error();
        OPENSSL_thread_stop();
        ok = ok && TEST_long_eq(memory_blocks, blocks) && TEST_long_eq(memory_bad_frees, 0);
        if (!ok)
            TEST_info("refused after %d", i);
    }
    free_names(src);
    return ok && TEST_int_ge(failed, 10) && TEST_int_ge(done, 2);
}

static int no_leak(void)
{
    long blocks;

    if (!in_order() || !whole())
        return 0;
    blocks = memory_blocks;
    return in_order() && apart() && no_list() && empty() && whole() && source_stays()
        && TEST_long_eq(memory_blocks, blocks) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("each name is there in its order", in_order);
    add_test("the list and its names are apart from the source", apart);
    add_test("no list gives no list", no_list);
    add_test("an empty list gives an empty list", empty);
    add_test("long lists and names that come twice are copied whole", whole);
    add_test("the source stays as it was", source_stays);
    add_test("refused memory is told and nothing is left behind", refused);
    add_test("nothing is leaked or freed twice", no_leak);
    return 1;
}
