/*---
 * tasks: [parse_bag-deedf2.8]
 * tests:
 *   keys of several types are made: 'Comment: "Extract a private key from a PKCS8 structure".'
 *   no structure and broken content are refused: 'pem_pk8.c: d2i_PKCS8PrivateKey_bio tests for NULL.'
 *   the structure stays with the caller: 'Signature: const; pem_pk8.c frees it.'
 ---*/
#include "../testutil.h"
#include "memory_count.h"
#include "pb_pkcs8.h"

static int makes(const char *name)
{
    PKCS8_PRIV_KEY_INFO *p8 = plus_p8(name);
    int ok = plus_is_key(EVP_PKCS82PKEY(p8), name) && plus_is_key(EVP_PKCS82PKEY(p8), name);

    PKCS8_PRIV_KEY_INFO_free(p8);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int types(void)
{
    return makes(PLUS_RSA) && makes(PLUS_EC) && makes(PLUS_ED);
}

static int refused(void)
{
    PKCS8_PRIV_KEY_INFO *p8 = plus_odd_p8(PLUS_RSA_OID, "none", 4),
        *odd = plus_odd_p8("1.2.3.4.99", "x", 1);
    int ok = TEST_ptr_null(EVP_PKCS82PKEY(NULL)) && TEST_ptr_null(EVP_PKCS82PKEY(p8))
        && TEST_ptr_null(EVP_PKCS82PKEY(odd));

    PKCS8_PRIV_KEY_INFO_free(p8);
    PKCS8_PRIV_KEY_INFO_free(odd);
    ERR_clear_error();
    return ok;
}

static int balanced(void)
{
    long before;

    if (!types() || !refused() || !types() || !refused())
        return 0;
    before = memory_blocks;
    return types() && refused() && TEST_long_eq(memory_blocks, before)
        && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("keys of several types are made", types);
    add_test("no structure and broken content are refused", refused);
    add_test("the structure stays with the caller", balanced);
    return 1;
}
