/*
 * ASN.1 types whose callbacks and decoders tell what they are given: PLUS_PROBE, an external type
 * that is always
 * 02 01 07, and in a sequence, an NDEF sequence and a choice.
 */
#include <openssl/asn1t.h>

/* What the decoder of PLUS_PROBE was given last. */
static OSSL_LIB_CTX *plus_seen_libctx;
static const char *plus_seen_propq;
static int plus_decoded;

typedef struct {
    int there;
} PLUS_PROBE;

static int plus_probe_new(ASN1_VALUE **pval, const ASN1_ITEM *it)
{
    return (*pval = OPENSSL_zalloc(sizeof(PLUS_PROBE))) != NULL;
}

static void plus_probe_free(ASN1_VALUE **pval, const ASN1_ITEM *it)
{
    OPENSSL_free(*pval);
    *pval = NULL;
}

static int plus_probe_d2i(ASN1_VALUE **pval, const unsigned char **in, long len, const ASN1_ITEM *it,
                        int tag,
                        int aclass, char opt, ASN1_TLC *ctx, OSSL_LIB_CTX *libctx,
                            const char *propq)
{
    plus_seen_libctx = libctx;
    plus_seen_propq = propq;
    if (len < 3 || memcmp(*in, "\x02\x01\x07", 3) != 0)
        return 0;
    if (*pval == NULL && !plus_probe_new(pval, it))
        return 0;
    ((PLUS_PROBE *)*pval)->there = 1;
    *in += 3;
    plus_decoded++;
    return 1;
}

static int plus_probe_i2d(const ASN1_VALUE **pval, unsigned char **out, const ASN1_ITEM *it, int tag,
                        int aclass)
{
    if (out != NULL) {
        memcpy(*out, "\x02\x01\x07", 3);
        *out += 3;
    }
    return 3;
}

static const ASN1_EXTERN_FUNCS plus_probe_functions = {
    NULL, plus_probe_new, plus_probe_free, NULL, NULL, plus_probe_i2d, NULL, NULL, plus_probe_d2i
};

IMPLEMENT_EXTERN_ASN1(PLUS_PROBE, V_ASN1_INTEGER, plus_probe_functions)

/* The calls of the callback, in their order. */
static struct {
    int operation;
    const void *value;
    void *exarg;
} plus_calls[64];
static int plus_call_count;
static int plus_failing = -1;   /* the operation that fails */
static OSSL_LIB_CTX *plus_given_libctx;
static const char *plus_given_propq;

static int plus_callback(int operation, ASN1_VALUE **in, const ASN1_ITEM *it, void *exarg)
{
    if (plus_call_count < 64) {
        plus_calls[plus_call_count].operation = operation;
        plus_calls[plus_call_count].value = in == NULL ? NULL : *in;
        plus_calls[plus_call_count++].exarg = exarg;
    }
    if (operation == plus_failing)
        return 0;
    if (operation == ASN1_OP_GET0_LIBCTX)
        *(OSSL_LIB_CTX **)exarg = plus_given_libctx;
    if (operation == ASN1_OP_GET0_PROPQ)
        *(const char **)exarg = plus_given_propq;
    return 1;
}

/* The number of the call of this operation, or -1. */
static int plus_call(int operation)
{
    int i;

    for (i = 0; i < plus_call_count; i++)
        if (plus_calls[i].operation == operation)
            return i;
    return -1;
}

typedef struct {
    PLUS_PROBE *probe;
    ASN1_OCTET_STRING *text;
} PLUS_THING;

ASN1_SEQUENCE_cb(PLUS_THING, plus_callback) = {
    ASN1_SIMPLE(PLUS_THING, probe, PLUS_PROBE),
    ASN1_SIMPLE(PLUS_THING, text, ASN1_OCTET_STRING)
} ASN1_SEQUENCE_END_cb(PLUS_THING, PLUS_THING)

/* The same without a callback. */
typedef PLUS_THING PLUS_PLAIN;

ASN1_SEQUENCE(PLUS_PLAIN) = {
    ASN1_SIMPLE(PLUS_PLAIN, probe, PLUS_PROBE),
    ASN1_SIMPLE(PLUS_PLAIN, text, ASN1_OCTET_STRING)
} ASN1_SEQUENCE_END(PLUS_PLAIN)

typedef PLUS_THING PLUS_NDEF;

ASN1_NDEF_SEQUENCE_cb(PLUS_NDEF, plus_callback) = {
    ASN1_SIMPLE(PLUS_NDEF, probe, PLUS_PROBE),
    ASN1_SIMPLE(PLUS_NDEF, text, ASN1_OCTET_STRING)
} ASN1_NDEF_SEQUENCE_END_cb(PLUS_NDEF, PLUS_NDEF)

typedef struct {
    int type;
    union {
        ASN1_OCTET_STRING *text;
        PLUS_PLAIN *plain;
    } value;
} PLUS_CHOICE;

ASN1_CHOICE_cb(PLUS_CHOICE, plus_callback) = {
    ASN1_SIMPLE(PLUS_CHOICE, value.text, ASN1_OCTET_STRING),
    ASN1_SIMPLE(PLUS_CHOICE, value.plain, PLUS_PLAIN)
} ASN1_CHOICE_END_cb(PLUS_CHOICE, PLUS_CHOICE, type)

/* Fills the stack with something that isn't zero. */
static void plus_dirty_stack(void)
{
    volatile char dirt[8192];
    size_t i;

    for (i = 0; i < sizeof(dirt); i++)
        dirt[i] = 1;
}
