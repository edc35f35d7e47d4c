/*---
 * tasks: [OSSL_CRMF_pbmp_new-78f092.8]
 * tests:
 *   a directory name without entries is the NULL-DN: 'Docstring: "a NULL-DN as an empty sequence
 *     of RDNs".'
 *   a directory name with entries is none: 'ossl_cmp_hdr_init(3): "returns 1 given a NULL-DN, else
 *     0".'
 *   other kinds of names are none: 'Docstring: a DN; ossl_cmp_hdr_init(3): "else 0".'
 *   a name whose entries were taken away is one: 'Docstring: "an empty sequence of RDNs".'
 *   a sender that was set to NULL is one: 'cmp_hdr.c: set1_general_name, "NULL to indicate an
 *     empty DN".'
 *   no name at all is one: 'Caller ossl_cmp_msg_protect: msg->header->sender "if the sender name
 *     is not known".'
 *   the name stays: 'Docstring: it determines.'
 ---*/
#include "../../crypto/cmp/cmp_local.h"
#include "testutil.h"

static GENERAL_NAME *directory(const char *cn)
{
    GENERAL_NAME *name = GENERAL_NAME_new();
    X509_NAME *dn = X509_NAME_new();

    if (cn != NULL)
        X509_NAME_add_entry_by_txt(dn, "CN", MBSTRING_ASC, (const unsigned char *)cn, -1, -1, 0);
    GENERAL_NAME_set0_value(name, GEN_DIRNAME, dn);
    return name;
}

static GENERAL_NAME *text(int type, const char *value)
{
    GENERAL_NAME *name = GENERAL_NAME_new();
    ASN1_IA5STRING *string = ASN1_IA5STRING_new();

    ASN1_STRING_set(string, value, -1);
    GENERAL_NAME_set0_value(name, type, string);
    return name;
}

static int is(GENERAL_NAME *name, int expected)
{
    int ok = TEST_int_eq(ossl_cmp_general_name_is_NULL_DN(name), expected);

    GENERAL_NAME_free(name);
    return ok;
}

static int empty(void)
{
    return is(directory(NULL), 1);
}

static int entries(void)
{
    GENERAL_NAME *two = directory("a");

    X509_NAME_add_entry_by_txt(two->d.directoryName, "O", MBSTRING_ASC, (const unsigned char *)"b",
                               -1, -1, 0);
    return is(directory("someone"), 0) && is(two, 0);
}

static int others(void)
{
    GENERAL_NAME *rid = GENERAL_NAME_new(), *ip = GENERAL_NAME_new();
    ASN1_OCTET_STRING *address = ASN1_OCTET_STRING_new();

    GENERAL_NAME_set0_value(rid, GEN_RID, OBJ_nid2obj(NID_commonName));
    ASN1_OCTET_STRING_set(address, (const unsigned char *)"\x7f\0\0\1", 4);
    GENERAL_NAME_set0_value(ip, GEN_IPADD, address);
    return is(text(GEN_DNS, "host.example"), 0) && is(text(GEN_EMAIL, "a@b.example"), 0)
        && is(text(GEN_URI, "http://host.example/"), 0) && is(text(GEN_DNS, ""), 0) && is(rid, 0)
        && is(ip, 0);
}

static int taken_away(void)
{
    GENERAL_NAME *name = directory("someone");

    if (!TEST_int_eq(ossl_cmp_general_name_is_NULL_DN(name), 0))
        return 0;
    X509_NAME_ENTRY_free(X509_NAME_delete_entry(name->d.directoryName, 0));
    return is(name, 1);
}

static int sender(void)
{
    OSSL_CMP_PKIHEADER *header = OSSL_CMP_PKIHEADER_new();
    GENERAL_NAME *someone = directory("someone");
    int ok = TEST_true(ossl_cmp_hdr_set1_sender(header, NULL))
        && TEST_int_eq(ossl_cmp_general_name_is_NULL_DN(header->sender), 1)
        && TEST_true(ossl_cmp_hdr_set1_sender(header, someone->d.directoryName))
        && TEST_int_eq(ossl_cmp_general_name_is_NULL_DN(header->sender), 0);

    OSSL_CMP_PKIHEADER_free(header);
    GENERAL_NAME_free(someone);
    return ok;
}

static int none(void)
{
    return TEST_int_eq(ossl_cmp_general_name_is_NULL_DN(NULL), 1);
}

static int stays(void)
{
    GENERAL_NAME *name = directory("someone"), *same = directory("someone"),
        *null = directory(NULL);
    int ok = TEST_int_eq(ossl_cmp_general_name_is_NULL_DN(name), 0)
        && TEST_int_eq(ossl_cmp_general_name_is_NULL_DN(null), 1)
        && TEST_int_eq(GENERAL_NAME_cmp(name, same), 0)
        && TEST_int_eq(null->type, GEN_DIRNAME)
        && TEST_int_eq(X509_NAME_entry_count(null->d.directoryName), 0)
        && TEST_int_eq(ossl_cmp_general_name_is_NULL_DN(name), 0)
        && TEST_int_eq(ossl_cmp_general_name_is_NULL_DN(null), 1);

    GENERAL_NAME_free(name);
    GENERAL_NAME_free(same);
    GENERAL_NAME_free(null);
    return ok;
}

int setup_tests(void)
{
    add_test("a directory name without entries is the NULL-DN", empty);
    add_test("a directory name with entries is none", entries);
    add_test("a name whose entries were taken away is one", taken_away);
    add_test("a sender that was set to NULL is one", sender);
    add_test("the name stays", stays);
    add_test("other kinds of names are none", others);
    add_test("no name at all is one", none);
    return 1;
}
