/*---
 * tasks: [sanitize_line-674e97.16]
 * tests:
 *   methods are found by their PEM string: 'EVP_PKEY_asn1_find_str(3): "looks up the
 *     EVP_PKEY_ASN1_METHOD with PEM type
 *     string str"; standard_methods.h.'
 *   upper and lower case are the same: 'Sibling ENGINE_pkey_asn1_find_str compares by
 *     OPENSSL_strncasecmp.'
 *   a length of -1 takes the whole string: 'Callers p_lib.c: EVP_PKEY_set_type, ssl_ciph.c:
 *     get_optional_pkey_id.'
 *   a length takes the beginning of the string: 'Caller pem_lib.c: check_pem, "RSA PRIVATE KEY"
 *     with the length of RSA.'
 *   the whole PEM string counts: 'EVP_PKEY_asn1_find_str(3): "with PEM type string str".'
 *   an alias is not found: 'EVP_PKEY_asn1_add0(3): an alias has no PEM string; ameth_lib.c:
 *     EVP_PKEY_asn1_find resolves
 *     them.'
 *   unknown strings are not found: 'Callers test for NULL.'
 *   methods of the application are found: 'EVP_PKEY_asn1_get_count(3): "standard methods and any
 *     methods added by the
 *     application".'
 *   an alias of the application does no harm: 'EVP_PKEY_asn1_add_alias(3); its pem_str is NULL.'
 *   without an engine that has it none is told: 'Docstring of EVP_PKEY_asn1_find: "or NULL if no
 *     engine implements it".'
 *   a method of an engine is found with its engine: 'EVP_PKEY_asn1_find_str(3): "look up an engine
 *     implementing ... and
 *     return that instead, and also set *pe to point at the engine".'
 *   engines are not looked at when none is asked for: 'EVP_PKEY_asn1_find_str(3): "if pe isn''t
 *     NULL".'
 *   the engine can be used and is given back by ENGINE_finish: 'Docstring of EVP_PKEY_asn1_find:
 *     "set *pe to a functional
 *     reference to the engine"; p_lib.c: ENGINE_finish.'
 *   an engine that cannot be used has no method: 'Docstring: "functional reference";
 *     ENGINE_init(3).'
 ---*/
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/evp.h>
#include <openssl/err.h>
#include <openssl/engine.h>
#include "crypto/asn1.h"
#include "internal/nelem.h"
#include "testutil.h"
#include "refused_nth.h"

static const EVP_PKEY_ASN1_METHOD *find(const char *name, int length)
{
    return EVP_PKEY_asn1_find_str(NULL, name, length);
}

static int is(const EVP_PKEY_ASN1_METHOD *method, int id)
{
    int got = NID_undef, flags = 0;

    return TEST_ptr(method)
        && TEST_int_eq(EVP_PKEY_asn1_get0_info(&got, NULL, &flags, NULL, NULL, method), 1)
        && TEST_int_eq(got, id) && TEST_int_eq(flags & ASN1_PKEY_ALIAS, 0);
}

static const struct {
    const char *name;
    int id;
} standard[] = {
    { "RSA", EVP_PKEY_RSA }, { "RSA-PSS", EVP_PKEY_RSA_PSS }, { "DSA", EVP_PKEY_DSA },
        { "DH", EVP_PKEY_DH },
    { "X9.42 DH", EVP_PKEY_DHX }, { "EC", EVP_PKEY_EC }, { "X25519", EVP_PKEY_X25519 },
        { "X448", EVP_PKEY_X448 },
    { "ED25519", EVP_PKEY_ED25519 }, { "ED448", EVP_PKEY_ED448 }
};

static int by_string(void)
{
    size_t i;

    for (i = 0; i < OSSL_NELEM(standard); i++)
        if (!is(find(standard[i].name, (int)strlen(standard[i].name)), standard[i].id))
            return 0;
    return 1;
}

static int either_case(void)
{
    return is(find("rsa", -1), EVP_PKEY_RSA) && is(find("rsa", 3), EVP_PKEY_RSA)
        && is(find("Ec", -1), EVP_PKEY_EC)
        && is(find("ed25519", -1), EVP_PKEY_ED25519) && is(find("x9.42 dh", -1), EVP_PKEY_DHX);
}

static int whole(void)
{
    size_t i;

    for (i = 0; i < OSSL_NELEM(standard); i++)
        if (!is(find(standard[i].name, -1), standard[i].id))
            return 0;
    return TEST_ptr_null(find("RSA PRIVATE KEY", -1));
}

static int beginning(void)
{
    return is(find("RSA PRIVATE KEY", 3), EVP_PKEY_RSA)
        && is(find("EC PARAMETERS", 2), EVP_PKEY_EC)
        && is(find("RSA-PSS PRIVATE KEY", 7), EVP_PKEY_RSA_PSS)
        && is(find("RSA-PSS", 3), EVP_PKEY_RSA)
        && is(find("X9.42 DH PARAMETERS", 8), EVP_PKEY_DHX) && is(find("DHX", 2), EVP_PKEY_DH);
}

static int whole_string(void)
{
    return TEST_ptr_null(find("RS", -1)) && TEST_ptr_null(find("RSA", 2))
        && TEST_ptr_null(find("RSAX", -1))
        && TEST_ptr_null(find("RSA PRIVATE KEY", 4)) && TEST_ptr_null(find("E", -1))
        && TEST_ptr_null(find("D", 1))
        && TEST_ptr_null(find("RSA-", -1)) && TEST_ptr_null(find("ED25", -1))
        && TEST_ptr_null(find("X9.42 DH", 5));
}

static int alias(void)
{
    int i, flags, id;
    const char *pem;

    /* RSA and DSA have aliases, which have other ids. */
    if (!is(find("RSA", -1), EVP_PKEY_RSA) || !is(find("DSA", -1), EVP_PKEY_DSA))
        return 0;
    for (i = 0; i < EVP_PKEY_asn1_get_count(); i++) {
        EVP_PKEY_asn1_get0_info(&id, NULL, &flags, NULL, &pem, EVP_PKEY_asn1_get0(i));
        if ((flags & ASN1_PKEY_ALIAS) == 0 && !is(find(pem, -1), id))
            return 0;
    }
    return 1;
}

static int unknown(void)
{
    return TEST_ptr_null(find("", -1)) && TEST_ptr_null(find("RSA", 0))
        && TEST_ptr_null(find("unknown", -1))
        && TEST_ptr_null(find("PRIVATE KEY", -1)) && TEST_ptr_null(find("rsaEncryption", -1));
}

static int of_application(void)
{
    static EVP_PKEY_ASN1_METHOD *method;
    int id = OBJ_create("1.2.3.4.5.61", "obtest", "a type for tests");

    if (method == NULL) {
        method = EVP_PKEY_asn1_new(id, 0, "OB TEST", "a type for tests");
        if (!TEST_ptr(method) || !TEST_ptr_null(find("OB TEST", -1))
            || !TEST_int_eq(EVP_PKEY_asn1_add0(method), 1))
            return 0;
    }
    return TEST_ptr_eq(find("OB TEST", -1), method)
        && TEST_ptr_eq(find("ob test PRIVATE KEY", 7), method)
        && by_string() && TEST_ptr_null(find("OB", -1));
}

static int alias_of_application(void)
{
    return TEST_int_eq(EVP_PKEY_asn1_add_alias(EVP_PKEY_RSA,
                                               OBJ_create("1.2.3.4.5.62", "obalias", "an alias")),
                                                   1)
        && by_string() && whole() && unknown() && TEST_ptr_null(find("obalias", -1));
}

static int none_told(void)
{
    ENGINE *engine = (ENGINE *)"something";
    int ok = is(EVP_PKEY_asn1_find_str(&engine, "RSA", -1), EVP_PKEY_RSA) && TEST_ptr_null(engine);

    engine = (ENGINE *)"something";
    ok = ok && is(EVP_PKEY_asn1_find_str(&engine, "EC PARAMETERS", 2), EVP_PKEY_EC)
        && TEST_ptr_null(engine);
    engine = (ENGINE *)"something";
    return ok && TEST_ptr_null(EVP_PKEY_asn1_find_str(&engine, "unknown", -1))
        && TEST_ptr_null(engine);
}

/* An engine with methods of its own: one for RSA, and one that no other has. */
static EVP_PKEY_ASN1_METHOD *engine_rsa, *engine_own;
static int own_id, inits, finishes, destroys, init_fails;

static int methods(ENGINE *engine, EVP_PKEY_ASN1_METHOD **method, const int **nids, int nid)
{
    static int ids[2];

    ids[0] = EVP_PKEY_RSA;
    ids[1] = own_id;
    if (method == NULL) {
        *nids = ids;
        return 2;
    }
    *method = nid == EVP_PKEY_RSA ? engine_rsa : nid == own_id ? engine_own : NULL;
    return *method != NULL;
}

static int on_init(ENGINE *engine)
{
    inits++;
    return !init_fails;
}

static int on_finish(ENGINE *engine)
{
    finishes++;
    return 1;
}

static int on_destroy(ENGINE *engine)
{
    destroys++;
    return 1;
}

static int with_engine(int (*test)(ENGINE *engine))
{
    ENGINE *engine = ENGINE_new();
    int ok;

    if (own_id == 0)
        own_id = OBJ_create("1.2.3.4.5.63", "obengine", "a type of an engine");
    engine_rsa = EVP_PKEY_asn1_new(EVP_PKEY_RSA, 0, "RSA", "of an engine");
    engine_own = EVP_PKEY_asn1_new(own_id, 0, "OB ENGINE", "of an engine");
    inits = finishes = destroys = init_fails = 0;
    ok = TEST_true(ENGINE_set_id(engine, "ob"))
        && TEST_true(ENGINE_set_name(engine, "an engine for tests"))
        && TEST_true(ENGINE_set_pkey_asn1_meths(engine, methods))
        && TEST_true(ENGINE_set_init_function(engine, on_init))
        && TEST_true(ENGINE_set_finish_function(engine, on_finish))
        && TEST_true(ENGINE_set_destroy_function(engine, on_destroy))
        && TEST_true(ENGINE_register_pkey_asn1_meths(engine)) && test(engine);
    ENGINE_unregister_pkey_asn1_meths(engine);
    ENGINE_free(engine);
    ERR_clear_error();
    return ok && TEST_int_eq(destroys, 1) && TEST_int_eq(finishes, init_fails ? 0 : inits);
}

static int gives(ENGINE *engine, const char *name, int length,
                 const EVP_PKEY_ASN1_METHOD *expected)
{
    ENGINE *found = NULL;
    int ok = TEST_ptr_eq(EVP_PKEY_asn1_find_str(&found, name, length), expected)
        && TEST_ptr_eq(found, engine);

    ENGINE_finish(found);
    return ok;
}

static int none_told_for_others(void)
{
    ENGINE *found = (ENGINE *)"something";

    return is(EVP_PKEY_asn1_find_str(&found, "EC", -1), EVP_PKEY_EC) && TEST_ptr_null(found);
}

static int of_engine_body(ENGINE *engine)
{
    return gives(engine, "OB ENGINE", -1, engine_own) && gives(engine, "RSA", -1, engine_rsa)
        && gives(engine, "OB ENGINE PRIVATE KEY", 9, engine_own)
        && gives(engine, "ob engine", -1, engine_own)
        /* What the engine doesn't have. */
        && none_told_for_others();
}

static int of_engine(void)
{
    return with_engine(of_engine_body);
}

static int not_looked_at_body(ENGINE *engine)
{
    return TEST_ptr_null(find("OB ENGINE", -1)) && is(find("RSA", -1), EVP_PKEY_RSA)
        && TEST_ptr_ne(find("RSA", -1), engine_rsa) && TEST_int_eq(inits, 0);
}

static int not_looked_at(void)
{
    return with_engine(not_looked_at_body);
}

static int given_back_body(ENGINE *engine)
{
    ENGINE *found = NULL, *again = NULL;

    if (!TEST_ptr_eq(EVP_PKEY_asn1_find_str(&found, "OB ENGINE", -1), engine_own)
        || !TEST_ptr_eq(found, engine)
            || !TEST_int_eq(inits, 1) || !TEST_int_eq(finishes, 0)
            || !TEST_ptr_eq(EVP_PKEY_asn1_find_str(&again, "RSA", -1), engine_rsa)
            || !TEST_ptr_eq(again, engine))
        return 0;
    ENGINE_finish(found);
    if (!TEST_int_eq(finishes, 0))
        return 0;
    ENGINE_finish(again);
    return TEST_int_eq(finishes, 1) && TEST_int_eq(destroys, 0);
}

static int given_back(void)
{
    return with_engine(given_back_body);
}

static int unusable_body(ENGINE *engine)
{
    ENGINE *found = NULL;

    init_fails = 1;
    return TEST_ptr_null(EVP_PKEY_asn1_find_str(&found, "OB ENGINE", -1));
}

static int unusable(void)
{
    return with_engine(unusable_body);
}

int setup_tests(void)
{
    add_test("methods are found by their PEM string", by_string);
    add_test("upper and lower case are the same", either_case);
    add_test("a length of -1 takes the whole string", whole);
    add_test("a length takes the beginning of the string", beginning);
    add_test("the whole PEM string counts", whole_string);
    add_test("an alias is not found", alias);
    add_test("unknown strings are not found", unknown);
    add_test("without an engine that has it none is told", none_told);
    add_test("methods of the application are found", of_application);
    add_test("a method of an engine is found with its engine", of_engine);
    add_test("engines are not looked at when none is asked for", not_looked_at);
    add_test("the engine can be used and is given back by ENGINE_finish", given_back);
    add_test("an engine that cannot be used has no method", unusable);
    add_test("an alias of the application does no harm", alias_of_application);
    return 1;
}
