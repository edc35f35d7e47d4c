/*---
 * tasks: [PKCS7_verify-9ff9fa.4]
 * tests:
 *   a certificate is found wherever it stands: 'Comment: "Search a stack of X509 for a match".'
 *   both the issuer and the number have to match: 'Name; pk7_smime.c: PKCS7_get0_signers looks for the signer.'
 *   the first of several is found: 'Comment: "Search a stack of X509 for a match"; sibling X509_find_by_subject.'
 *   numbers beyond a long are told apart: 'Signature: const ASN1_INTEGER *.'
 *   a number below zero is another: 'ASN1_INTEGER holds a sign; X509_issuer_and_serial_cmp.'
 *   the name matches by the rules for names: 'X509_issuer_and_serial_cmp, X509_NAME_cmp(3).'
 *   nothing is found in no list: 'pk7_doit.c: PKCS7_dataVerify passes what may be NULL.'
 *   nothing is found in an empty list: 'Callers test for NULL.'
 *   a certificate is looked for by its issuer, not its subject: 'Name.'
 *   the list, its order and its certificates stay: 'Callers go on with the list; what is found is theirs.'
 ---*/
#include "../testutil.h"
#include "memory_count.h"
#include "pb_issued.h"

/* Root 5, Root 6, CA 5, CA 7, Root 6 again, and two large ones of CA. */
static X509 *certs[8];
static STACK_OF(X509) *list;

static int make(void)
{
    static const char *const numbers[] = {
        "5", "6", "5", "7", "6", "1234567890123456789012345", "1234567890123456789012346", "-9"
    };
    int i;

    list = sk_X509_new_null();
    for (i = 0; i < 8; i++) {
        certs[i] = plus_issued(i < 2 || i == 4 ? "CN=Root" : "CN=CA", numbers[i]);
        sk_X509_push(list, certs[i]);
    }
    return 1;
}

static X509 *find_in(STACK_OF(X509) *in, const char *issuer, const char *number)
{
    X509_NAME *name = plus_name(issuer, NULL);
    ASN1_INTEGER *serial = plus_serial(number);
    X509 *found = X509_find_by_issuer_and_serial(in, name, serial);

    X509_NAME_free(name);
    ASN1_INTEGER_free(serial);
    return found;
}

static int finds(const char *issuer, const char *number, X509 *expected)
{
    return TEST_ptr_eq(find_in(list, issuer, number), expected);
}

static int wherever(void)
{
    return finds("CN=Root", "5", certs[0]) && finds("CN=Root", "6", certs[1])
        && finds("CN=CA", "5", certs[2]) && finds("CN=CA", "7", certs[3])
        && finds("CN=CA", "-9", certs[7]);
}

static int both(void)
{
    return finds("CN=Root", "7", NULL) && finds("CN=CA", "6", NULL) && finds("CN=Root", "8", NULL)
        && finds("CN=Nobody", "5", NULL) && finds("O=Root", "5", NULL);
}

static int first(void)
{
    return finds("CN=Root", "6", certs[1]) && finds("CN=Root", "6", certs[1]);
}

static int large(void)
{
    return finds("CN=CA", "1234567890123456789012345", certs[5])
        && finds("CN=CA", "1234567890123456789012346", certs[6])
        && finds("CN=CA", "1234567890123456789012347", NULL)
        && finds("CN=CA", "4294967303", NULL) && finds("CN=CA", "18446744073709551623", NULL);
}

static int sign(void)
{
    return finds("CN=CA", "-9", certs[7]) && finds("CN=CA", "9", NULL)
        && finds("CN=CA", "-7", NULL) && finds("CN=Root", "-5", NULL);
}

static int name_rules(void)
{
    return finds("CN= root ", "5", certs[0]) && finds("CN=ca", "7", certs[3])
        && finds("CN=R oot", "5", NULL);
}

static int no_list(void)
{
    return TEST_ptr_null(find_in(NULL, "CN=Root", "5"));
}

static int empty_list(void)
{
    STACK_OF(X509) *empty = sk_X509_new_null();
    int ok = TEST_ptr_null(find_in(empty, "CN=Root", "5"));

    sk_X509_push(empty, certs[0]);
    ok = ok && TEST_ptr_eq(find_in(empty, "CN=Root", "5"), certs[0])
        && TEST_ptr_null(find_in(empty, "CN=Root", "6"));
    sk_X509_free(empty);
    return ok;
}

static int not_subject(void)
{
    X509_NAME *name = plus_name("CN=Subject", NULL);
    int ok;

    X509_set_subject_name(certs[0], name);
    ok = finds("CN=Subject", "5", NULL) && finds("CN=Root", "5", certs[0]);
    X509_NAME_free(name);
    return ok;
}

static int stays(void)
{
    long before;
    int i;

    if (!wherever())
        return 0;
    before = memory_blocks;
    if (!wherever() || !both() || !large() || !TEST_int_eq(sk_X509_num(list), 8))
        return 0;
    for (i = 0; i < 8; i++)
        if (!TEST_ptr_eq(sk_X509_value(list, i), certs[i]))
            return 0;
    return TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

/* The last: frees all, which shows what was freed before or is still in use. */
static int all_freed(void)
{
    int ok = stays();

    sk_X509_pop_free(list, X509_free);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    make();
    add_test("a certificate is found wherever it stands", wherever);
    add_test("both the issuer and the number have to match", both);
    add_test("the first of several is found", first);
    add_test("numbers beyond a long are told apart", large);
    add_test("a number below zero is another", sign);
    add_test("the name matches by the rules for names", name_rules);
    add_test("nothing is found in no list", no_list);
    add_test("nothing is found in an empty list", empty_list);
    add_test("a certificate is looked for by its issuer, not its subject", not_subject);
    add_test("the list, its order and its certificates stay", all_freed);
    return 1;
}
