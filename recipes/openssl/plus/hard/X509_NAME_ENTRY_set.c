/*---
 * tasks: [UTF8_putc-5e7f82.16]
 * tests:
 *   it is the index of the RDN: 'crypto/x509.h: set, "index of RDNSequence for this entry".'
 *   values of one RDN have the same: 'x509_vfy.c: check of proxy certificates; a_strex.c: do_name_ex.'
 *   an entry that is inserted moves those behind: 'Man X509_NAME_add_entry_by_txt: set and loc; the index.'
 *   a name that was decoded has them too, from 0:
 *     'x509_vfy.c asks it for names of certificates; a_strex.c: -1 is none.'
 *   the entry stays as it was: 'Signature: const X509_NAME_ENTRY *ne.'
 ---*/
#include <string.h>
#include "crypto/x509.h"
#include "../testutil.h"
#include "x509_names.h"

/* Have the entries these indexes, as many as the digits tell? */
static int has(const X509_NAME *name, const char *indexes)
{
    int i;

    if (!TEST_ptr(name) || !TEST_int_eq(X509_NAME_entry_count(name), strlen(indexes)))
        return 0;
    for (i = 0; indexes[i] != '\0'; i++)
        if (!TEST_int_eq(X509_NAME_ENTRY_set(X509_NAME_get_entry(name, i)), indexes[i] - '0'))
            return 0;
    return 1;
}

static int index_of_rdn(void)
{
    X509_NAME *name = plus_name("C=DE", "O=Org", "OU=Unit", "CN=Me", NULL);
    X509_NAME_ENTRY *entry = X509_NAME_ENTRY_new();
    int ok = has(name, "0123") && TEST_ptr(entry);

    if (ok) {
        entry->set = 1000000;
        ok = TEST_int_eq(X509_NAME_ENTRY_set(entry), 1000000);
        entry->set = 256;
        ok = ok && TEST_int_eq(X509_NAME_ENTRY_set(entry), 256);
    }
    X509_NAME_ENTRY_free(entry);
    X509_NAME_free(name);
    return ok;
}

static int same(void)
{
    X509_NAME *name = plus_name("C=DE", "O=Org", "+OU=Unit", "+L=Here", "CN=Me", "+CN=I", NULL);
    int ok = has(name, "011122");

    X509_NAME_free(name);
    return ok;
}

static int inserted(void)
{
    X509_NAME *name = plus_name("C=DE", "O=Org", "CN=Me", NULL);
    int ok = TEST_true(X509_NAME_add_entry_by_txt(name, "OU", MBSTRING_ASC,
                                                  (unsigned char *)"Unit", -1, 1, 0))
        && has(name, "0123");

    X509_NAME_free(name);
    return ok;
}

static int decoded(void)
{
    X509_NAME *name = plus_name("C=DE", "O=Org", "+OU=Unit", "CN=Me", NULL), *copy;
    int ok;

    copy = X509_NAME_dup(name);
    ok = has(copy, "0112");
    X509_NAME_free(name);
    X509_NAME_free(copy);
    return ok;
}

static int first(void)
{
    X509_NAME *name = plus_name("CN=Me", NULL);
    int ok = has(name, "0");

    X509_NAME_free(name);
    return ok;
}

static int stays(void)
{
    X509_NAME *name = plus_name("C=DE", "O=Org", "+OU=Unit", NULL);
    int ok = has(name, "011") && has(name, "011")
        && TEST_int_eq(X509_NAME_get_entry(name, 1)->set, 1)
        && TEST_ptr(X509_NAME_ENTRY_get_object(X509_NAME_get_entry(name, 1)));

    X509_NAME_free(name);
    return ok;
}

static int decoded_and_first(void)
{
    return decoded() && first();
}

int setup_tests(void)
{
    add_test("it is the index of the RDN", index_of_rdn);
    add_test("values of one RDN have the same", same);
    add_test("an entry that is inserted moves those behind", inserted);
    add_test("a name that was decoded has them too, from 0", decoded_and_first);
    add_test("the entry stays as it was", stays);
    return 1;
}
