/*---
 * tasks: [44DA538004568DB5]
 * tests:
 *   an input as long as the maximum is taken as it is: 'RFC 6979 2.3.2: blen is not above qlen.'
 *   a shorter input is taken as it is: 'RFC 6979 2.3.2: bits of value zero are added on the left.'
 *   the leftmost bits of a longer input count:
 *     'RFC 6979 2.3.2; docstring: "shifted right if inlen is larger than qlen_bits".'
 *   bits are counted and not whole bytes:
 *     'RFC 6979 2.3.2: the qlen leftmost bits are kept, as for the 521 bits of P-521.'
 *   leading zeros count as bits of the input: 'RFC 6979 2.3.2: blen is the length of the input, not of the number.'
 *   the example of RFC 6979 comes out: 'RFC 6979 A.1.2: 163 bits of a SHA-256 digest; there q is then subtracted.'
 *   the first byte is the most significant: 'RFC 6979 2.3.2: big-endian.'
 *   what the number held before is gone: 'Docstring: "out The returned Integer as a BIGNUM".'
 *   the input stays: 'in is const.'
 *   success is 1: 'Docstring: "Returns: 1 if successful".'
 *   failure is 0: 'Docstring: "or 0 otherwise".'
 ---*/
#include "../../crypto/deterministic_nonce.c"
#include <openssl/err.h>
#include "../testutil.h"
#include "memory_count.h"

/* Does an input of hexadecimal digits give this number? `before` is what the number holds at first. */
static int converts(const char *input, int bits, const char *expected, BN_ULONG before)
{
    long length = 0;
    unsigned char *bytes = OPENSSL_hexstr2buf(input, &length);
    BIGNUM *out = BN_new(), *wanted = NULL;
    int ok = TEST_ptr(bytes) && TEST_true(BN_set_word(out, before)) && TEST_true(BN_hex2bn(&wanted, expected))
        && TEST_int_eq(bits2int(out, bits, bytes, (size_t)length), 1)
        && TEST_BN_eq(out, wanted);

    BN_free(out);
    BN_free(wanted);
    OPENSSL_free(bytes);
    return ok;
}

static int as_long(void)
{
    return converts("ff00000000000001", 64, "ff00000000000001", 0)
        && converts("0123456789abcdef0123456789abcdef01234567", 160, "0123456789abcdef0123456789abcdef01234567", 0);
}

static int shorter(void)
{
    return converts("ff00000000000001", 65, "ff00000000000001", 0)
        && converts("80", 256, "80", 0)
        && converts("0123456789abcdef0123456789abcdef01234567", 521, "0123456789abcdef0123456789abcdef01234567", 0);
}

static int longer(void)
{
    return converts("0123456789abcdef", 32, "01234567", 0)
        && converts("fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0efeeedecebeae9e8e7e6e5e4e3e2e1e0", 160,
                    "fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0efeeedec", 0);
}

static int bits(void)
{
    return converts("ffff", 15, "7fff", 0)
        && converts("ffff", 9, "1ff", 0)
        && converts("8001", 1, "1", 0)
        && converts("ff00000000000000000000000000000000000000000000000000000000000000"
                    "0000000000000000000000000000000000000000000000000000000000000000" "00ff", 521,
                    "1fe000000000000000000000000000000000000000000000000000000000000000"
                    "00000000000000000000000000000000000000000000000000000000000000001", 0);
}

static int leading_zeros(void)
{
    return converts("00ff", 8, "00", 0)
        && converts("00ff", 12, "f", 0)
        && converts("000000ffffffffff", 48, "000000ffffff", 0)
        && converts("01ff", 9, "3", 0);
}

static int example(void)
{
    return converts("AF2BDBE1AA9B6EC1E2ADE1D694F41FC71A831D0268E9891562113D8A62ADD1BF", 163,
                    "5795EDF0D54DB760F156F0EB4A7A0FE38D418E813", 0);
}

static int order_of_bytes(void)
{
    return converts("010000", 24, "10000", 0) && converts("000001", 24, "1", 0);
}

static int replaced(void)
{
    return converts("05", 8, "5", 0xffffffff) && converts("0500", 8, "5", 0xffffffff)
        && converts("0000", 16, "0", 0xffffffff);
}

static int input_stays(void)
{
    unsigned char input[] = { 0xff, 0x12, 0x34 }, before[] = { 0xff, 0x12, 0x34 };
    BIGNUM *out = BN_new();
    int ok = TEST_int_eq(bits2int(out, 11, input, sizeof(input)), 1)
        && TEST_mem_eq(input, sizeof(input), before, sizeof(before));

    BN_free(out);
    return ok;
}

static int success(void)
{
    static const unsigned char input[64] = { 1 };
    BIGNUM *out = BN_new();
    int ok = TEST_int_eq(bits2int(out, 512, input, sizeof(input)), 1)
        && TEST_int_eq(bits2int(out, 500, input, sizeof(input)), 1)
        && TEST_int_eq(bits2int(out, 600, input, sizeof(input)), 1)
        && TEST_int_eq(bits2int(out, 8, input + 1, 8), 1);

    BN_free(out);
    return ok;
}

/* The number has no room yet, and there is no memory for it. */
static int failure(void)
{
    static const unsigned char input[64] = { 1 };
    BIGNUM *out = BN_new();
    int equal, longer;

    ERR_raise(ERR_LIB_USER, 1);     /* The thread's queue of errors is there before memory ends. */
    ERR_clear_error();
    memory_left = 0;
    equal = bits2int(out, 512, input, sizeof(input));
    longer = bits2int(out, 500, input, sizeof(input));
    memory_left = -1;
    BN_free(out);
    return TEST_int_eq(equal, 0) && TEST_int_eq(longer, 0);
}

int setup_tests(void)
{
    add_test("an input as long as the maximum is taken as it is", as_long);
    add_test("a shorter input is taken as it is", shorter);
    add_test("the leftmost bits of a longer input count", longer);
    add_test("bits are counted and not whole bytes", bits);
    add_test("leading zeros count as bits of the input", leading_zeros);
    add_test("the example of RFC 6979 comes out", example);
    add_test("the first byte is the most significant", order_of_bytes);
    add_test("what the number held before is gone", replaced);
    add_test("the input stays", input_stays);
    add_test("success is 1", success);
    add_test("failure is 0", failure);
    return 1;
}
