/*
 * For tests of asn1_dsa.c: numbers and their encodings (X.690, 8.3 and 10.1), made anew.
 */
#include <string.h>
#include <openssl/bn.h>

#define DER_MAX 140000

/* A positive number of `size` bytes, the first of which is `first`. */
static BIGNUM *der_number(int size, int first)
{
    static unsigned char bytes[DER_MAX];
    int i;

    for (i = 0; i < size; i++)
        bytes[i] = i == 0 ? first : 37 * i + 11;
    return BN_bin2bn(bytes, size, NULL);
}

/* Writes tag and length. */
static int der_head(unsigned char *to, int tag, int length)
{
    unsigned char *p = to;

    *p++ = tag;
    if (length > 0xff) {
        *p++ = 0x82;
        *p++ = length >> 8;
    } else if (length > 0x7f) {
        *p++ = 0x81;
    }
    *p++ = length & 0xff;
    return p - to;
}

/* Writes what stands for the number, with a zero byte in front where it needs one. */
static int der_integer(unsigned char *to, const BIGNUM *n)
{
    static unsigned char content[DER_MAX];
    int size = BN_num_bytes(n), pad, head;

    BN_bn2bin(n, content + 1);
    content[0] = 0;
    pad = size == 0 || content[1] > 0x7f;
    head = der_head(to, 2, size + pad);
    memcpy(to + head, content + 1 - pad, size + pad);
    return head + size + pad;
}

static int der_signature(unsigned char *to, const BIGNUM *r, const BIGNUM *s)
{
    static unsigned char content[2 * DER_MAX];
    int length = der_integer(content, r), head;

    length += der_integer(content + length, s);
    head = der_head(to, 0x30, length);
    memcpy(to + head, content, length);
    return head + length;
}
