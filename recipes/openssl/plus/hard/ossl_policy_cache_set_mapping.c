/*---
 * tasks: [ossl_policy_cache_set_mapping-03d4d1]
 * tests:
 *   a policy that is there is mapped: 'pcy_local.h: POLICY_DATA_FLAG_MAPPED; RFC 5280, 6.1.4 (b): the expected policy set.'
 *   its other flags and its name stay: 'pcy_local.h: POLICY_DATA_FLAG_CRITICAL; "set policy mapping entries".'
 *   a policy can be mapped to several: 'RFC 5280, 6.1.4 (b)(1): "the set of subjectDomainPolicy values".'
 *   several policies are mapped: 'RFC 5280, 4.2.1.5: "one or more pairs of OIDs".'
 *   a policy that is not there is skipped without anyPolicy: 'RFC 5280, 6.1.4 (b)(1): only a node with the ID or anyPolicy.'
 *   anyPolicy stands for one that is not there: 'RFC 5280, 6.1.4 (b)(1): "if no node ... has a valid_policy of ID-P but there is a node with anyPolicy"; POLICY_DATA_FLAG_MAPPED_ANY.'
 *   it has the qualifiers of anyPolicy and shares them: 'pcy_local.h: POLICY_DATA_FLAG_SHARED_QUALIFIERS; RFC 5280: "set the qualifier_set to the qualifier set of anyPolicy".'
 *   it is critical as anyPolicy is: 'pcy_local.h: POLICY_DATA_FLAG_CRITICAL, "Corresponding CertificatePolicies is critical".'
 *   a second mapping goes to the one made from anyPolicy: 'RFC 5280, 6.1.4 (b)(1): one node, a set of expected policies.'
 *   a policy that is there goes before anyPolicy: 'RFC 5280, 6.1.4 (b)(1): anyPolicy only "if no node ... has a valid_policy of ID-P".'
 *   anyPolicy itself is not changed: 'pcy_local.h: anyPolicy stands beside the other data.'
 *   a mapping to or from anyPolicy is refused, also among others: 'RFC 5280, 6.1.4 (a): anyPolicy does not appear; pcy_cache.c: policy_cache_new tests "i <= 0".'
 *   no mappings at all are refused: 'RFC 5280, 4.2.1.5: SEQUENCE SIZE (1..MAX).'
 *   nothing is leaked or freed twice: 'pcy_cache.c: policy_cache_new leaves the mappings to it, on failure too.'
 *   refused memory is told and leaks nothing: 'pcy_cache.c: policy_cache_new tests "i <= 0".'
 ---*/
#include "internal/cryptlib.h"
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <openssl/err.h>
#include "crypto/x509.h"
#include "../../crypto/x509/pcy_local.h"
#include "../testutil.h"
#include "memory_count.h"

#define A "1.3.6.1.4.1.99999.1"
#define B "1.3.6.1.4.1.99999.2"
#define C "1.3.6.1.4.1.99999.3"
#define D "1.3.6.1.4.1.99999.4"
#define E "1.3.6.1.4.1.99999.5"
#define ANY "2.5.29.32.0"

static int by_policy(const X509_POLICY_DATA *const *a, const X509_POLICY_DATA *const *b)
{
    return OBJ_cmp((*a)->valid_policy, (*b)->valid_policy);
}

static X509_POLICY_DATA *data_new(const char *oid, int critical)
{
    ASN1_OBJECT *id = OBJ_txt2obj(oid, 1);
    X509_POLICY_DATA *data = ossl_policy_data_new(NULL, id, critical);

    ASN1_OBJECT_free(id);
    return data;
}

/* A certificate with policies A and B; `any`: with anyPolicy, 2: critical. */
static X509 *cert_new(int any)
{
    X509 *x = X509_new();
    X509_POLICY_CACHE *cache = OPENSSL_zalloc(sizeof(*cache));

    cache->any_skip = cache->explicit_skip = cache->map_skip = -1;
    cache->data = sk_X509_POLICY_DATA_new(by_policy);
    sk_X509_POLICY_DATA_push(cache->data, data_new(A, 1));
    sk_X509_POLICY_DATA_push(cache->data, data_new(B, 0));
    sk_X509_POLICY_DATA_sort(cache->data);
    if (any) {
        cache->anyPolicy = data_new(ANY, any == 2);
        cache->anyPolicy->qualifier_set = sk_POLICYQUALINFO_new_null();
        sk_POLICYQUALINFO_push(cache->anyPolicy->qualifier_set, POLICYQUALINFO_new());
    }
    x->policy_cache = cache;
    return x;
}

/* Adds a mapping. */
static void add(POLICY_MAPPINGS *maps, const char *from, const char *to)
{
    POLICY_MAPPING *map = POLICY_MAPPING_new();

    ASN1_OBJECT_free(map->issuerDomainPolicy);
    ASN1_OBJECT_free(map->subjectDomainPolicy);
    map->issuerDomainPolicy = OBJ_txt2obj(from, 1);
    map->subjectDomainPolicy = OBJ_txt2obj(to, 1);
    sk_POLICY_MAPPING_push(maps, map);
}

/* Up to three mappings, up to a NULL. */
static POLICY_MAPPINGS *maps_new(const char *f1, const char *t1, const char *f2, const char *t2,
                                 const char *f3, const char *t3)
{
    POLICY_MAPPINGS *maps = sk_POLICY_MAPPING_new_null();

    if (f1 != NULL)
        add(maps, f1, t1);
    if (f2 != NULL)
        add(maps, f2, t2);
    if (f3 != NULL)
        add(maps, f3, t3);
    return maps;
}

#define ONE(f, t) maps_new(f, t, NULL, NULL, NULL, NULL)
#define TWO(f, t, f2, t2) maps_new(f, t, f2, t2, NULL, NULL)

/* The data of the policy, or NULL. */
static X509_POLICY_DATA *find(X509 *x, const char *oid)
{
    ASN1_OBJECT *id = OBJ_txt2obj(oid, 1);
    X509_POLICY_DATA *data = NULL;
    int i;

    for (i = 0; i < sk_X509_POLICY_DATA_num(x->policy_cache->data); i++)
        if (OBJ_cmp(sk_X509_POLICY_DATA_value(x->policy_cache->data, i)->valid_policy, id) == 0)
            data = sk_X509_POLICY_DATA_value(x->policy_cache->data, i);
    ASN1_OBJECT_free(id);
    return data;
}

static int count(X509 *x)
{
    return sk_X509_POLICY_DATA_num(x->policy_cache->data);
}

/* Are just these the expected policies? */
static int expects(X509_POLICY_DATA *data, const char *one, const char *two, const char *three)
{
    const char *all[3];
    int i, j, found, n = (one != NULL) + (two != NULL) + (three != NULL);

    all[0] = one, all[1] = two, all[2] = three;
    if (!TEST_ptr(data) || !TEST_int_eq(sk_ASN1_OBJECT_num(data->expected_policy_set), n))
        return 0;
    for (i = 0; i < n; i++) {
        ASN1_OBJECT *id = OBJ_txt2obj(all[i], 1);

        for (found = j = 0; j < n; j++)
            found |= OBJ_cmp(sk_ASN1_OBJECT_value(data->expected_policy_set, j), id) == 0;
        ASN1_OBJECT_free(id);
        if (!TEST_true(found))
            return 0;
    }
    return 1;
}

#define MAPPED POLICY_DATA_FLAG_MAPPED
#define MAPPED_ANY POLICY_DATA_FLAG_MAPPED_ANY
#define SHARED POLICY_DATA_FLAG_SHARED_QUALIFIERS
#define CRITICAL POLICY_DATA_FLAG_CRITICAL

static int finish(X509 *x, int ok)
{
    if (ok)
        X509_free(x);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int mapped(void)
{
    X509 *x = cert_new(0);
    int ok = TEST_int_eq(ossl_policy_cache_set_mapping(x, ONE(B, D)), 1)
        && expects(find(x, B), D, NULL, NULL) && TEST_uint_eq(find(x, B)->flags, MAPPED)
        && expects(find(x, A), NULL, NULL, NULL) && TEST_uint_eq(find(x, A)->flags, CRITICAL)
        && TEST_int_eq(count(x), 2);

    return finish(x, ok);
}

static int others_stay(void)
{
    X509 *x = cert_new(0);
    X509_POLICY_DATA *a = find(x, A);
    int ok = TEST_int_eq(ossl_policy_cache_set_mapping(x, ONE(A, D)), 1)
        && TEST_uint_eq(a->flags, MAPPED | CRITICAL) && TEST_ptr_eq(find(x, A), a)
        && expects(a, D, NULL, NULL) && TEST_ptr_null(find(x, D))
        && TEST_ptr_null(a->qualifier_set) && TEST_int_eq(count(x), 2)
        && TEST_ptr_null(x->policy_cache->anyPolicy)
        && TEST_long_eq(x->policy_cache->map_skip, -1)
        && TEST_long_eq(x->policy_cache->explicit_skip, -1)
        && TEST_long_eq(x->policy_cache->any_skip, -1);

    return finish(x, ok);
}

static int to_several(void)
{
    X509 *x = cert_new(0);
    int ok = TEST_int_eq(ossl_policy_cache_set_mapping(x, maps_new(A, C, A, D, A, E)), 1)
        && expects(find(x, A), C, D, E) && TEST_int_eq(count(x), 2)
        && expects(find(x, B), NULL, NULL, NULL);

    return finish(x, ok);
}

static int several(void)
{
    X509 *x = cert_new(0);
    int ok = TEST_int_eq(ossl_policy_cache_set_mapping(x, maps_new(A, D, B, D, B, A)), 1)
        && expects(find(x, A), D, NULL, NULL) && expects(find(x, B), D, A, NULL)
        && TEST_uint_eq(find(x, A)->flags, MAPPED | CRITICAL)
        && TEST_uint_eq(find(x, B)->flags, MAPPED) && TEST_int_eq(count(x), 2);

    return finish(x, ok);
}

static int skipped(void)
{
    X509 *x = cert_new(0);
    int ok = TEST_int_eq(ossl_policy_cache_set_mapping(x, maps_new(C, D, B, E, E, A)), 1)
        && TEST_int_eq(count(x), 2) && TEST_ptr_null(find(x, C)) && TEST_ptr_null(find(x, E))
        && expects(find(x, B), E, NULL, NULL) && expects(find(x, A), NULL, NULL, NULL);

    ok = ok && TEST_int_eq(ossl_policy_cache_set_mapping(x, ONE(C, D)), 1)
        && TEST_int_eq(count(x), 2);
    return finish(x, ok);
}

static int by_any(void)
{
    X509 *x = cert_new(1);
    int ok = TEST_int_eq(ossl_policy_cache_set_mapping(x, TWO(C, D, E, D)), 1)
        && TEST_int_eq(count(x), 4)
        && expects(find(x, C), D, NULL, NULL) && expects(find(x, E), D, NULL, NULL)
        && TEST_uint_eq(find(x, C)->flags & POLICY_DATA_FLAG_MAP_MASK, MAPPED_ANY)
        && TEST_uint_eq(find(x, E)->flags & POLICY_DATA_FLAG_MAP_MASK, MAPPED_ANY)
        && TEST_ptr_null(find(x, D)) && TEST_uint_eq(find(x, B)->flags, 0);

    return finish(x, ok);
}

static int qualifiers(void)
{
    X509 *x = cert_new(1);
    STACK_OF(POLICYQUALINFO) *set = x->policy_cache->anyPolicy->qualifier_set;
    int ok = TEST_int_eq(ossl_policy_cache_set_mapping(x, ONE(C, D)), 1)
        && TEST_ptr(find(x, C)) && TEST_ptr_eq(find(x, C)->qualifier_set, set)
        && TEST_uint_eq(find(x, C)->flags & SHARED, SHARED)
        && TEST_ptr_eq(x->policy_cache->anyPolicy->qualifier_set, set)
        && TEST_int_eq(sk_POLICYQUALINFO_num(set), 1);

    return finish(x, ok);
}

static int critical(void)
{
    X509 *x = cert_new(2), *y = cert_new(1);
    int ok;

    y->policy_cache->anyPolicy->flags |= POLICY_DATA_FLAG_EXTRA_NODE;
    ok = TEST_int_eq(ossl_policy_cache_set_mapping(x, ONE(C, D)), 1)
        && TEST_ptr(find(x, C))
        && TEST_uint_eq(find(x, C)->flags, CRITICAL | MAPPED_ANY | SHARED)
        && TEST_int_eq(ossl_policy_cache_set_mapping(y, ONE(C, D)), 1)
        && TEST_ptr(find(y, C)) && TEST_uint_eq(find(y, C)->flags, MAPPED_ANY | SHARED);
    return finish(x, ok) && finish(y, ok);
}

static int second_by_any(void)
{
    X509 *x = cert_new(1);
    int ok = TEST_int_eq(ossl_policy_cache_set_mapping(x, maps_new(C, D, A, B, C, E)), 1)
        && TEST_int_eq(count(x), 3) && expects(find(x, C), D, E, NULL)
        && TEST_uint_eq(find(x, C)->flags & (MAPPED_ANY | SHARED), MAPPED_ANY | SHARED)
        && expects(find(x, A), B, NULL, NULL);

    return finish(x, ok);
}

static int before_any(void)
{
    X509 *x = cert_new(1);
    int ok = TEST_int_eq(ossl_policy_cache_set_mapping(x, TWO(A, C, B, D)), 1)
        && TEST_int_eq(count(x), 2) && TEST_uint_eq(find(x, A)->flags, MAPPED | CRITICAL)
        && TEST_uint_eq(find(x, B)->flags, MAPPED) && expects(find(x, A), C, NULL, NULL)
        && expects(find(x, B), D, NULL, NULL) && TEST_ptr_null(find(x, B)->qualifier_set);

    return finish(x, ok);
}

static int any_stays(void)
{
    X509 *x = cert_new(2);
    X509_POLICY_DATA *any = x->policy_cache->anyPolicy;
    int ok = TEST_int_eq(ossl_policy_cache_set_mapping(x, TWO(C, D, A, E)), 1)
        && TEST_ptr_eq(x->policy_cache->anyPolicy, any) && TEST_uint_eq(any->flags, CRITICAL)
        && expects(any, NULL, NULL, NULL)
        && TEST_int_eq(OBJ_obj2nid(any->valid_policy), NID_any_policy);

    return finish(x, ok);
}

static int refuses(int any, POLICY_MAPPINGS *maps)
{
    X509 *x = cert_new(any);
    int ok = TEST_int_eq(ossl_policy_cache_set_mapping(x, maps), -1);

    return finish(x, ok);
}

static int of_any(void)
{
    return refuses(0, ONE(ANY, D)) && refuses(0, ONE(A, ANY)) && refuses(1, ONE(ANY, D))
        && refuses(1, ONE(A, ANY)) && refuses(1, ONE(C, ANY)) && refuses(1, ONE(ANY, ANY))
        && refuses(0, ONE(C, ANY));
}

static int among_others(void)
{
    return refuses(0, TWO(A, D, B, ANY)) && refuses(0, maps_new(A, D, C, E, ANY, B))
        && refuses(1, TWO(C, D, ANY, E)) && refuses(1, maps_new(A, ANY, B, D, C, E));
}

static int none(void)
{
    return refuses(0, sk_POLICY_MAPPING_new_null()) && refuses(1, sk_POLICY_MAPPING_new_null());
}

static int no_leak(void)
{
    long before;

    if (!of_any())
        return 0;
    ERR_clear_error();
    OPENSSL_thread_stop();
    before = memory_blocks;
    if (!(mapped() && others_stay() && to_several() && several() && skipped() && by_any()
          && qualifiers() && critical() && second_by_any() && before_any() && any_stays()
          && of_any() && among_others() && none()))
        return 0;
    ERR_clear_error();
    OPENSSL_thread_stop();
    return TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

static int refused_memory(void)
{
    long before, i;
    int ok = 1, ret, failed = 0;

    ERR_clear_error();
    OPENSSL_thread_stop();
    before = memory_blocks;
    for (i = 0; i < 30 && ok; i++) {
        X509 *x = cert_new(1);
        POLICY_MAPPINGS *maps = maps_new(C, D, D, E, E, A);

        memory_left = i;
        ret = ossl_policy_cache_set_mapping(x, maps);
        memory_left = -1;
        ok = ret == 1 ? expects(find(x, C), D, NULL, NULL) && expects(find(x, D), E, NULL, NULL)
                        && expects(find(x, E), A, NULL, NULL)
                      : TEST_int_le(ret, 0);
        failed += ret <= 0;
        X509_free(x);
        ERR_clear_error();
        OPENSSL_thread_stop();
        ok = ok && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
    }
    return ok && TEST_int_gt(failed, 3);
}

static int refused_any(void)
{
    return of_any() && among_others();
}

int setup_tests(void)
{
    add_test("a policy that is there is mapped", mapped);
    add_test("its other flags and its name stay", others_stay);
    add_test("a policy can be mapped to several", to_several);
    add_test("several policies are mapped", several);
    add_test("a policy that is not there is skipped without anyPolicy", skipped);
    add_test("anyPolicy stands for one that is not there", by_any);
    add_test("it has the qualifiers of anyPolicy and shares them", qualifiers);
    add_test("it is critical as anyPolicy is", critical);
    add_test("a second mapping goes to the one made from anyPolicy", second_by_any);
    add_test("a policy that is there goes before anyPolicy", before_any);
    add_test("anyPolicy itself is not changed", any_stays);
    add_test("a mapping to or from anyPolicy is refused, also among others", refused_any);
    add_test("no mappings at all are refused", none);
    add_test("nothing is leaked or freed twice", no_leak);
    add_test("refused memory is told and leaks nothing", refused_memory);
    return 1;
}
