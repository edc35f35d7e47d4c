/*---
 * tasks: [AE5043CE422C1C05]
 * tests:
 *   equal families compare equal: 'Docstring: "Sort comparison function"; sk_IPAddressFamily_find needs it.'
 *   IPv4 comes before IPv6: 'RFC 3779 2.2.3.3: in ascending order of the AFI.'
 *   without a SAFI comes before any SAFI of the same AFI: 'Docstring: "the null-SAFI rule"; RFC 3779 2.2.3.3.'
 *   SAFIs of the same AFI are in ascending order: 'RFC 3779 2.2.3.3.'
 *   the AFI comes before the SAFI: 'Docstring: "the null-SAFI rule to apply only within a single AFI".'
 *   bytes are compared as unsigned: 'RFC 3779 2.2.3.3: ascending order of octets; SAFI 128 is in use (RFC 4364).'
 *   both bytes of the AFI count: 'RFC 3779 2.2.3.3: the AFI has two octets.'
 *   the order is the same from both sides: 'Docstring: "Sort comparison function" (qsort: antisymmetric).'
 *   families are sorted: 'Caller X509v3_addr_canonize.'
 *   only sorted families are canonical: 'Caller X509v3_addr_is_canonical.'
 *   the choice of addresses does not matter: 'Docstring: an order of address families.'
 ---*/
#include "../../crypto/x509/v3_addr.c"
#include "testutil.h"

/* In ascending order: an AFI of two bytes, then perhaps a SAFI. */
static const struct {
    unsigned char bytes[3];
    int length;
} families[] = {
    { { 0, 1 }, 2 }, { { 0, 1, 0 }, 3 }, { { 0, 1, 1 }, 3 }, { { 0, 1, 2 }, 3 }, { { 0, 1, 127 }, 3 },
    { { 0, 1, 128 }, 3 }, { { 0, 1, 255 }, 3 }, { { 0, 2 }, 2 }, { { 0, 2, 1 }, 3 }, { { 0, 2, 128 }, 3 },
    { { 0, 200 }, 2 }, { { 1, 0 }, 2 }, { { 1, 1 }, 2 }, { { 128, 1 }, 2 }
};

enum { V4 = 0, V4_SAFI0, V4_SAFI1, V4_SAFI2, V4_SAFI127, V4_SAFI128, V4_SAFI255, V6, V6_SAFI1, V6_SAFI128 };

static IPAddressFamily *family(size_t i)
{
    IPAddressFamily *f = IPAddressFamily_new();

    if (f == NULL || !ASN1_OCTET_STRING_set(f->addressFamily, families[i].bytes, families[i].length))
        return NULL;
    f->ipAddressChoice->type = IPAddressChoice_inherit;
    f->ipAddressChoice->u.inherit = ASN1_NULL_new();
    return f;
}

static int sign(size_t i, size_t j)
{
    IPAddressFamily *a = family(i), *b = family(j);
    const IPAddressFamily *pa = a, *pb = b;
    int result = IPAddressFamily_cmp(&pa, &pb);

    IPAddressFamily_free(a);
    IPAddressFamily_free(b);
    return (result > 0) - (result < 0);
}

static int equal(void)
{
    size_t i;

    for (i = 0; i < OSSL_NELEM(families); i++)
        if (!TEST_int_eq(sign(i, i), 0))
            return 0;
    return 1;
}

static int v4_first(void)
{
    return TEST_int_eq(sign(V4, V6), -1);
}

static int null_safi(void)
{
    return TEST_int_eq(sign(V4, V4_SAFI0), -1) && TEST_int_eq(sign(V4, V4_SAFI1), -1)
        && TEST_int_eq(sign(V4, V4_SAFI255), -1) && TEST_int_eq(sign(V6, V6_SAFI1), -1)
        && TEST_int_eq(sign(V6_SAFI1, V6), 1);
}

static int safis(void)
{
    return TEST_int_eq(sign(V4_SAFI0, V4_SAFI1), -1) && TEST_int_eq(sign(V4_SAFI1, V4_SAFI2), -1)
        && TEST_int_eq(sign(V4_SAFI127, V4_SAFI2), 1);
}

static int afi_first(void)
{
    return TEST_int_eq(sign(V4_SAFI1, V6), -1) && TEST_int_eq(sign(V4_SAFI255, V6), -1)
        && TEST_int_eq(sign(V6, V4_SAFI2), 1) && TEST_int_eq(sign(V4_SAFI255, V6_SAFI1), -1);
}

static int as_unsigned(void)
{
    return TEST_int_eq(sign(V4_SAFI1, V4_SAFI128), -1) && TEST_int_eq(sign(V4_SAFI127, V4_SAFI128), -1)
        && TEST_int_eq(sign(V6_SAFI1, V6_SAFI128), -1) && TEST_int_eq(sign(V4, 13), -1);
}

static int both_bytes(void)
{
    return TEST_int_eq(sign(10, 11), -1) && TEST_int_eq(sign(11, 12), -1) && TEST_int_eq(sign(V4, 12), -1);
}

static int both_sides(void)
{
    size_t i, j;

    for (i = 0; i < OSSL_NELEM(families); i++)
        for (j = 0; j < OSSL_NELEM(families); j++)
            if (!TEST_int_eq(sign(i, j), (i > j) - (i < j)))
                return 0;
    return 1;
}

static IPAddrBlocks *blocks(const size_t *order, size_t n)
{
    IPAddrBlocks *addr = sk_IPAddressFamily_new_null();
    size_t i;

    for (i = 0; i < n; i++)
        if (!sk_IPAddressFamily_push(addr, family(order[i])))
            return NULL;
    return addr;
}

static int sorted(void)
{
    static const size_t order[] = { V6_SAFI1, V4_SAFI2, V6, V4, V4_SAFI128, V4_SAFI1 };
    static const size_t expected[] = { V4, V4_SAFI1, V4_SAFI2, V4_SAFI128, V6, V6_SAFI1 };
    IPAddrBlocks *addr = blocks(order, OSSL_NELEM(order));
    int ok = TEST_ptr(addr) && TEST_int_eq(X509v3_addr_canonize(addr), 1);
    size_t i;

    for (i = 0; ok && i < OSSL_NELEM(expected); i++) {
        ASN1_OCTET_STRING *s = sk_IPAddressFamily_value(addr, (int)i)->addressFamily;

        ok = TEST_mem_eq(s->data, s->length, families[expected[i]].bytes, families[expected[i]].length);
    }
    sk_IPAddressFamily_pop_free(addr, IPAddressFamily_free);
    return ok;
}

static int is_canonical(size_t first, size_t second)
{
    size_t order[2];
    IPAddrBlocks *addr;
    int result;

    order[0] = first;
    order[1] = second;
    addr = blocks(order, 2);
    result = X509v3_addr_is_canonical(addr);
    sk_IPAddressFamily_pop_free(addr, IPAddressFamily_free);
    return result;
}

static int canonical(void)
{
    return TEST_int_eq(is_canonical(V4, V6), 1) && TEST_int_eq(is_canonical(V6, V4), 0)
        && TEST_int_eq(is_canonical(V4, V4_SAFI1), 1) && TEST_int_eq(is_canonical(V4_SAFI1, V4), 0)
        && TEST_int_eq(is_canonical(V4_SAFI1, V4_SAFI2), 1) && TEST_int_eq(is_canonical(V4_SAFI2, V4_SAFI1), 0)
        && TEST_int_eq(is_canonical(V4, V4), 0) && TEST_int_eq(is_canonical(V4_SAFI255, V6), 1);
}

static int choice(void)
{
    IPAddressFamily *a = family(V4), *b = family(V4);
    const IPAddressFamily *pa = a, *pb = b;
    int ok;

    ASN1_NULL_free(b->ipAddressChoice->u.inherit);
    b->ipAddressChoice->type = IPAddressChoice_addressesOrRanges;
    b->ipAddressChoice->u.addressesOrRanges = sk_IPAddressOrRange_new_null();
    ok = TEST_int_eq(IPAddressFamily_cmp(&pa, &pb), 0) && TEST_int_eq(IPAddressFamily_cmp(&pb, &pa), 0);
    IPAddressFamily_free(a);
    IPAddressFamily_free(b);
    return ok;
}

int setup_tests(void)
{
    add_test("equal families compare equal", equal);
    add_test("IPv4 comes before IPv6", v4_first);
    add_test("without a SAFI comes before any SAFI of the same AFI", null_safi);
    add_test("SAFIs of the same AFI are in ascending order", safis);
    add_test("the AFI comes before the SAFI", afi_first);
    add_test("bytes are compared as unsigned", as_unsigned);
    add_test("both bytes of the AFI count", both_bytes);
    add_test("the order is the same from both sides", both_sides);
    add_test("families are sorted", sorted);
    add_test("only sorted families are canonical", canonical);
    add_test("the choice of addresses does not matter", choice);
    return 1;
}
