/*---
 * tasks: [ossl_policy_cache_set_mapping-03d4d1.2]
 * tests:
 *   each policy of the certificate is found:
 *     'pcy_local.h: "other policy data"; pcy_cache.c: "Sort so we can find more quickly".'
 *   another policy is not found: 'pcy_map.c: "Attempt to find matching policy data"; NULL.'
 *   the identifier counts and not the object that holds it:
 *     'pcy_cache.c: policy_data_cmp compares by OBJ_cmp.'
 *   anyPolicy stands apart:
 *     'pcy_local.h: anyPolicy beside "other policy data"; policy_cache_create; RFC 5280, 6.1.4 (b).'
 *   a certificate without policies has none: 'pcy_cache.c: policy_cache_new leaves data NULL then.'
 *   data that was added last is found: 'pcy_map.c: pushes data made from anyPolicy, RFC 5280, 6.1.4 (b)(1).'
 *   the data itself is given: 'pcy_map.c: sets flags and the expected policies of what is found.'
 *   cache and identifier stay as they are:
 *     'Signature: const X509_POLICY_CACHE *cache, const ASN1_OBJECT *id.'
 ---*/
#include "internal/cryptlib.h"
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <openssl/err.h>
#include "crypto/x509.h"
#include "../../crypto/x509/pcy_local.h"
#include "../testutil.h"
#include "memory_count.h"

#define ARC "1.3.6.1.4.1.99999."

/* In an order that no sorting leaves as it is. */
static const char *const policies[] = {
    ARC "7", ARC "2", "2.23.140.1.2.2", ARC "2.1", "1.2.3", ARC "300", ARC "4"
};
#define COUNT ((int)(sizeof(policies) / sizeof(policies[0])))

static void push_policy(CERTIFICATEPOLICIES *all, const char *oid)
{
    POLICYINFO *policy = POLICYINFO_new();

    ASN1_OBJECT_free(policy->policyid);
    policy->policyid = OBJ_txt2obj(oid, 1);
    sk_POLICYINFO_push(all, policy);
}

/* A certificate with the first `count` of them, and anyPolicy where asked for. */
static X509 *cert_of(int count, int any)
{
    X509 *x = X509_new();
    CERTIFICATEPOLICIES *all = CERTIFICATEPOLICIES_new();
    int i;

    for (i = 0; i < count; i++) {
        if (any && i == count / 2)
            push_policy(all, "2.5.29.32.0");
        push_policy(all, policies[i]);
    }
    if (count > 0)
        X509_add1_ext_i2d(x, NID_certificate_policies, all, 0, 0);
    CERTIFICATEPOLICIES_free(all);
    return x;
}

static X509_POLICY_DATA *find(const X509_POLICY_CACHE *cache, const char *oid)
{
    ASN1_OBJECT *id = OBJ_txt2obj(oid, 1);
    X509_POLICY_DATA *data = ossl_policy_cache_find_data(cache, id);

    ASN1_OBJECT_free(id);
    return data;
}

/* Is it found, with its own identifier? */
static int found(const X509_POLICY_CACHE *cache, const char *oid)
{
    char text[80];
    X509_POLICY_DATA *data = find(cache, oid);

    return TEST_ptr(data) && TEST_int_gt(OBJ_obj2txt(text, sizeof(text), data->valid_policy, 1), 0)
        && TEST_str_eq(text, oid);
}

static int end(X509 *x, int ok)
{
    X509_free(x);
    ERR_clear_error();
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int each(void)
{
    int i, count;

    for (count = 1; count <= COUNT; count++) {
        X509 *x = cert_of(count, 0);
        const X509_POLICY_CACHE *cache = ossl_policy_cache_set(x);
        int ok = TEST_ptr(cache) && TEST_int_eq(sk_X509_POLICY_DATA_num(cache->data), count);

        for (i = 0; i < count && ok; i++)
            ok = found(cache, policies[i]);
        if (!end(x, ok))
            return 0;
    }
    return 1;
}

static int another(void)
{
    static const char *const others[] = {
        ARC "1", ARC "3", ARC "5", ARC "8", ARC "2.2", ARC "2.1.1", ARC "30", ARC "301", "1.2.4", "1.2",
        "2.23.140.1.2", "2.999.1", "0.9"
    };
    X509 *x = cert_of(COUNT, 0), *x_less = cert_of(1, 0);
    const X509_POLICY_CACHE *cache = ossl_policy_cache_set(x);
    const X509_POLICY_CACHE *cache_less = ossl_policy_cache_set(x_less);
    size_t i;
    int j, ok = 1;

    for (i = 0; i < sizeof(others) / sizeof(others[0]) && ok; i++)
        ok = TEST_ptr_null(find(cache, others[i])) && TEST_ptr_null(find(cache_less, others[i]));
    for (j = 1; j < COUNT && ok; j++)
        ok = TEST_ptr_null(find(cache_less, policies[j]));
    ok = end(x_less, ok);
    return end(x, ok);
}

static int identifier(void)
{
    X509 *x = cert_of(COUNT, 0);
    const X509_POLICY_CACHE *cache = ossl_policy_cache_set(x);
    ASN1_OBJECT *known = OBJ_txt2obj(policies[2], 1), *own, *named;
    X509_POLICY_DATA *data = find(cache, policies[2]);
    int ok;

    /* The same bytes, in objects of other names and numbers. */
    own = ASN1_OBJECT_create(NID_undef, (unsigned char *)OBJ_get0_data(known), OBJ_length(known), NULL,
                             NULL);
    named = ASN1_OBJECT_create(12345, (unsigned char *)OBJ_get0_data(known), OBJ_length(known), "short",
                               "long");
    ok = TEST_ptr(data) && TEST_ptr_ne(own, data->valid_policy)
        && TEST_ptr_eq(ossl_policy_cache_find_data(cache, own), data)
        && TEST_ptr_eq(ossl_policy_cache_find_data(cache, named), data)
        && TEST_ptr_eq(ossl_policy_cache_find_data(cache, data->valid_policy), data);
    ASN1_OBJECT_free(known);
    ASN1_OBJECT_free(own);
    ASN1_OBJECT_free(named);
    return end(x, ok);
}

static int any_apart(void)
{
    X509 *x = cert_of(COUNT, 1);
    const X509_POLICY_CACHE *cache = ossl_policy_cache_set(x);
    int i, ok = TEST_ptr(cache) && TEST_ptr(cache->anyPolicy)
        && TEST_ptr_null(find(cache, "2.5.29.32.0"));

    for (i = 0; i < COUNT && ok; i++)
        ok = found(cache, policies[i]);
    ok = ok && TEST_ptr_null(find(cache, ARC "1")) && TEST_ptr_null(find(cache, ARC "999"));
    return end(x, ok);
}

static int without(void)
{
    X509 *x = cert_of(0, 0);
    const X509_POLICY_CACHE *cache = ossl_policy_cache_set(x);
    int ok = TEST_ptr(cache) && TEST_ptr_null(cache->data) && TEST_ptr_null(find(cache, ARC "2"))
        && TEST_ptr_null(find(cache, "2.5.29.32.0"));

    return end(x, ok);
}

static int added(void)
{
    static const char *const more[] = { ARC "1", ARC "9999", "1.2.2", ARC "5" };
    X509 *x = cert_of(COUNT, 1);
    const X509_POLICY_CACHE *cache = ossl_policy_cache_set(x);
    int i, j, ok = TEST_ptr(cache);

    for (i = 0; i < 4 && ok; i++) {
        ASN1_OBJECT *id = OBJ_txt2obj(more[i], 1);
        X509_POLICY_DATA *data = ossl_policy_data_new(NULL, id, 0);

        ASN1_OBJECT_free(id);
        ok = TEST_ptr_null(find(cache, more[i]))
            && TEST_int_gt(sk_X509_POLICY_DATA_push(cache->data, data), 0)
            && TEST_ptr_eq(find(cache, more[i]), data);
        for (j = 0; j < i && ok; j++)
            ok = found(cache, more[j]);
        for (j = 0; j < COUNT && ok; j++)
            ok = found(cache, policies[j]);
        ok = ok && TEST_ptr_null(find(cache, ARC "3"));
    }
    return end(x, ok);
}

static int itself(void)
{
    X509 *x = cert_of(COUNT, 0);
    const X509_POLICY_CACHE *cache = ossl_policy_cache_set(x);
    X509_POLICY_DATA *data = find(cache, ARC "4");
    int i, in_cache = 0, ok = TEST_ptr(data);

    for (i = 0; i < COUNT && ok; i++)
        in_cache += sk_X509_POLICY_DATA_value(cache->data, i) == data;
    if (ok)
        data->flags |= POLICY_DATA_FLAG_MAPPED;
    ok = ok && TEST_int_eq(in_cache, 1) && TEST_ptr_eq(find(cache, ARC "4"), data)
        && TEST_uint_eq(find(cache, ARC "4")->flags, POLICY_DATA_FLAG_MAPPED)
        && TEST_uint_eq(find(cache, ARC "2")->flags, 0);
    return end(x, ok);
}

static int stay(void)
{
    X509 *x = cert_of(COUNT, 1);
    const X509_POLICY_CACHE *cache = ossl_policy_cache_set(x);
    X509_POLICY_CACHE before = *cache;
    X509_POLICY_DATA *held[COUNT];
    ASN1_OBJECT *id = OBJ_txt2obj(ARC "7", 1), *absent = OBJ_txt2obj(ARC "99", 1);
    long blocks;
    int i, ok = 1;

    for (i = 0; i < COUNT; i++)
        held[i] = sk_X509_POLICY_DATA_value(cache->data, i);
    blocks = memory_blocks;
    for (i = 0; i < 50 && ok; i++)
        ok = TEST_ptr(ossl_policy_cache_find_data(cache, id))
            && TEST_ptr_null(ossl_policy_cache_find_data(cache, absent));
    ok = ok && TEST_long_eq(memory_blocks, blocks)
        && TEST_mem_eq(cache, sizeof(before), &before, sizeof(before))
        && TEST_int_eq(sk_X509_POLICY_DATA_num(cache->data), COUNT);
    for (i = 0; i < COUNT && ok; i++)
        ok = TEST_ptr_eq(sk_X509_POLICY_DATA_value(cache->data, i), held[i])
            && TEST_uint_eq(held[i]->flags, 0) && TEST_ptr(held[i]->valid_policy)
            && TEST_int_le(sk_ASN1_OBJECT_num(held[i]->expected_policy_set), 0);
    /* Both identifiers are the caller's still. */
    ASN1_OBJECT_free(id);
    ASN1_OBJECT_free(absent);
    return end(x, ok);
}

int setup_tests(void)
{
    add_test("each policy of the certificate is found", each);
    add_test("another policy is not found", another);
    add_test("the identifier counts and not the object that holds it", identifier);
    add_test("anyPolicy stands apart", any_apart);
    add_test("a certificate without policies has none", without);
    add_test("data that was added last is found", added);
    add_test("the data itself is given", itself);
    add_test("cache and identifier stay as they are", stay);
    return 1;
}
