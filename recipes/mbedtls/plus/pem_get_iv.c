/*---
 * tasks: [pem_get_iv-4df12f]
 * tests:
 *   decimal digits are read: 'Docstring: "Read a 16-byte hex string and convert it to binary".'
 *   capital letters are read: 'Docstring: "hex string"; OpenSSL writes DEK-Info with capitals.'
 *   small letters are read: 'Docstring: "hex string"; hex digits have either case.'
 *   each digit counts as its value in each place: 'Docstring: "convert it to binary".'
 *   an IV of eight bytes is read: 'Caller mbedtls_pem_read_buffer: 8 for DES and its 16 digits.'
 *   an IV of sixteen bytes is read: 'Caller mbedtls_pem_read_buffer: 16 for AES and its 32 digits.'
 *   what the IV held before does not matter: 'Docstring: it is converted; argument iv is the output alone.'
 *   exactly the bytes of the IV are written: 'Argument iv_len; pem_iv is a local array of 16 bytes.'
 *   exactly the digits of the IV are read: 'Caller: no more than 2 * iv_len characters are sure to be there.'
 *   what follows the digits does not matter: 'Caller: a line end follows, and is skipped by the caller.'
 *   any other character is an error: 'pem.h: MBEDTLS_ERR_PEM_INVALID_ENC_IV, "RSA IV is not in hex-format".'
 *   another character is an error in each place: 'pem.h: MBEDTLS_ERR_PEM_INVALID_ENC_IV.'
 *   the string itself is left as it is: 'Argument s is const: the caller''s input.'
 *   an encrypted key is refused for a bad IV: 'Caller: MBEDTLS_ERR_PEM_INVALID_ENC_IV of mbedtls_pem_read_buffer.'
 ---*/
#include "../../library/pem.c"
#include "check.h"
#include "edge.h"

static const char HEX[] = "0123456789abcdef", CAPITAL[] = "0123456789ABCDEF";

static int reads(const char *text, const char *bytes, size_t n) {
    unsigned char iv[16];
    memset(iv, 0, sizeof(iv));
    return pem_get_iv((const unsigned char *) text, iv, n) == 0 && memcmp(iv, bytes, n) == 0;
}

int main(void) {
    unsigned char iv[64], back[33];
    int ok;
    check("decimal digits are read", reads("0123456789012345", "\x01\x23\x45\x67\x89\x01\x23\x45", 8));
    check("capital letters are read", reads("ABCDEFFEDCBAA0F9", "\xab\xcd\xef\xfe\xdc\xba\xa0\xf9", 8));
    check("small letters are read", reads("abcdeffedcbaa0f9", "\xab\xcd\xef\xfe\xdc\xba\xa0\xf9", 8));

    ok = 1;
    for (int high = 0; high < 16; high++) {
        for (int low = 0; low < 16; low++) {
            char text[17] = "0000000000000000";
            char bytes[8] = {0};
            int at = (high + low) % 8;
            text[2 * at] = (high & 1 ? HEX : CAPITAL)[high];
            text[2 * at + 1] = (high & 2 ? HEX : CAPITAL)[low];
            bytes[at] = (char) (16 * high + low);
            if (!reads(text, bytes, 8)) ok = 0;
        }
    }
    check("each digit counts as its value in each place", ok);
    check("an IV of eight bytes is read", reads("00fF10e2937465Ab", "\x00\xff\x10\xe2\x93\x74\x65\xab", 8));
    ok = reads("8A1b2C3d4E5f60718293a4B5c6D7e8F9",
               "\x8a\x1b\x2c\x3d\x4e\x5f\x60\x71\x82\x93\xa4\xb5\xc6\xd7\xe8\xf9", 16);
    check("an IV of sixteen bytes is read", ok);

    ok = 1;
    for (int before = 0; before < 256; before += 51) {
        memset(iv, before, sizeof(iv));
        ok &= pem_get_iv((unsigned char *) "000102030405060700f0e0d0c0b0a090", iv, 16) == 0 &&
              !memcmp(iv, "\0\1\2\3\4\5\6\7\0\xf0\xe0\xd0\xc0\xb0\xa0\x90", 16);
    }
    check("what the IV held before does not matter", ok);
    memset(iv, 0xEE, sizeof(iv));
    ok = pem_get_iv((unsigned char *) "11223344556677889900aabbccddeeff", iv + 16, 8) == 0 && iv[23] == 0x88;
    for (int i = 0; i < 64; i++) {
        if ((i < 16 || i >= 24) && iv[i] != 0xEE) ok = 0;
    }
    check("exactly the bytes of the IV are written", ok);

    ok = pem_get_iv(at_edge("0123456789abcdeF", 16), iv, 8) == 0 && !memcmp(iv, "\1\x23\x45\x67\x89\xab\xcd\xef", 8);
    ok = ok && pem_get_iv(at_edge("0123456789abcdeF0000000000000009", 32), iv, 16) == 0 && iv[15] == 9;
    check("exactly the digits of the IV are read", ok);
    ok = reads("0123456789012345\r\n\r\n", "\1\x23\x45\x67\x89\1\x23\x45", 8) &&
         reads("0123456789012345\n\nabc", "\1\x23\x45\x67\x89\1\x23\x45", 8) &&
         reads("0123456789012345zz", "\1\x23\x45\x67\x89\1\x23\x45", 8);
    check("what follows the digits does not matter", ok);

    ok = 1;
    for (int c = 0; c < 256; c++) {
        if (c != 0 && (strchr(HEX, c) || strchr(CAPITAL, c))) continue;
        for (int at = 4; at < 6; at++) {
            char text[] = "00112233445566778899aabbccddeeff";
            text[at] = (char) c;
            if (pem_get_iv((unsigned char *) text, iv, 16) != MBEDTLS_ERR_PEM_INVALID_ENC_IV) ok = 0;
        }
    }
    check("any other character is an error", ok);
    ok = 1;
    for (int n = 8; n <= 16; n += 8) {
        for (int at = 0; at < 2 * n; at++) {
            char text[] = "00112233445566778899aabbccddeeff";
            text[at] = "gG:/@` -"[at % 8];
            if (pem_get_iv((unsigned char *) text, iv, n) != MBEDTLS_ERR_PEM_INVALID_ENC_IV) ok = 0;
        }
    }
    check("another character is an error in each place", ok);

    memcpy(back, "8A1b2C3d4E5f60718293a4B5c6D7e8F9", 33);
    pem_get_iv(back, iv, 16);
    check("the string itself is left as it is", !memcmp(back, "8A1b2C3d4E5f60718293a4B5c6D7e8F9", 33));

    const char *key = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n"
                      "DEK-Info: AES-128-CBC,0123456789abcdef0123456789abcdeg\n\n"
                      "AAECAwQFBgcICQoLDA0ODw==\n-----END RSA PRIVATE KEY-----\n";
    mbedtls_pem_context pem;
    size_t used;
    mbedtls_pem_init(&pem);
    int ret = mbedtls_pem_read_buffer(&pem, "-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----",
                                      (const unsigned char *) key, (const unsigned char *) "pw", 2, &used);
    mbedtls_pem_free(&pem);
    check("an encrypted key is refused for a bad IV", ret == MBEDTLS_ERR_PEM_INVALID_ENC_IV);
    return done();
}
