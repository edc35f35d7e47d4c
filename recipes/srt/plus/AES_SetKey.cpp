/*---
 * tasks: [crysprGnuTLS_AES_SetKey-39a60e]
 * tests:
 *   a key of 16 bytes encrypts: 'Comment: "16, 24, or 32 bytes (for AES128,AES192, or AES256)"; FIPS 197, C.1.'
 *   a key of 24 bytes encrypts: 'Comment: "16, 24, or 32 bytes (for AES128,AES192, or AES256)"; FIPS 197, C.2.'
 *   a key of 32 bytes encrypts: 'Comment: "16, 24, or 32 bytes (for AES128,AES192, or AES256)"; FIPS 197, C.3.'
 *   a key of 16 bytes decrypts: 'Comment: "false:decrypt key".'
 *   a key of 24 bytes decrypts: 'Comment: "false:decrypt key".'
 *   a key of 32 bytes decrypts: 'Comment: "false:decrypt key".'
 *   a good key gives zero: 'Callers crysprFallback_KmSetKey and MsSetKey: what is not zero is an error.'
 *   an encryption key of another length is an error: 'Comment: the length is 16, 24 or 32; callers test the return.'
 *   a decryption key of another length is an error: 'Comment: the length is 16, 24 or 32; callers test the return.'
 *   a length in bits is an error: 'Comment: "kstr length in bytes".'
 *   any cipher type gives the same encryption key: 'Comment: cipher_type is one of three; AES keys are the same.'
 *   in counter mode a decryption key decrypts: 'Caller crysprFallback_MsSetKey: HCRYPT_CTX_MODE_AESCTR with false.'
 *   an encryption key is good for counter mode: 'Caller crysprFallback_MsSetKey; NIST SP 800-38A, F.5.1.'
 *   the last key counts: 'crysprGnuTLS_AES_EcbCipher uses the context that was set.'
 *   two contexts are independent: 'Comment: aes_key is the "key context" that is set.'
 *   the key string stays as it was: 'Signature: const.'
 *   only the key string is read: 'Comment: "kstr length in bytes".'
 *   nothing behind the context is written: 'Comment: aes_key is the "key context" that is set.'
 *   a stream key is wrapped and unwrapped: 'Callers km_setkey, km_wrap, km_unwrap; RFC 3394, 4.1.'
 ---*/
#include "hcrypt.h"
#include "plus.h"
#include <sys/mman.h>

extern "C" int crysprGnuTLS_AES_SetKey(int cipher_type, bool bEncrypt, const unsigned char *kstr, size_t kstr_len,
                                       CRYSPR_AESCTX *aes_key);

typedef unsigned char byte;

static byte key[64], plain[16];
static const byte cipher[3][16] = {
    {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a},
    {0xdd, 0xa9, 0x7c, 0xa4, 0x86, 0x4c, 0xdf, 0xe0, 0x6e, 0xaf, 0x70, 0xa0, 0xec, 0x0d, 0x71, 0x91},
    {0x8e, 0xa2, 0xb7, 0xca, 0x51, 0x67, 0x45, 0xbf, 0xea, 0xfc, 0x49, 0x90, 0x4b, 0x49, 0x60, 0x89},
};
static const int modes[] = {HCRYPT_CTX_MODE_AESECB, HCRYPT_CTX_MODE_AESCTR, HCRYPT_CTX_MODE_CLRTXT};

/* A fresh context, with what happened to be there. */
static void dirty(CRYSPR_AESCTX *context)
{
    memset(context, 0xa5, sizeof *context);
}

static int set(bool encrypt, int length, CRYSPR_AESCTX *context, int mode = HCRYPT_CTX_MODE_AESECB)
{
    dirty(context);
    return crysprGnuTLS_AES_SetKey(mode, encrypt, key, length, context);
}

static bool encrypts(const CRYSPR_AESCTX *context, int which)
{
    byte out[16];
    aes_encrypt(context, 16, out, plain);
    return !memcmp(out, cipher[which], 16);
}

static bool decrypts(const CRYSPR_AESCTX *context, int which)
{
    byte out[16];
    aes_decrypt(context, 16, out, cipher[which]);
    return !memcmp(out, plain, 16);
}

/* Whether a key of any of these lengths is refused. */
static bool refused(bool encrypt, const int *lengths)
{
    CRYSPR_AESCTX context;
    for (; *lengths >= 0; lengths++)
        if (set(encrypt, *lengths, &context) == 0) return false;
    return true;
}

static bool counter()
{
    static const byte vector_key[] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                      0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
    static const byte text[] = {0x6b, 0xc1, 0xbe, 0xe2, 0x2e, 0x40, 0x9f, 0x96,
                                0xe9, 0x3d, 0x7e, 0x11, 0x73, 0x93, 0x17, 0x2a};
    static const byte wanted[] = {0x87, 0x4d, 0x61, 0x91, 0xb6, 0x20, 0xe3, 0x26,
                                  0x1b, 0xef, 0x68, 0x64, 0x99, 0x0d, 0xb6, 0xce};
    byte iv[16], out[16];
    for (int i = 0; i < 16; i++) iv[i] = 0xf0 + i;
    CRYSPR_AESCTX context;
    dirty(&context);
    int ret = crysprGnuTLS_AES_SetKey(HCRYPT_CTX_MODE_AESCTR, true, vector_key, 16, &context);
    ctr_crypt(&context, (nettle_cipher_func *)aes_encrypt, 16, iv, 16, out, text);
    return ret == 0 && !memcmp(out, wanted, 16);
}

static bool wrap()
{
    static const byte wanted[24] = {0x1f, 0xa6, 0x8b, 0x0a, 0x81, 0x12, 0xb4, 0x47, 0xae, 0xf3, 0x4b, 0xd8,
                                    0xfb, 0x5a, 0x7b, 0x82, 0x9d, 0x3e, 0x86, 0x23, 0x71, 0xd2, 0xcf, 0xe5};
    CRYSPR_methods *methods = crysprGnuTLS();
    CRYSPR_cb *cb = methods->open(methods, 1500);
    byte wrapped[24], back[16];
    bool good = methods->km_setkey(cb, true, key, 16) == 0;
    good = good && methods->km_wrap(cb, wrapped, plain, 16) == 0 && !memcmp(wrapped, wanted, 24);
    good = good && methods->km_setkey(cb, false, key, 16) == 0;
    good = good && methods->km_unwrap(cb, back, wanted, 24) == 0 && !memcmp(back, plain, 16);
    good = good && methods->km_setkey(cb, true, key, 20) != 0;
    methods->close(cb);
    return good;
}

int main()
{
    for (int i = 0; i < 64; i++) key[i] = i;
    for (int i = 0; i < 16; i++) plain[i] = i * 0x11;
    static const char *const names[] = {
        "a key of 16 bytes encrypts", "a key of 24 bytes encrypts", "a key of 32 bytes encrypts",
        "a key of 16 bytes decrypts", "a key of 24 bytes decrypts", "a key of 32 bytes decrypts",
    };
    bool zero = true;
    for (int i = 0; i < 6; i++) {
        CRYSPR_AESCTX context;
        const bool encrypt = i < 3;
        zero = set(encrypt, 16 + i % 3 * 8, &context) == 0 && zero;
        ok(names[i], encrypt ? encrypts(&context, i % 3) : decrypts(&context, i % 3));
    }
    ok("a good key gives zero", zero);
    static const int wrong[] = {0, 1, 8, 15, 17, 20, 23, 25, 28, 31, 33, 40, 48, 64, -1}, bits[] = {128, 192, 256, -1};
    ok("an encryption key of another length is an error", refused(true, wrong));
    ok("a decryption key of another length is an error", refused(false, wrong));
    ok("a length in bits is an error", refused(true, bits) && refused(false, bits));
    {
        bool good = true, back = true;
        for (int mode : modes)
            for (int i = 0; i < 3; i++) {
                CRYSPR_AESCTX context;
                good = set(true, 16 + 8 * i, &context, mode) == 0 && encrypts(&context, i) && good;
                back = set(false, 16 + 8 * i, &context, mode) == 0 && decrypts(&context, i) && back;
            }
        ok("any cipher type gives the same encryption key", good);
        ok("in counter mode a decryption key decrypts", back);
    }
    ok("an encryption key is good for counter mode", counter());
    {
        CRYSPR_AESCTX context;
        bool good = set(true, 32, &context) == 0;
        good = good && crysprGnuTLS_AES_SetKey(HCRYPT_CTX_MODE_AESECB, true, key, 16, &context) == 0;
        good = good && encrypts(&context, 0);
        good = good && crysprGnuTLS_AES_SetKey(HCRYPT_CTX_MODE_AESECB, false, key, 24, &context) == 0;
        good = good && decrypts(&context, 1);
        good = good && crysprGnuTLS_AES_SetKey(HCRYPT_CTX_MODE_AESECB, true, key, 32, &context) == 0;
        ok("the last key counts", good && encrypts(&context, 2));
    }
    {
        CRYSPR_AESCTX one, other;
        const bool good = set(true, 16, &one) == 0 && set(true, 32, &other) == 0 && encrypts(&one, 0);
        ok("two contexts are independent", good && encrypts(&other, 2) && encrypts(&one, 0));
    }
    {
        byte copy[64];
        memcpy(copy, key, 64);
        CRYSPR_AESCTX context;
        bool good = set(true, 32, &context) == 0 && !memcmp(copy, key, 64);
        ok("the key string stays as it was", set(false, 32, &context) == 0 && good && !memcmp(copy, key, 64));
    }
    {
        const size_t page = sysconf(_SC_PAGESIZE);
        byte *map = (byte *)mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        mprotect(map + page, page, PROT_NONE);
        bool good = true;
        for (int i = 0; i < 3; i++) {
            const int length = 16 + 8 * i;
            byte *at = map + page - length;
            memcpy(at, key, length);
            CRYSPR_AESCTX context;
            good = crysprGnuTLS_AES_SetKey(HCRYPT_CTX_MODE_AESECB, true, at, length, &context) == 0 &&
                   encrypts(&context, i) && good;
            good = crysprGnuTLS_AES_SetKey(HCRYPT_CTX_MODE_AESECB, false, at, length, &context) == 0 &&
                   decrypts(&context, i) && good;
        }
        ok("only the key string is read", good);
    }
    {
        struct {
            CRYSPR_AESCTX context;
            byte behind[256];
        } room;
        bool good = true;
        for (int i = 0; i < 6; i++) {
            memset(&room, 0xa5, sizeof room);
            good = crysprGnuTLS_AES_SetKey(HCRYPT_CTX_MODE_AESECB, i < 3, key, 16 + i % 3 * 8, &room.context) == 0 &&
                   (i < 3 ? encrypts(&room.context, i) : decrypts(&room.context, i - 3)) && good;
            for (byte b : room.behind) good = good && b == 0xa5;
        }
        ok("nothing behind the context is written", good);
    }
    ok("a stream key is wrapped and unwrapped", wrap());
    return plus_end();
}
