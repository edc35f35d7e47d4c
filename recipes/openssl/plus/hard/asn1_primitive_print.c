/*---
 * tasks: [UTF8_putc-5e7f82.16]
 * tests:
 *   a boolean is TRUE or FALSE, or its default:
 *     'Sibling asn1_print_boolean; tasn_typ.c: it->size of ASN1_TBOOLEAN and so on.'
 *   a number is printed: 'Sibling asn1_print_integer; asn1.h: V_ASN1_INTEGER.'
 *   a time is printed: 'ASN1_UTCTIME_print, ASN1_GENERALIZEDTIME_print; man ASN1_TIME_set: ASN1_TIME_print.'
 *   an object is printed: 'Sibling asn1_print_oid: long name and number.'
 *   octets and bits are dumped in lines of their own: 'Sibling asn1_print_obstring.'
 *   a null is printed: 'asn1.h: V_ASN1_NULL; ASN1_item_print of each type.'
 *   a string is printed by the flags for strings: 'ASN1_PCTX_set_str_flags; man ASN1_STRING_print_ex.'
 *   one of several string types is printed by its own: 'asn1t.h: ASN1_ITYPE_MSTRING; V_ASN1_NEG is no type.'
 *   any type is told with its value, or not on demand:
 *     'asn1.h: V_ASN1_ANY; ASN1_PCTX_FLAGS_NO_ANY_TYPE, "Don''t show ASN1 type of ANY".'
 *   a structure in any type is parsed: 'ASN1_parse_dump; a V_ASN1_SEQUENCE has a string for its value.'
 *   the type is told on demand: 'asn1.h: ASN1_PCTX_FLAGS_SHOW_TYPE, "Show the ASN1 type of primitives".'
 *   names and indent come first: 'Sibling asn1_print_fsname.'
 *   an item can print itself: 'asn1t.h: prim_print of ASN1_PRIMITIVE_FUNCS; its result counts.'
 *   a BIO that fails gives 0: 'Caller asn1_item_print_ctx: "if (!asn1_primitive_print(...)) return 0".'
 *   nothing is leaked, and the value stays: 'Signature: const ASN1_VALUE **fld.'
 ---*/
#include "../../crypto/asn1/tasn_prn.c"
#include "../testutil.h"
#include "memory_count.h"
#include "keeping_bio.h"

static ASN1_PCTX *context(unsigned long flags)
{
    ASN1_PCTX *pctx = ASN1_PCTX_new();

    ASN1_PCTX_set_flags(pctx, flags);
    return pctx;
}

/* Does the value, which is freed but for a boolean, give this text? */
static int prints(const void *value, const ASN1_ITEM *it, int indent, unsigned long flags,
                  unsigned long str_flags, const char *text)
{
    const ASN1_VALUE *field = value;
    ASN1_PCTX *pctx = context(flags);
    BIO *out = bio_new();
    int ok;

    ASN1_PCTX_set_str_flags(pctx, str_flags);
    ok = TEST_ptr(value)
        && TEST_true(asn1_primitive_print(out, &field, it, indent, NULL, NULL, pctx))
        && TEST_str_eq(bio_text, text) && TEST_ptr_eq(field, value);
    ASN1_item_free((ASN1_VALUE *)value, it);
    BIO_free(out);
    ASN1_PCTX_free(pctx);
    return ok;
}

static int prints_boolean(int value, const ASN1_ITEM *it, unsigned long flags, const char *text)
{
    union {
        int value;
        const ASN1_VALUE *field;
    } place;
    ASN1_PCTX *pctx = context(flags);
    BIO *out = bio_new();
    int ok;

    memset(&place, 0, sizeof(place));
    place.value = value;
    ok = TEST_true(asn1_primitive_print(out, &place.field, it, 0, NULL, NULL, pctx))
        && TEST_str_eq(bio_text, text) && TEST_int_eq(place.value, value);
    BIO_free(out);
    ASN1_PCTX_free(pctx);
    return ok;
}

static ASN1_STRING *string(int type, const char *bytes, int size)
{
    ASN1_STRING *str = ASN1_STRING_type_new(type);

    ASN1_STRING_set(str, bytes, size);
    return str;
}

static ASN1_INTEGER *number(long value)
{
    ASN1_INTEGER *integer = ASN1_INTEGER_new();

    ASN1_INTEGER_set(integer, value);
    return integer;
}

static ASN1_TYPE *any(int type, void *value)
{
    ASN1_TYPE *result = ASN1_TYPE_new();

    ASN1_TYPE_set(result, type, value);
    return result;
}

static int boolean(void)
{
    return prints_boolean(0xff, ASN1_ITEM_rptr(ASN1_BOOLEAN), 0, "TRUE\n")
        && prints_boolean(1, ASN1_ITEM_rptr(ASN1_BOOLEAN), 0, "TRUE\n")
        && prints_boolean(0, ASN1_ITEM_rptr(ASN1_BOOLEAN), 0, "FALSE\n")
        && prints_boolean(0, ASN1_ITEM_rptr(ASN1_TBOOLEAN), 0, "FALSE\n")
        && prints_boolean(0xff, ASN1_ITEM_rptr(ASN1_FBOOLEAN), 0, "TRUE\n");
}

static int absent(void)
{
    return prints_boolean(-1, ASN1_ITEM_rptr(ASN1_TBOOLEAN), 0, "TRUE\n")
        && prints_boolean(-1, ASN1_ITEM_rptr(ASN1_FBOOLEAN), 0, "FALSE\n")
        && prints_boolean(-1, ASN1_ITEM_rptr(ASN1_BOOLEAN), 0, "BOOL ABSENT\n");
}

static int a_number(void)
{
    return prints(number(5), ASN1_ITEM_rptr(ASN1_INTEGER), 0, 0, 0, "5\n")
        && prints(number(0), ASN1_ITEM_rptr(ASN1_INTEGER), 0, 0, 0, "0\n")
        && prints(number(-300), ASN1_ITEM_rptr(ASN1_INTEGER), 0, 0, 0, "-300\n");
}

static int a_time(void)
{
    return prints(string(V_ASN1_UTCTIME, "200102030405Z", 13), ASN1_ITEM_rptr(ASN1_UTCTIME), 0, 0,
                  0, "Jan  2 03:04:05 2020 GMT\n")
        && prints(string(V_ASN1_GENERALIZEDTIME, "20520102030405Z", 15),
                  ASN1_ITEM_rptr(ASN1_GENERALIZEDTIME), 0, 0, 0, "Jan  2 03:04:05 2052 GMT\n");
}

static int an_object(void)
{
    return prints(OBJ_nid2obj(NID_commonName), ASN1_ITEM_rptr(ASN1_OBJECT), 0, 0, 0,
                  "commonName (2.5.4.3)\n")
        && prints(OBJ_nid2obj(NID_sha256WithRSAEncryption), ASN1_ITEM_rptr(ASN1_OBJECT), 0, 0, 0,
                  "sha256WithRSAEncryption (1.2.840.113549.1.1.11)\n");
}

static int octets(void)
{
    return prints(string(V_ASN1_OCTET_STRING, "ab\x01", 3), ASN1_ITEM_rptr(ASN1_OCTET_STRING), 0,
                  0, 0, "\n  0000 - 61 62 01                                          ab.\n")
        && prints(string(V_ASN1_OCTET_STRING, "ab", 2), ASN1_ITEM_rptr(ASN1_OCTET_STRING), 2, 0,
                  0, "  \n    0000 - 61 62                                             ab\n")
        && prints(string(V_ASN1_OCTET_STRING, "", 0), ASN1_ITEM_rptr(ASN1_OCTET_STRING), 0, 0, 0,
                  "\n");
}

static int bits(void)
{
    ASN1_BIT_STRING *str = string(V_ASN1_BIT_STRING, "\xa0", 1);

    str->flags |= ASN1_STRING_FLAG_BITS_LEFT | 5;
    return prints(str, ASN1_ITEM_rptr(ASN1_BIT_STRING), 0, 0, 0,
                  " (5 unused bits)\n"
                  "  0000 - a0                                                .\n");
}

static int null(void)
{
    return prints((void *)1, ASN1_ITEM_rptr(ASN1_NULL), 0, 0, 0, "NULL\n");
}

static int a_string(void)
{
    return prints(string(V_ASN1_UTF8STRING, "\xe2\x82\xac,", 4), ASN1_ITEM_rptr(ASN1_UTF8STRING),
                  0, 0, 0, "\\U20AC,\n")
        && prints(string(V_ASN1_UTF8STRING, "\xe2\x82\xac,", 4), ASN1_ITEM_rptr(ASN1_UTF8STRING),
                  0, 0, ASN1_STRFLGS_UTF8_CONVERT | ASN1_STRFLGS_ESC_2253, "\xe2\x82\xac\\,\n")
        && prints(string(V_ASN1_PRINTABLESTRING, "ab", 2), ASN1_ITEM_rptr(ASN1_PRINTABLESTRING),
                  0, 0, ASN1_STRFLGS_DUMP_ALL, "#6162\n")
        && prints(string(V_ASN1_BMPSTRING, "\0a\0b", 4), ASN1_ITEM_rptr(ASN1_BMPSTRING), 0, 0, 0,
                  "ab\n");
}

static int several(void)
{
    return prints(string(V_ASN1_BMPSTRING, "\0a\0b", 4), ASN1_ITEM_rptr(DIRECTORYSTRING), 0, 0, 0,
                  "ab\n")
        && prints(string(V_ASN1_UTCTIME, "200102030405Z", 13), ASN1_ITEM_rptr(ASN1_TIME), 0, 0, 0,
                  "Jan  2 03:04:05 2020 GMT\n")
        && prints(string(V_ASN1_GENERALIZEDTIME, "20520102030405Z", 15),
                  ASN1_ITEM_rptr(ASN1_TIME), 0, ASN1_PCTX_FLAGS_SHOW_TYPE, 0,
                  "GENERALIZEDTIME:Jan  2 03:04:05 2052 GMT\n")
        && prints(string(V_ASN1_UTF8STRING, "x", 1), ASN1_ITEM_rptr(DIRECTORYSTRING), 0,
                  ASN1_PCTX_FLAGS_SHOW_TYPE, 0, "UTF8STRING:x\n")
        && prints(number(-12), ASN1_ITEM_rptr(ASN1_PRINTABLE), 0, 0, 0, "-12\n");
}

static int told(void)
{
    return prints(any(V_ASN1_INTEGER, number(5)), ASN1_ITEM_rptr(ASN1_ANY), 0, 0, 0, "INTEGER:5\n")
        && prints(any(V_ASN1_INTEGER, number(-5)), ASN1_ITEM_rptr(ASN1_ANY), 0, 0, 0,
                  "INTEGER:-5\n")
        && prints(any(V_ASN1_UTF8STRING, string(V_ASN1_UTF8STRING, "ab", 2)),
                  ASN1_ITEM_rptr(ASN1_ANY), 0, 0, 0, "UTF8STRING:ab\n")
        && prints(any(V_ASN1_OBJECT, OBJ_nid2obj(NID_commonName)), ASN1_ITEM_rptr(ASN1_ANY), 0, 0,
                  0, "OBJECT:commonName (2.5.4.3)\n")
        && prints(any(V_ASN1_BOOLEAN, (void *)1), ASN1_ITEM_rptr(ASN1_ANY), 0, 0, 0,
                  "BOOLEAN:TRUE\n")
        && prints(any(V_ASN1_BOOLEAN, NULL), ASN1_ITEM_rptr(ASN1_ANY), 0, 0, 0, "BOOLEAN:FALSE\n")
        && prints(any(V_ASN1_OCTET_STRING, string(V_ASN1_OCTET_STRING, "a", 1)),
                  ASN1_ITEM_rptr(ASN1_ANY), 0, 0, 0, "OCTET STRING:\n"
                  "  0000 - 61                                                a\n");
}

static int not_told(void)
{
    unsigned long flags = ASN1_PCTX_FLAGS_NO_ANY_TYPE;

    return prints(any(V_ASN1_INTEGER, number(5)), ASN1_ITEM_rptr(ASN1_ANY), 0, flags, 0, "5\n")
        && prints(any(V_ASN1_IA5STRING, string(V_ASN1_IA5STRING, "ab", 2)),
                  ASN1_ITEM_rptr(ASN1_ANY), 0, flags, 0, "ab\n")
        && prints(any(V_ASN1_NULL, NULL), ASN1_ITEM_rptr(ASN1_ANY), 0, flags, 0, "NULL\n")
        && prints(number(5), ASN1_ITEM_rptr(ASN1_INTEGER), 0,
                  flags | ASN1_PCTX_FLAGS_SHOW_TYPE, 0, "INTEGER:5\n");
}

static int parsed(void)
{
    static const char sequence[] = "\x30\x03\x02\x01\x05", set[] = "\x31\x03\x01\x01\xff";

    return prints(any(V_ASN1_SEQUENCE, string(V_ASN1_SEQUENCE, sequence, 5)),
                  ASN1_ITEM_rptr(ASN1_ANY), 0, ASN1_PCTX_FLAGS_NO_ANY_TYPE, 0,
                  "\n    0:d=0  hl=2 l=   3 cons: SEQUENCE          \n"
                  "    2:d=1  hl=2 l=   1 prim: INTEGER           :05\n")
        && prints(any(V_ASN1_SET, string(V_ASN1_SET, set, 5)), ASN1_ITEM_rptr(ASN1_ANY), 0, 0, 0,
                  "SET:\n    0:d=0  hl=2 l=   3 cons: SET               \n"
                  "    2:d=1  hl=2 l=   1 prim: BOOLEAN           :255\n")
        && prints(any(V_ASN1_OTHER, string(V_ASN1_OTHER, "\xa1\x03\x02\x01\x05", 5)),
                  ASN1_ITEM_rptr(ASN1_ANY), 0, ASN1_PCTX_FLAGS_NO_ANY_TYPE, 0,
                  "\n    0:d=0  hl=2 l=   3 cons: cont [ 1 ]        \n"
                  "    2:d=1  hl=2 l=   1 prim: INTEGER           :05\n");
}

static int on_demand(void)
{
    unsigned long flags = ASN1_PCTX_FLAGS_SHOW_TYPE;

    return prints(number(5), ASN1_ITEM_rptr(ASN1_INTEGER), 1, flags, 0, " INTEGER:5\n")
        && prints(string(V_ASN1_IA5STRING, "ab", 2), ASN1_ITEM_rptr(ASN1_IA5STRING), 0, flags, 0,
                  "IA5STRING:ab\n")
        && prints_boolean(0, ASN1_ITEM_rptr(ASN1_BOOLEAN), flags, "BOOLEAN:FALSE\n")
        && prints(OBJ_nid2obj(NID_commonName), ASN1_ITEM_rptr(ASN1_OBJECT), 0, flags, 0,
                  "OBJECT:commonName (2.5.4.3)\n")
        && prints(any(V_ASN1_INTEGER, number(5)), ASN1_ITEM_rptr(ASN1_ANY), 0, flags, 0,
                  "INTEGER:5\n");
}

static int names_first(void)
{
    const ASN1_VALUE *field = (const ASN1_VALUE *)number(5);
    ASN1_PCTX *pctx = context(0);
    BIO *out = bio_new();
    int ok;

    ok = TEST_true(asn1_primitive_print(out, &field, ASN1_ITEM_rptr(ASN1_INTEGER), 2, "serial",
                                        "ASN1_INTEGER", pctx))
        && TEST_str_eq(bio_text, "  serial (ASN1_INTEGER): 5\n");
    bio_begin(-1);
    ok = ok && TEST_true(asn1_primitive_print(out, &field, ASN1_ITEM_rptr(ASN1_INTEGER), 0, NULL,
                                              "X", pctx))
        && TEST_str_eq(bio_text, "X: 5\n");
    bio_begin(-1);
    ASN1_PCTX_set_flags(pctx, ASN1_PCTX_FLAGS_NO_FIELD_NAME | ASN1_PCTX_FLAGS_SHOW_TYPE);
    ok = ok && TEST_true(asn1_primitive_print(out, &field, ASN1_ITEM_rptr(ASN1_INTEGER), 1, "f",
                                              NULL, pctx))
        && TEST_str_eq(bio_text, " INTEGER:5\n");
    ASN1_INTEGER_free((ASN1_INTEGER *)field);
    BIO_free(out);
    ASN1_PCTX_free(pctx);
    return ok;
}

/* What the item's own printer was given, and what it returns. */
static const ASN1_VALUE **own_field;
static const ASN1_ITEM *own_item;
static const ASN1_PCTX *own_context;
static int own_indent, own_result;

static int own_print(BIO *out, const ASN1_VALUE **field, const ASN1_ITEM *it, int indent,
                     const ASN1_PCTX *pctx)
{
    own_field = field;
    own_item = it;
    own_indent = indent;
    own_context = pctx;
    BIO_puts(out, "own");
    return own_result;
}

static int itself(void)
{
    static const ASN1_PRIMITIVE_FUNCS functions = { NULL, 0, NULL, NULL, NULL, NULL, NULL,
        own_print };
    static const ASN1_PRIMITIVE_FUNCS none = { NULL };
    ASN1_ITEM item = *ASN1_ITEM_rptr(ASN1_INTEGER);
    const ASN1_VALUE *field = (const ASN1_VALUE *)number(5);
    ASN1_PCTX *pctx = context(ASN1_PCTX_FLAGS_SHOW_TYPE);
    BIO *out = bio_new();
    int ok;

    item.funcs = &functions;
    own_result = 1;
    ok = TEST_int_eq(asn1_primitive_print(out, &field, &item, 3, "f", NULL, pctx), 1)
        && TEST_str_eq(bio_text, "   f: own") && TEST_ptr_eq(own_field, &field)
        && TEST_ptr_eq(own_item, &item) && TEST_int_eq(own_indent, 3)
        && TEST_ptr_eq(own_context, pctx);
    own_result = 0;
    ok = ok && TEST_int_eq(asn1_primitive_print(out, &field, &item, 0, NULL, NULL, pctx), 0);
    bio_begin(-1);
    item.funcs = &none;
    ok = ok && TEST_int_eq(asn1_primitive_print(out, &field, &item, 0, NULL, NULL, pctx), 1)
        && TEST_str_eq(bio_text, "INTEGER:5\n");
    ASN1_INTEGER_free((ASN1_INTEGER *)field);
    BIO_free(out);
    ASN1_PCTX_free(pctx);
    return ok;
}

/* Is it 0, whatever of the first `size` bytes is refused? */
static int refused(void *value, const ASN1_ITEM *it, int size)
{
    const ASN1_VALUE *field = value;
    ASN1_PCTX *pctx = context(ASN1_PCTX_FLAGS_SHOW_TYPE);
    BIO *out = bio_new();
    int at, ok = 1;

    for (at = 0; at < size && ok; at++) {
        bio_begin(at);
        ok = TEST_int_eq(asn1_primitive_print(out, &field, it, 1, "f", NULL, pctx), 0);
    }
    ASN1_item_free(value, it);
    BIO_free(out);
    ASN1_PCTX_free(pctx);
    return ok;
}

static int fails(void)
{
    return refused(number(123), ASN1_ITEM_rptr(ASN1_INTEGER), strlen(" f: INTEGER:123\n"))
        && refused(OBJ_nid2obj(NID_commonName), ASN1_ITEM_rptr(ASN1_OBJECT),
                   strlen(" f: OBJECT:commonName (2.5.4.3)\n"))
        && refused((void *)1, ASN1_ITEM_rptr(ASN1_NULL), strlen(" f: NULL\n"))
        && refused(any(V_ASN1_BOOLEAN, (void *)1), ASN1_ITEM_rptr(ASN1_ANY),
                   strlen(" f: BOOLEAN:TRUE\n"))
        && refused(string(V_ASN1_OCTET_STRING, "a", 1), ASN1_ITEM_rptr(ASN1_OCTET_STRING),
                   strlen(" f: OCTET STRING:\n"))
        && refused(string(V_ASN1_UTCTIME, "200102030405Z", 13), ASN1_ITEM_rptr(ASN1_UTCTIME),
                   strlen(" f: UTCTIME:Jan  2 03:04:05 2020 GMT\n"))
        && refused(string(V_ASN1_UTCTIME, "no time", 7), ASN1_ITEM_rptr(ASN1_UTCTIME), 1)
        && refused(any(V_ASN1_SEQUENCE, string(V_ASN1_SEQUENCE, "\x30\x03\x02\x01\x05", 5)),
                   ASN1_ITEM_rptr(ASN1_ANY), strlen(" f: SEQUENCE:\n"));
}

static int no_leak(void)
{
    long before;

    if (!a_number() || !told() || !fails())
        return 0;
    before = memory_blocks;
    return boolean() && absent() && a_number() && an_object() && octets() && bits() && a_string()
        && several() && told() && not_told() && parsed() && names_first() && itself() && fails()
        && TEST_long_eq(memory_blocks, before) && TEST_long_eq(memory_bad_frees, 0);
}

static int boolean_and_absent(void)
{
    return boolean() && absent();
}

static int octets_and_bits(void)
{
    return octets() && bits();
}

static int told_and_not_told(void)
{
    return told() && not_told();
}

int setup_tests(void)
{
    add_test("a boolean is TRUE or FALSE, or its default", boolean_and_absent);
    add_test("a number is printed", a_number);
    add_test("a time is printed", a_time);
    add_test("an object is printed", an_object);
    add_test("octets and bits are dumped in lines of their own", octets_and_bits);
    add_test("a null is printed", null);
    add_test("a string is printed by the flags for strings", a_string);
    add_test("one of several string types is printed by its own", several);
    add_test("any type is told with its value, or not on demand", told_and_not_told);
    add_test("a structure in any type is parsed", parsed);
    add_test("the type is told on demand", on_demand);
    add_test("names and indent come first", names_first);
    add_test("an item can print itself", itself);
    add_test("a BIO that fails gives 0", fails);
    add_test("nothing is leaked, and the value stays", no_leak);
    return 1;
}
