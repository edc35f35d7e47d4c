/*
 * ASN.1 types whose callbacks and decoders tell what they are given: OB_PROBE, an external type
 * that is always
 * 02 01 07, and in a sequence, an NDEF sequence and a choice.
 */
#include <openssl/asn1t.h>

/* What the decoder of OB_PROBE was given last. */
static OSSL_LIB_CTX *ob_seen_libctx;
static const char *ob_seen_propq;
static int ob_decoded;

typedef struct {
    int there;
} OB_PROBE;

static int ob_probe_new(ASN1_VALUE **pval, const ASN1_ITEM *it)
{
    return (*pval = OPENSSL_zalloc(sizeof(OB_PROBE))) != NULL;
}

static void ob_probe_free(ASN1_VALUE **pval, const ASN1_ITEM *it)
{
    OPENSSL_free(*pval);
    *pval = NULL;
}

static int ob_probe_d2i(ASN1_VALUE **pval, const unsigned char **in, long len, const ASN1_ITEM *it,
                        int tag,
                        int aclass, char opt, ASN1_TLC *ctx, OSSL_LIB_CTX *libctx,
                            const char *propq)
{
    ob_seen_libctx = libctx;
    ob_seen_propq = propq;
    if (len < 3 || memcmp(*in, "\x02\x01\x07", 3) != 0)
        return 0;
    if (*pval == NULL && !ob_probe_new(pval, it))
        return 0;
    ((OB_PROBE *)*pval)->there = 1;
    *in += 3;
    ob_decoded++;
    return 1;
}

static int ob_probe_i2d(const ASN1_VALUE **pval, unsigned char **out, const ASN1_ITEM *it, int tag,
                        int aclass)
{
    if (out != NULL) {
        memcpy(*out, "\x02\x01\x07", 3);
        *out += 3;
    }
    return 3;
}

static const ASN1_EXTERN_FUNCS ob_probe_functions = {
    NULL, ob_probe_new, ob_probe_free, NULL, NULL, ob_probe_i2d, NULL, NULL, ob_probe_d2i
};

IMPLEMENT_EXTERN_ASN1(OB_PROBE, V_ASN1_INTEGER, ob_probe_functions)

/* The calls of the callback, in their order. */
static struct {
    int operation;
    const void *value;
    void *exarg;
} ob_calls[64];
static int ob_call_count;
static int ob_failing = -1;   /* the operation that fails */
static OSSL_LIB_CTX *ob_given_libctx;
static const char *ob_given_propq;

static int ob_callback(int operation, ASN1_VALUE **in, const ASN1_ITEM *it, void *exarg)
{
    if (ob_call_count < 64) {
        ob_calls[ob_call_count].operation = operation;
        ob_calls[ob_call_count].value = in == NULL ? NULL : *in;
        ob_calls[ob_call_count++].exarg = exarg;
    }
    if (operation == ob_failing)
        return 0;
    if (operation == ASN1_OP_GET0_LIBCTX)
        *(OSSL_LIB_CTX **)exarg = ob_given_libctx;
    if (operation == ASN1_OP_GET0_PROPQ)
        *(const char **)exarg = ob_given_propq;
    return 1;
}

/* The number of the call of this operation, or -1. */
static int ob_call(int operation)
{
    int i;

    for (i = 0; i < ob_call_count; i++)
        if (ob_calls[i].operation == operation)
            return i;
    return -1;
}

typedef struct {
    OB_PROBE *probe;
    ASN1_OCTET_STRING *text;
} OB_THING;

ASN1_SEQUENCE_cb(OB_THING, ob_callback) = {
    ASN1_SIMPLE(OB_THING, probe, OB_PROBE),
    ASN1_SIMPLE(OB_THING, text, ASN1_OCTET_STRING)
} ASN1_SEQUENCE_END_cb(OB_THING, OB_THING)

/* The same without a callback. */
typedef OB_THING OB_PLAIN;

ASN1_SEQUENCE(OB_PLAIN) = {
    ASN1_SIMPLE(OB_PLAIN, probe, OB_PROBE),
    ASN1_SIMPLE(OB_PLAIN, text, ASN1_OCTET_STRING)
} ASN1_SEQUENCE_END(OB_PLAIN)

typedef OB_THING OB_NDEF;

ASN1_NDEF_SEQUENCE_cb(OB_NDEF, ob_callback) = {
    ASN1_SIMPLE(OB_NDEF, probe, OB_PROBE),
    ASN1_SIMPLE(OB_NDEF, text, ASN1_OCTET_STRING)
} ASN1_NDEF_SEQUENCE_END_cb(OB_NDEF, OB_NDEF)

typedef struct {
    int type;
    union {
        ASN1_OCTET_STRING *text;
        OB_PLAIN *plain;
    } value;
} OB_CHOICE;

ASN1_CHOICE_cb(OB_CHOICE, ob_callback) = {
    ASN1_SIMPLE(OB_CHOICE, value.text, ASN1_OCTET_STRING),
    ASN1_SIMPLE(OB_CHOICE, value.plain, OB_PLAIN)
} ASN1_CHOICE_END_cb(OB_CHOICE, OB_CHOICE, type)

/* Fills the stack with something that isn't zero. */
static void ob_dirty_stack(void)
{
    volatile char dirt[8192];
    size_t i;

    for (i = 0; i < sizeof(dirt); i++)
        dirt[i] = 1;
}
