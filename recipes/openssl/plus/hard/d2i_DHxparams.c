/*---
 * tasks: [ossl_ffc_params_fromdata-88b65f.16]
 * tests:
 *   p, g and q are read: 'RFC 3279, 2.3.3: DomainParameters; i2d_DHxparams.'
 *   the cofactor is read where there is one: 'RFC 3279, 2.3.3: "j INTEGER OPTIONAL".'
 *   seed and counter are read where there are some: 'RFC 3279, 2.3.3: ValidationParms; dh_asn1.c: i2d_DHxparams.'
 *   the pointer stands behind what was read: 'd2i_X509(3): "*ppin is incremented to the byte following the parsed
 *     data".'
 *   the result is given by a, too: 'd2i_X509(3): "If a is not NULL then a pointer to the returned structure is also
 *     written to *a".'
 *   what a held is replaced: 'd2i_X509(3): "reuse"; dh_asn1.c: DH_free of the old one.'
 *   the type of the key is DHX: 'EVP_PKEY-DH(7): "The DHX key type uses X9.42 format"; dh_asn1.c: dh_cb of PKCS#3.'
 *   a named group is known: 'DH_get_nid(3): "determines if the parameters contained in dh match".'
 *   all else is as in a new object: 'X9.42 parameters hold no more; DH_new(3).'
 *   it is written as it was read: 'd2i_X509(3), i2d_X509(3); i2d_DHxparams.'
 *   what is no such structure is refused: 'd2i_X509(3): "or NULL if an error occurs".'
 *   what was cut off is refused: 'd2i_X509(3): length; "or NULL if an error occurs".'
 *   after a refusal a holds what it held or nothing: 'd2i_X509(3): "the object is freed in the event of error and *a
 *     is set to NULL".'
 *   nothing is leaked or freed twice: 'd2i_X509(3); Comment: "this gets translated to or from a DH structure straight
 *     away".'
 *   without memory nothing is leaked: 'd2i_X509(3): "or NULL if an error occurs".'
 ---*/
#include "../testutil.h"
#include "memory_count.h"
#include "pb_dh.h"

#define P "\x02\x02\x07\xd3"                    /* 2003 */
#define G "\x02\x01\x37"                        /* 55 */
#define Q "\x02\x01\x0d"                        /* 13 */
#define J "\x02\x02\x00\x9a"                    /* 154 */
#define V "\x30\x0a\x03\x05\x00seed\x02\x01\x15"          /* "seed", 21 */

#define PLAIN "\x30\x0a" P G Q
#define WITH_J "\x30\x0e" P G Q J
#define WITH_V "\x30\x16" P G Q V
#define WITH_ALL "\x30\x1a" P G Q J V

#define READ(a, text) read_it(a, text, sizeof(text) - 1, sizeof(text) - 1)

/* Reads from `size` bytes; of these it takes `taken`, if it succeeds. */
static DH *read_it(DH **a, const char *text, long size, long taken)
{
    const unsigned char *in = (const unsigned char *)text;
    DH *dh = d2i_DHxparams(a, &in, size);

    if (dh != NULL && !TEST_ptr_eq(in, text + taken)) {
        if (a != NULL)
            *a = NULL;
        DH_free(dh);
        dh = NULL;
    }
    return dh;
}

static int has(const DH *dh, BN_ULONG p, BN_ULONG q, BN_ULONG g)
{
    return TEST_ptr(dh) && TEST_ptr(DH_get0_p(dh)) && TEST_true(BN_is_word(DH_get0_p(dh), p))
        && TEST_ptr(DH_get0_q(dh)) && TEST_true(BN_is_word(DH_get0_q(dh), q))
        && TEST_ptr(DH_get0_g(dh)) && TEST_true(BN_is_word(DH_get0_g(dh), g));
}

static int numbers(void)
{
    DH *dh = READ(NULL, PLAIN);
    int ok = plus_dh_done(dh, has(dh, 2003, 13, 55));

    dh = READ(NULL, "\x30\x09\x02\x01\x17\x02\x01\x04\x02\x01\x0b");
    ok &= plus_dh_done(dh, has(dh, 23, 11, 4));
    /* BER */
    dh = READ(NULL, "\x30\x80" P G Q "\0\0");
    return plus_dh_done(dh, has(dh, 2003, 13, 55)) && ok;
}

static int cofactor(void)
{
    DH *dh = READ(NULL, WITH_J);
    int ok = plus_dh_done(dh, has(dh, 2003, 13, 55) && TEST_ptr(dh->params.j)
                          && TEST_true(BN_is_word(dh->params.j, 154)));

    dh = READ(NULL, WITH_ALL);
    ok &= plus_dh_done(dh, has(dh, 2003, 13, 55) && TEST_ptr(dh->params.j)
                       && TEST_true(BN_is_word(dh->params.j, 154)));
    dh = READ(NULL, WITH_V);
    ok &= plus_dh_done(dh, has(dh, 2003, 13, 55) && TEST_ptr_null(dh->params.j));
    dh = READ(NULL, PLAIN);
    return plus_dh_done(dh, has(dh, 2003, 13, 55) && TEST_ptr_null(dh->params.j)) && ok;
}

static int validates(DH *dh, const char *seed, size_t size, int counter)
{
    return plus_dh_done(dh, has(dh, 2003, 13, 55)
                        && TEST_mem_eq(dh->params.seed, dh->params.seedlen, seed, size)
                        && TEST_int_eq(dh->params.pcounter, counter));
}

static int validation(void)
{
    DH *dh;

    return validates(READ(NULL, WITH_V), "seed", 4, 21)
        & validates(READ(NULL, WITH_ALL), "seed", 4, 21)
        & validates(READ(NULL, "\x30\x17" P G Q "\x30\x0b\x03\x05\x00\x01\x00\x02\x00"
                               "\x02\x02\x0f\xff"),
                    "\1\0\2\0", 4, 4095)
        & validates(READ(NULL, "\x30\x1b" P G Q "\x30\x0f\x03\x0a\x00longest s\x02\x01\x00"),
                    "longest s", 9, 0)
        & ((dh = READ(NULL, WITH_J)) != NULL && TEST_ptr_null(dh->params.seed)
           && TEST_size_t_eq(dh->params.seedlen, 0) && TEST_int_eq(dh->params.pcounter, -1))
        & plus_dh_done(dh, TEST_ptr(dh));
}

static int pointer(void)
{
    static const char two[] = PLAIN "\x30\x09\x02\x01\x17\x02\x01\x04\x02\x01\x0b" "\x05\0";
    DH *dh = read_it(NULL, two, sizeof(two) - 1, 12);
    int ok = plus_dh_done(dh, has(dh, 2003, 13, 55));

    dh = read_it(NULL, two + 12, sizeof(two) - 13, 11);
    return plus_dh_done(dh, has(dh, 23, 11, 4)) && ok;
}

static int by_a(void)
{
    DH *a = NULL, *dh = READ(&a, WITH_ALL);
    int ok = TEST_ptr(dh) && TEST_ptr_eq(a, dh) && has(a, 2003, 13, 55);

    return plus_dh_done(dh, ok);
}

static int replaced(void)
{
    long before = memory_blocks;
    DH *a = READ(NULL, WITH_ALL), *dh;
    int ok = TEST_ptr(a);

    dh = READ(&a, "\x30\x09\x02\x01\x17\x02\x01\x04\x02\x01\x0b");
    ok = ok && TEST_ptr_eq(a, dh) && has(a, 23, 11, 4) && TEST_ptr_null(a->params.j)
        && TEST_ptr_null(a->params.seed) && TEST_int_eq(a->params.pcounter, -1);
    dh = READ(&a, WITH_ALL);
    ok = ok && TEST_ptr_eq(a, dh) && has(a, 2003, 13, 55);
    return plus_dh_done(a, ok) && TEST_long_eq(memory_blocks, before);
}

static int type(void)
{
    const DH_METHOD *usual = DH_get_default_method();
    DH_METHOD *other = DH_meth_new("of the test", DH_FLAG_TYPE_MASK & ~DH_FLAG_TYPE_DHX);
    DH *dh = READ(NULL, PLAIN);
    int ok = plus_dh_done(dh, TEST_ptr(dh)
                          && TEST_int_eq(DH_test_flags(dh, DH_FLAG_TYPE_MASK), DH_FLAG_TYPE_DHX));

    dh = DH_new();
    DH_set_flags(dh, DH_FLAG_TYPE_DH);
    dh = READ(&dh, WITH_ALL);
    ok &= plus_dh_done(dh, TEST_ptr(dh)
                       && TEST_int_eq(DH_test_flags(dh, DH_FLAG_TYPE_MASK), DH_FLAG_TYPE_DHX));
    DH_set_default_method(other);
    dh = READ(NULL, PLAIN);
    ok &= plus_dh_done(dh, TEST_ptr(dh)
                       && TEST_int_eq(DH_test_flags(dh, DH_FLAG_TYPE_MASK), DH_FLAG_TYPE_DHX));
    DH_set_default_method(usual);
    DH_meth_free(other);
    return ok;
}

static unsigned char *put(unsigned char *out, const BIGNUM *number)
{
    int length = BN_num_bytes(number), pad = BN_num_bits(number) % 8 == 0;

    *out++ = 2;
    if (length + pad >= 256) {
        *out++ = 0x82;
        *out++ = (length + pad) >> 8;
    } else if (length + pad >= 128) {
        *out++ = 0x81;
    }
    *out++ = length + pad;
    if (pad)
        *out++ = 0;
    return out + BN_bn2bin(number, out);
}

static int group(void)
{
    static const int groups[] = { 0, 4, 7, 11, 13 };
    static unsigned char der[3200];
    int i, ok = 1;

    for (i = 0; i < 5; i++) {
        int n = groups[i];
        unsigned char *end = put(put(put(der + 4, plus_groups[n].p), plus_groups[n].g),
                                 plus_groups[n].q);
        long size = end - der;
        DH *dh;

        memcpy(der, "\x30\x82", 2);
        der[2] = (size - 4) >> 8;
        der[3] = size - 4;
        dh = read_it(NULL, (char *)der, size, size);
        ok &= plus_dh_done(dh, plus_has_group(dh, n));
    }
    return ok;
}

static int others(void)
{
    DH *dh = READ(NULL, PLAIN);

    return plus_dh_done(dh, plus_is_new(dh) && TEST_int_eq(DH_get_nid(dh), NID_undef)
                        && TEST_ptr_null(dh->libctx));
}

static int written(void)
{
    static const struct {
        const char *text;
        int size;
    } texts[] = {
        { PLAIN, sizeof(PLAIN) - 1 }, { WITH_J, sizeof(WITH_J) - 1 },
        { WITH_V, sizeof(WITH_V) - 1 }, { WITH_ALL, sizeof(WITH_ALL) - 1 }
    };
    int i, ok = 1;

    for (i = 0; i < 4; i++) {
        DH *dh = read_it(NULL, texts[i].text, texts[i].size, texts[i].size);
        unsigned char *out = NULL;
        int size = dh == NULL ? -1 : i2d_DHxparams(dh, &out);

        ok &= plus_dh_done(dh, TEST_int_eq(size, texts[i].size)
                           && TEST_mem_eq(out, size, texts[i].text, size));
        OPENSSL_free(out);
    }
    return ok;
}

static int refuses(DH **a, const char *text, long size)
{
    const unsigned char *in = (const unsigned char *)text;
    DH *dh = d2i_DHxparams(a, &in, size);
    int ok = TEST_ptr_null(dh);

    ERR_clear_error();
    if (a == NULL || *a != dh)
        DH_free(dh);
    return ok;
}

#define REFUSES(a, text) refuses(a, text, sizeof(text) - 1)

static int none(void)
{
    return REFUSES(NULL, "") & REFUSES(NULL, "\x30\x00") & REFUSES(NULL, "\x30\x04" P)
        & REFUSES(NULL, "\x30\x07" P G)                 /* no q: of PKCS#3 */
        & REFUSES(NULL, "\x31\x0a" P G Q) & REFUSES(NULL, "\x30\x0a" P G "\x04\x01\x0d")
        & REFUSES(NULL, "\x30\x0c" P G Q "\x05\0")
        & REFUSES(NULL, "\x30\x13" P G Q "\x30\x07\x03\x05\x00seed")        /* no counter */
        & REFUSES(NULL, "\x30\x0f" P G Q "\x30\x03\x02\x01\x15")            /* no seed */
        & TEST_long_eq(memory_bad_frees, 0);
}

static int cut_off(void)
{
    long i;
    int ok = 1;

    for (i = 0; i < (long)sizeof(WITH_ALL) - 1; i++)
        ok &= refuses(NULL, WITH_ALL, i);
    return ok;
}

static int refused_a(void)
{
    DH *a = NULL;
    long before = memory_blocks;
    int i, ok = 1;

    for (i = 0; i < 2; i++) {
        a = i == 0 ? NULL : READ(NULL, WITH_ALL);
        ok &= REFUSES(&a, "\x30\x07" P G) && (a == NULL || has(a, 2003, 13, 55));
        ok &= REFUSES(&a, "") && (a == NULL || has(a, 2003, 13, 55));
        if (i == 0)
            ok &= TEST_ptr_null(a);
        ok = plus_dh_done(a, ok);
    }
    return ok && TEST_long_eq(memory_blocks, before);
}

static int balanced(void)
{
    long before;

    numbers();
    none();
    before = memory_blocks;
    return numbers() && cofactor() && validation() && pointer() && by_a() && replaced() && type()
        && group() && written() && none() && cut_off()
        && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

static int no_memory(void)
{
    long before;
    int i, refused, ok = 1;

    none();
    before = memory_blocks;
    for (i = 0; ok && i < 80; i++) {
        DH *dh;

        memory_left = i;
        dh = READ(NULL, WITH_ALL);
        refused = memory_left == 0;
        memory_left = -1;
        ok = plus_dh_done(dh, dh == NULL ? TEST_true(refused) : has(dh, 2003, 13, 55))
            && TEST_long_eq(memory_blocks, before);
    }
    return ok;
}

int setup_tests(void)
{
    add_test("p, g and q are read", numbers);
    add_test("the cofactor is read where there is one", cofactor);
    add_test("seed and counter are read where there are some", validation);
    add_test("the pointer stands behind what was read", pointer);
    add_test("the result is given by a, too", by_a);
    add_test("what a held is replaced", replaced);
    add_test("the type of the key is DHX", type);
    add_test("a named group is known", group);
    add_test("all else is as in a new object", others);
    add_test("it is written as it was read", written);
    add_test("what is no such structure is refused", none);
    add_test("what was cut off is refused", cut_off);
    add_test("after a refusal a holds what it held or nothing", refused_a);
    add_test("nothing is leaked or freed twice", balanced);
    add_test("without memory nothing is leaked", no_memory);
    return 1;
}
