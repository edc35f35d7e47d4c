/*
 * For tests of how SCTs are written (RFC 6962, 3.2 and 3.3): SCTs from given fields, and their
 * encoding done anew. Include it after testutil.h and a counting allocator.
 */
#include <openssl/ct.h>
#include <openssl/err.h>
#include "../../crypto/ct/ct_local.h"

/* An SCT of version 1: an ID of `fill` on, extensions and a signature of that many bytes. */
static SCT *plus_sct(int fill, uint64_t timestamp, size_t ext_len, size_t sig_len)
{
    SCT *sct = SCT_new();
    size_t i;

    sct->version = SCT_VERSION_V1;
    sct->log_id = OPENSSL_malloc(32);
    sct->log_id_len = 32;
    for (i = 0; i < 32; i++)
        sct->log_id[i] = (unsigned char)(fill + i);
    sct->timestamp = timestamp;
    sct->ext = ext_len == 0 ? NULL : OPENSSL_malloc(ext_len);
    sct->ext_len = ext_len;
    for (i = 0; i < ext_len; i++)
        sct->ext[i] = (unsigned char)(fill + 3 * i + 1);
    sct->hash_alg = 4;          /* SHA-256 */
    sct->sig_alg = 3;           /* ECDSA */
    sct->sig = sig_len == 0 ? NULL : OPENSSL_malloc(sig_len);
    sct->sig_len = sig_len;
    for (i = 0; i < sig_len; i++)
        sct->sig[i] = (unsigned char)(fill + 5 * i + 2);
    return sct;
}

/* An SCT of a version that isn't known, as o2i_SCT keeps it. */
static SCT *plus_unknown_sct(int version, size_t length)
{
    SCT *sct = SCT_new();
    size_t i;

    sct->version = version;
    sct->sct = OPENSSL_malloc(length);
    sct->sct_len = length;
    for (i = 0; i < length; i++)
        sct->sct[i] = (unsigned char)(i == 0 ? version : 7 * i);
    return sct;
}

static unsigned char *plus_put(unsigned char *p, uint64_t value, int bytes)
{
    while (bytes-- > 0)
        *p++ = (unsigned char)(value >> 8 * bytes);
    return p;
}

static unsigned char *plus_bytes(unsigned char *p, const void *bytes, size_t length)
{
    if (length > 0)
        memcpy(p, bytes, length);
    return p + length;
}

/* Writes the encoding and says its length. */
static size_t plus_encode(const SCT *sct, unsigned char *out)
{
    unsigned char *p = out;

    if (sct->version != SCT_VERSION_V1)
        return plus_bytes(p, sct->sct, sct->sct_len) - out;
    *p++ = 0;
    p = plus_bytes(p, sct->log_id, 32);
    p = plus_put(p, sct->timestamp, 8);
    p = plus_bytes(plus_put(p, sct->ext_len, 2), sct->ext, sct->ext_len);
    *p++ = sct->hash_alg;
    *p++ = sct->sig_alg;
    return plus_bytes(plus_put(p, sct->sig_len, 2), sct->sig, sct->sig_len) - out;
}
