/*
 * For tests of OAEP: the mask and both directions of RFC 8017, B.2.1 and 7.1, done anew, and a
 * digest that can fail.
 */
#include <string.h>
#include <openssl/evp.h>

/* The mask that `seed` gives. */
static void oaep_mask(unsigned char *mask, int size, const unsigned char *seed, int seed_size,
                      const EVP_MD *md)
{
    unsigned char input[2048], digest[EVP_MAX_MD_SIZE];
    int made, i, h = EVP_MD_get_size(md);
    unsigned long counter = 0;

    memcpy(input, seed, seed_size);
    for (made = 0; made < size; made += h, counter++) {
        for (i = 0; i < 4; i++)
            input[seed_size + i] = (counter >> (24 - 8 * i)) & 0xff;
        EVP_Digest(input, seed_size + 4, digest, NULL, md, NULL);
        memcpy(mask + made, digest, made + h <= size ? h : size - made);
    }
}

static void oaep_xor(unsigned char *to, const unsigned char *mask, int size)
{
    while (size-- > 0)
        *to++ ^= *mask++;
}

/* Masks or unmasks what stands in the `size` bytes at `em`. */
static void oaep_hide(unsigned char *em, int size, const EVP_MD *md, const EVP_MD *mgf1md,
                      int hide)
{
    unsigned char mask[2048];
    int h = EVP_MD_get_size(md), n = size - h - 1;

    if (hide) {
        oaep_mask(mask, n, em + 1, h, mgf1md);
        oaep_xor(em + 1 + h, mask, n);
    }
    oaep_mask(mask, h, em + 1 + h, n, mgf1md);
    oaep_xor(em + 1, mask, h);
    if (!hide) {
        oaep_mask(mask, n, em + 1, h, mgf1md);
        oaep_xor(em + 1 + h, mask, n);
    }
}

/* The message before it is masked: zero byte, seed, hash of the label, zeros, 1, message. */
static void oaep_layout(unsigned char *em, int size, const unsigned char *message, int length,
                        const char *label, int label_size, const EVP_MD *md)
{
    int i, h = EVP_MD_get_size(md);

    memset(em, 0, size);
    for (i = 1; i <= h; i++)
        em[i] = 7 * i + length;
    EVP_Digest(label, label_size, em + 1 + h, NULL, md, NULL);
    em[size - length - 1] = 1;
    memcpy(em + size - length, message, length);
}

/* A digest of 20 zero bytes whose steps can fail: after so many, none for -1. */
static int oaep_steps_left = -1;

static int oaep_step(void)
{
    if (oaep_steps_left == 0)
        return 0;
    if (oaep_steps_left > 0)
        oaep_steps_left--;
    return 1;
}

static int oaep_md_init(EVP_MD_CTX *ctx)
{
    return oaep_step();
}

static int oaep_md_update(EVP_MD_CTX *ctx, const void *data, size_t size)
{
    return oaep_step();
}

static int oaep_md_final(EVP_MD_CTX *ctx, unsigned char *digest)
{
    memset(digest, 0, 20);
    return oaep_step();
}

static EVP_MD *oaep_failing_md(void)
{
    EVP_MD *md = EVP_MD_meth_new(NID_undef, NID_undef);

    EVP_MD_meth_set_result_size(md, 20);
    EVP_MD_meth_set_input_blocksize(md, 64);
    EVP_MD_meth_set_app_datasize(md, 8);
    EVP_MD_meth_set_init(md, oaep_md_init);
    EVP_MD_meth_set_update(md, oaep_md_update);
    EVP_MD_meth_set_final(md, oaep_md_final);
    return md;
}

/* The message, seed and result of the first OAEP example in RSA's vectors for PKCS #1 v2.1. */
static const unsigned char oaep_message[] = {
    0xd4, 0x36, 0xe9, 0x95, 0x69, 0xfd, 0x32, 0xa7, 0xc8, 0xa0, 0x5b, 0xbc, 0x90, 0xd3, 0x2c, 0x49
};
static const unsigned char oaep_seed[] = {
    0xaa, 0xfd, 0x12, 0xf6, 0x59, 0xca, 0xe6, 0x34, 0x89, 0xb4, 0x79, 0xe5, 0x07, 0x6d, 0xde, 0xc2,
    0xf0, 0x6c, 0xb5, 0x8f
};
static const unsigned char oaep_encoded[128] = {
    0x00, 0xeb, 0x7a, 0x19, 0xac, 0xe9, 0xe3, 0x00, 0x63, 0x50, 0xe3, 0x29, 0x50, 0x4b, 0x45, 0xe2,
    0xca, 0x82, 0x31, 0x0b, 0x26, 0xdc, 0xd8, 0x7d, 0x5c, 0x68, 0xf1, 0xee, 0xa8, 0xf5, 0x52, 0x67,
    0xc3, 0x1b, 0x2e, 0x8b, 0xb4, 0x25, 0x1f, 0x84, 0xd7, 0xe0, 0xb2, 0xc0, 0x46, 0x26, 0xf5, 0xaf,
    0xf9, 0x3e, 0xdc, 0xfb, 0x25, 0xc9, 0xc2, 0xb3, 0xff, 0x8a, 0xe1, 0x0e, 0x83, 0x9a, 0x2d, 0xdb,
    0x4c, 0xdc, 0xfe, 0x4f, 0xf4, 0x77, 0x28, 0xb4, 0xa1, 0xb7, 0xc1, 0x36, 0x2b, 0xaa, 0xd2, 0x9a,
    0xb4, 0x8d, 0x28, 0x69, 0xd5, 0x02, 0x41, 0x21, 0x43, 0x58, 0x11, 0x59, 0x1b, 0xe3, 0x92, 0xf9,
    0x82, 0xfb, 0x3e, 0x87, 0xd0, 0x95, 0xae, 0xb4, 0x04, 0x48, 0xdb, 0x97, 0x2f, 0x3a, 0xc1, 0x4f,
    0x7b, 0xc2, 0x75, 0x19, 0x52, 0x81, 0xce, 0x32, 0xd2, 0xf1, 0xb7, 0x6d, 0x4d, 0x35, 0x3e, 0x2d
};
