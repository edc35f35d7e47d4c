/*---
 * tasks: [7910A7A9D34B934F]
 * tests:
 *   an id is added: 'Docstring: "Add an id given the zone as an ASCII number".'
 *   a structure is made where there is none:
 *     'v3_sxnet.c: SXNET_add_id_INTEGER makes one for *psx NULL; sxnet_v2i begins so.'
 *   further ids go to the same structure: 'v3_sxnet.c: sxnet_v2i adds one for each value.'
 *   a zone can be larger than a long:
 *     'v3_sxnet.c: SXNET_add_id_ulong is there for those that fit; a zone is an ASN1_INTEGER.'
 *   a length of -1 takes the whole user: 'v3_sxnet.c: SXNET_add_id_INTEGER, userlen == -1.'
 *   a user has the length that was given: 'v3_sxnet.c: userlen of SXNET_add_id_INTEGER; a user is an octet string.'
 *   a user of 64 bytes is the longest: 'v3_sxnet.c: SXNET_add_id_INTEGER, X509V3_R_USER_TOO_LONG.'
 *   a zone that is there already is refused: 'v3_sxnet.c: SXNET_add_id_INTEGER, X509V3_R_DUPLICATE_ZONE_ID.'
 *   a zone that is no number is refused:
 *     'x509v3err.h: X509V3_R_ERROR_CONVERTING_ZONE, "error converting zone"; SXNET_get_id_asc.'
 *   the reason for a zone that is no number can be read:
 *     'x509v3err.h: X509V3_R_ERROR_CONVERTING_ZONE; v3_sxnet.c: SXNET_get_id_asc raises it for the same.'
 *   missing arguments are refused: 'v3_sxnet.c: SXNET_add_id_INTEGER, X509V3_R_INVALID_NULL_ARGUMENT.'
 *   a call that fails changes nothing: 'v3_sxnet.c: sxnet_v2i frees what there is and gives up.'
 *   nothing is leaked or freed twice:
 *     'v3_sxnet.c: SXNET_add_id_INTEGER "uses the passed integer", so it is the id''s on success and the caller''s
 *     on failure.'
 ---*/
#include "../../crypto/x509/v3_sxnet.c"
#include <openssl/err.h>
#include "../testutil.h"
#include "memory_count.h"

#define SIXTY_FOUR "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

/* Is the user of this zone the given one? */
static int has(SXNET *sx, const char *zone, const char *user, size_t length)
{
    ASN1_OCTET_STRING *found = SXNET_get_id_asc(sx, zone);

    return TEST_ptr(found)
        && TEST_mem_eq(ASN1_STRING_get0_data(found), ASN1_STRING_length(found), user, length);
}

static int adds(SXNET **sx, const char *zone, const char *user, int length)
{
    return TEST_int_eq(SXNET_add_id_asc(sx, zone, user, length), 1);
}

static int refuses(SXNET **sx, const char *zone, const char *user, int length)
{
    int ok = TEST_int_eq(SXNET_add_id_asc(sx, zone, user, length), 0);

    ERR_clear_error();
    return ok;
}

/* One structure for each test, freed after it. */
static int with(int (*test)(SXNET **))
{
    SXNET *sx = NULL;
    int ok = test(&sx);

    SXNET_free(sx);
    return ok && TEST_long_eq(memory_bad_frees, 0);
}

static int add(SXNET **sx)
{
    return adds(sx, "12", "someone", -1) && has(*sx, "12", "someone", 7);
}

static int make(SXNET **sx)
{
    return adds(sx, "0", "x", -1) && TEST_ptr(*sx) && TEST_int_eq(sk_SXNETID_num((*sx)->ids), 1)
        && TEST_long_eq(ASN1_INTEGER_get((*sx)->version), 0);
}

static int further(SXNET **sx)
{
    SXNET *first;

    return adds(sx, "1", "one", -1) && TEST_ptr(first = *sx)
        && adds(sx, "2", "two", -1) && adds(sx, "3", "one", -1)
        && TEST_ptr_eq(*sx, first) && TEST_int_eq(sk_SXNETID_num(first->ids), 3)
        && has(first, "1", "one", 3) && has(first, "2", "two", 3) && has(first, "3", "one", 3);
}

static int large(SXNET **sx)
{
    return adds(sx, "123456789012345678901234567890", "far", -1)
        && has(*sx, "123456789012345678901234567890", "far", 3)
        && TEST_ptr_null(SXNET_get_id_asc(*sx, "123456789012345678901234567891"));
}

static int whole(SXNET **sx)
{
    return adds(sx, "5", "a longer name of someone", -1) && has(*sx, "5", "a longer name of someone", 24);
}

static int given_length(SXNET **sx)
{
    return adds(sx, "5", "someone", 4) && has(*sx, "5", "some", 4)
        && adds(sx, "6", "a\0b", 3) && has(*sx, "6", "a\0b", 3);
}

static int longest(SXNET **sx)
{
    return adds(sx, "5", SIXTY_FOUR, -1) && has(*sx, "5", SIXTY_FOUR, 64)
        && refuses(sx, "6", SIXTY_FOUR "x", -1)
        && refuses(sx, "7", SIXTY_FOUR "x", 65)
        && adds(sx, "8", SIXTY_FOUR "x", 64);
}

static int duplicate(SXNET **sx)
{
    return adds(sx, "5", "someone", -1) && refuses(sx, "5", "another", -1) && refuses(sx, "05", "another", -1)
        && has(*sx, "5", "someone", 7);
}

static int no_number(SXNET **sx)
{
    return refuses(sx, "zone", "someone", -1) && refuses(sx, "12x", "someone", -1) && refuses(sx, "", "someone", -1)
        && TEST_ptr_null(*sx);
}

static int reason(SXNET **sx)
{
    unsigned long error;
    int found = 0;

    ERR_clear_error();
    if (!TEST_int_eq(SXNET_add_id_asc(sx, "zone", "someone", -1), 0))
        return 0;
    while ((error = ERR_get_error()) != 0)
        found |= ERR_GET_LIB(error) == ERR_LIB_X509V3 && ERR_GET_REASON(error) == X509V3_R_ERROR_CONVERTING_ZONE;
    return TEST_true(found);
}

static int missing(SXNET **sx)
{
    return refuses(sx, "5", NULL, -1) && refuses(NULL, "5", "someone", -1) && TEST_ptr_null(*sx);
}

static int no_change(SXNET **sx)
{
    return adds(sx, "5", "someone", -1)
        && refuses(sx, "5", "another", -1) && refuses(sx, "zone", "another", -1)
        && refuses(sx, "6", SIXTY_FOUR "x", -1) && refuses(sx, "7", NULL, -1)
        && TEST_int_eq(sk_SXNETID_num((*sx)->ids), 1)
        && has(*sx, "5", "someone", 7)
        && TEST_ptr_null(SXNET_get_id_asc(*sx, "6"));
}

static int id_is_added(void)
{
    return with(add);
}

static int structure_is_made(void)
{
    return with(make);
}

static int further_ids(void)
{
    return with(further);
}

static int large_zone(void)
{
    return with(large);
}

static int whole_user(void)
{
    return with(whole);
}

static int user_length(void)
{
    return with(given_length);
}

static int longest_user(void)
{
    return with(longest);
}

static int duplicate_zone(void)
{
    return with(duplicate);
}

static int zone_no_number(void)
{
    return with(no_number);
}

static int reason_can_be_read(void)
{
    return with(reason);
}

static int missing_arguments(void)
{
    return with(missing);
}

static int failure_changes_nothing(void)
{
    return with(no_change);
}

static int no_leak(void)
{
    long before;

    if (!with(no_change) || !with(no_number))
        return 0;
    before = memory_blocks;
    return with(add) && with(further) && with(no_change) && with(no_number) && with(missing) && with(longest)
        && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

int setup_tests(void)
{
    add_test("an id is added", id_is_added);
    add_test("a structure is made where there is none", structure_is_made);
    add_test("further ids go to the same structure", further_ids);
    add_test("a zone can be larger than a long", large_zone);
    add_test("a length of -1 takes the whole user", whole_user);
    add_test("a user has the length that was given", user_length);
    add_test("a user of 64 bytes is the longest", longest_user);
    add_test("a zone that is there already is refused", duplicate_zone);
    add_test("a zone that is no number is refused", zone_no_number);
    add_test("the reason for a zone that is no number can be read", reason_can_be_read);
    add_test("missing arguments are refused", missing_arguments);
    add_test("a call that fails changes nothing", failure_changes_nothing);
    add_test("nothing is leaked or freed twice", no_leak);
    return 1;
}
