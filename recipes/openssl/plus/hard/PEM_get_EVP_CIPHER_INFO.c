/*---
 * tasks: [sanitize_line-674e97.16]
 * tests:
 *   no header means no cipher: 'PEM_read(3): "can be used to determine the data ... is encrypted"; PEM_do_header, cipher NULL.'
 *   cipher and IV are stored: 'PEM_read(3): "the cipher and IV are stored at the address pointed to by cinfo".'
 *   each digit of the IV counts: 'PEM_read_bio_PrivateKey(3): "encoded as a set of hexadecimal digits".'
 *   what was there before is overwritten: 'PEM_read(3): "stored at the address"; callers pass an unset variable.'
 *   a header ends where its fields end: 'PEM_read_bio_PrivateKey(3): "Proc-Type ... DEK-Info"; further lines are allowed.'
 *   a header that does not begin with Proc-Type is refused: 'PEM_R_NOT_PROC_TYPE; RFC 1421, 4.6.1.1.'
 *   another version is refused: 'RFC 1421, 4.6.1.1: "4"; PEM_read(3), malformed.'
 *   what is not encrypted is refused: 'PEM_R_NOT_ENCRYPTED; RFC 1421, 4.6.1.1.1.'
 *   a header that ends too early is refused: 'PEM_R_SHORT_HEADER; PEM_read(3), malformed.'
 *   a header without DEK-Info is refused: 'PEM_R_NOT_DEK_INFO; RFC 1421, 4.6.1.3.'
 *   an unknown cipher is refused: 'PEM_read(3): "or when the cipher is unknown ... 0 is returned".'
 *   an IV that is missing, short or no number is refused: 'PEM_R_MISSING_DEK_IV; PEM_R_BAD_IV_CHARS.'
 *   a cipher without an IV takes none: 'PEM_R_UNEXPECTED_DEK_IV; comment: "algo[,hex-parameters]".'
 *   nothing is leaked: 'PEM_read(3): the structure is the caller''s.'
 ---*/
#include "../testutil.h"
#include <openssl/evp.h>
#include "memory_count.h"
#include "pem_text.h"

#define PROC "Proc-Type: 4,ENCRYPTED\n"
#define IV "101112131415161718191A1B1C1D1E1F"

static EVP_CIPHER_INFO cinfo;

static int call(const char *text)
{
    char *header = OPENSSL_strdup(text);
    int got;

    memset(&cinfo, 0x5a, sizeof(cinfo));
    got = PEM_get_EVP_CIPHER_INFO(header, &cinfo);
    OPENSSL_free(header);
    ERR_clear_error();
    return got;
}

static int gives(const char *text, int nid, const void *iv, int length)
{
    return TEST_int_eq(call(text), 1) && TEST_ptr(cinfo.cipher)
        && TEST_int_eq(EVP_CIPHER_get_nid(cinfo.cipher), nid)
        && TEST_mem_eq(cinfo.iv, length, iv, length) && TEST_long_eq(memory_bad_frees, 0);
}

static int refused(const char *text)
{
    return TEST_int_eq(call(text), 0) && TEST_long_eq(memory_bad_frees, 0);
}

static int none(void)
{
    memset(&cinfo, 0x5a, sizeof(cinfo));
    return TEST_int_eq(PEM_get_EVP_CIPHER_INFO(NULL, &cinfo), 1) && TEST_ptr_null(cinfo.cipher)
        && TEST_int_eq(call(""), 1) && TEST_ptr_null(cinfo.cipher)
        && TEST_int_eq(call("\n"), 1) && TEST_ptr_null(cinfo.cipher);
}

static int stored(void)
{
    return gives(PROC "DEK-Info: AES-128-CBC," IV "\n", NID_aes_128_cbc,
                 "\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f", 16)
        && gives(PROC "DEK-Info: DES-EDE3-CBC,3F17F5316E2BAC89\n", NID_des_ede3_cbc,
                 "\x3F\x17\xF5\x31\x6E\x2B\xAC\x89", 8)
        && gives(PROC "DEK-Info: AES-256-CBC,4A44448ED28992710556549B35100CEA\n", NID_aes_256_cbc,
                 "\x4A\x44\x44\x8E\xD2\x89\x92\x71\x05\x56\x54\x9B\x35\x10\x0C\xEA", 16);
}

static int digits(void)
{
    return gives(PROC "DEK-Info: DES-EDE3-CBC,0123456789ABCDEF\n", NID_des_ede3_cbc,
                 "\x01\x23\x45\x67\x89\xab\xcd\xef", 8)
        && gives(PROC "DEK-Info: DES-EDE3-CBC,fedcba9876543210\n", NID_des_ede3_cbc,
                 "\xfe\xdc\xba\x98\x76\x54\x32\x10", 8)
        && gives(PROC "DEK-Info: DES-EDE3-CBC,00f00fFF0aA00009\n", NID_des_ede3_cbc,
                 "\x00\xf0\x0f\xff\x0a\xa0\x00\x09", 8);
}

static int overwritten(void)
{
    static const unsigned char zeros[EVP_MAX_IV_LENGTH];

    return stored() && TEST_int_eq(call(""), 1) && TEST_ptr_null(cinfo.cipher)
        && gives(PROC "DEK-Info: AES-128-CBC,00000000000000000000000000000000\n", NID_aes_128_cbc,
                 zeros, 16);
}

static int fields_end(void)
{
    return gives(PROC "DEK-Info: DES-EDE3-CBC,3F17F5316E2BAC89\nKey-Info: x\n", NID_des_ede3_cbc,
                 "\x3F\x17\xF5\x31\x6E\x2B\xAC\x89", 8);
}

static int no_proc_type(void)
{
    return refused("DEK-Info: AES-128-CBC," IV "\n" PROC) && refused("a: b\n")
        && refused("Proc-Typ: 4,ENCRYPTED\n")
        && refused("Proc-Type\n") && refused("DEK-Info: AES-128-CBC," IV "\n")
        && refused("X" PROC "DEK-Info: AES-128-CBC," IV "\n");
}

static int version(void)
{
    return refused("Proc-Type: 3,ENCRYPTED\nDEK-Info: AES-128-CBC," IV "\n")
        && refused("Proc-Type: 5,ENCRYPTED\nDEK-Info: AES-128-CBC," IV "\n")
        && refused("Proc-Type: 4ENCRYPTED\nDEK-Info: AES-128-CBC," IV "\n")
        && refused("Proc-Type: 44,ENCRYPTED\nDEK-Info: AES-128-CBC," IV "\n")
        && refused("Proc-Type: ENCRYPTED\nDEK-Info: AES-128-CBC," IV "\n");
}

static int not_encrypted(void)
{
    return refused("Proc-Type: 4,MIC-CLEAR\nDEK-Info: AES-128-CBC," IV "\n")
        && refused("Proc-Type: 4,ENCRYPTEDX\nDEK-Info: AES-128-CBC," IV "\n")
        && refused("Proc-Type: 4,ENCRYPT\nDEK-Info: AES-128-CBC," IV "\n")
        && refused("Proc-Type: 4,\nDEK-Info: AES-128-CBC," IV "\n");
}

static int too_early(void)
{
    return refused("Proc-Type: 4,ENCRYPTED") && refused("Proc-Type: 4,ENCRYPTED ")
        && refused("Proc-Type: 4,")
        && refused("Proc-Type: 4") && refused("Proc-Type: ") && refused("Proc-Type:");
}

static int no_dek_info(void)
{
    return refused(PROC) && refused(PROC "\n") && refused(PROC "Key-Info: AES-128-CBC," IV "\n")
        && refused(PROC "DEK-Inf: AES-128-CBC," IV "\n");
}

static int unknown(void)
{
    return refused(PROC "DEK-Info: NONE-SUCH," IV "\n") && refused(PROC "DEK-Info: ," IV "\n")
        && refused(PROC "DEK-Info: \n")
        && refused(PROC "DEK-Info:") && refused(PROC "DEK-Info: AES-128-CB," IV "\n")
        && refused(PROC "DEK-Info: AES-128-CBCX," IV "\n");
}

static int bad_iv(void)
{
    return refused(PROC "DEK-Info: AES-128-CBC\n") && refused(PROC "DEK-Info: AES-128-CBC")
        && refused(PROC "DEK-Info: AES-128-CBC,\n") && refused(PROC "DEK-Info: AES-128-CBC,")
        && refused(PROC "DEK-Info: AES-128-CBC,101112131415161718191A1B1C1D1E1\n")
        && refused(PROC "DEK-Info: AES-128-CBC,101112131415161718191A1B1C1D1E1G\n")
        && refused(PROC "DEK-Info: AES-128-CBC,g01112131415161718191A1B1C1D1E1F\n")
        && refused(PROC "DEK-Info: AES-128-CBC,3F17F5316E2BAC89\n");
}

static int without_iv(void)
{
    return refused(PROC "DEK-Info: AES-128-ECB," IV "\n")
        && refused(PROC "DEK-Info: AES-128-ECB,00\n");
}

static int balanced(void)
{
    long before;
    int i;

    for (i = 0; i < 3; i++) {
        if (i == 2)
            before = memory_blocks;
        if (!none() || !stored() || !unknown() || !bad_iv() || !no_proc_type() || !without_iv())
            return 0;
    }
    return TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("no header means no cipher", none);
    add_test("cipher and IV are stored", stored);
    add_test("each digit of the IV counts", digits);
    add_test("what was there before is overwritten", overwritten);
    add_test("a header ends where its fields end", fields_end);
    add_test("a header that does not begin with Proc-Type is refused", no_proc_type);
    add_test("another version is refused", version);
    add_test("what is not encrypted is refused", not_encrypted);
    add_test("a header that ends too early is refused", too_early);
    add_test("a header without DEK-Info is refused", no_dek_info);
    add_test("an unknown cipher is refused", unknown);
    add_test("an IV that is missing, short or no number is refused", bad_iv);
    add_test("a cipher without an IV takes none", without_iv);
    add_test("nothing is leaked", balanced);
    return 1;
}
