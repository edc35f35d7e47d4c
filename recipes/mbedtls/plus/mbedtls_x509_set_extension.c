/*---
 * tasks: [mbedtls_x509_set_extension-e79ef8]
 * flags: ['-Wl,--wrap=calloc', '-Wl,--wrap=malloc', '-Wl,--wrap=realloc', '-Wl,--wrap=free']
 * tests:
 *   an extension is added to an empty list: 'Callers: x509write_crt.c and _csr.c, a list that begins as NULL.'
 *   the value stands behind the reserved byte: 'Comment: "The first byte of the value [...] is reserved".'
 *   the reserved byte says whether it is critical: 'Comment: the byte is "to store the critical boolean".'
 *   a critical extension is written as such: 'x509_create.c: x509_write_extension takes the first byte for it.'
 *   an extension that is not critical has no boolean: 'x509_create.c: "critical BOOLEAN DEFAULT FALSE".'
 *   the value is copied: 'Callers: mbedtls_x509write_crt_set_basic_constraints gives a local buffer.'
 *   a value may hold any bytes: 'Arguments val and val_len; the value is DER.'
 *   a value may be empty: 'Argument val_len; x509_write_extension writes val.len - 1 bytes.'
 *   only oid_len bytes of the name count: 'Argument oid_len.'
 *   another name adds another extension: 'asn1write.h, mbedtls_asn1_store_named_data: "a new entry is added".'
 *   the same name replaces the value: 'asn1write.h, mbedtls_asn1_store_named_data: "Create or find".'
 *   the same name replaces the critical byte: 'Comment: the byte is part of the value.'
 *   a longer and a shorter value replace one: 'asn1write.h: "enlarge, shrink or free the existing buffer".'
 *   success is zero: 'Callers hand on what it returns; x509.h.'
 *   a failed allocation is the stated error: 'x509.h: MBEDTLS_ERR_X509_ALLOC_FAILED "Allocation of memory failed".'
 *   a failed allocation leaves the list as it was: 'asn1write.c: "leave list in a consistent state".'
 *   freeing the list gives back all memory: 'asn1.h: mbedtls_asn1_free_named_data_list; no write beyond a block.'
 ---*/
#include "mbedtls/asn1.h"
#include "mbedtls/x509.h"
#include "check.h"
#include "heap.h"

static mbedtls_asn1_named_data *list;
static int success = 1;

static const unsigned char *u(const char *text) { return (const unsigned char *) text; }

static int set(const char *oid, size_t oid_len, int critical, const char *val, size_t len) {
    int ret = mbedtls_x509_set_extension(&list, oid, oid_len, critical, u(val), len);
    success &= ret == 0;
    return ret;
}

static int count(void) {
    int n = 0;
    for (mbedtls_asn1_named_data *cur = list; cur != NULL; cur = cur->next) n++;
    return n;
}

/* The entry of this name holds this value and is critical or not. */
static int holds(const char *oid, size_t oid_len, int critical, const char *val, size_t len) {
    for (mbedtls_asn1_named_data *cur = list; cur != NULL; cur = cur->next) {
        if (cur->oid.len == oid_len && !memcmp(cur->oid.p, oid, oid_len)) {
            return cur->val.len == len + 1 && (cur->val.p[0] != 0) == critical && !memcmp(cur->val.p + 1, val, len);
        }
    }
    return 0;
}

static int writes(const char *der, size_t len) {
    unsigned char buf[200], *p = buf + sizeof(buf);
    int ret = mbedtls_x509_write_extensions(&p, buf, list);
    return ret == (int) len && p == buf + sizeof(buf) - len && !memcmp(p, der, len);
}

int main(void) {
    char value[] = "\x30\3\1\1\xff", many[300], oid[] = "\x55\x1d\x13";
    int ok;
    heap_ok();
    long before = heap_live;
    ok = set("\x55\x1d\x13", 3, 1, value, 5) == 0 && count() == 1;
    ok = ok && list->oid.len == 3 && !memcmp(list->oid.p, "\x55\x1d\x13", 3);
    check("an extension is added to an empty list", ok);
    check("the value stands behind the reserved byte", ok && list->val.len == 6 && !memcmp(list->val.p + 1, value, 5));
    check("a critical extension is written as such",
          writes("\x30\x0f\6\3\x55\x1d\x13\1\1\xff\4\5\x30\3\1\1\xff", 17));
    memset(value, 0, 5);
    check("the value is copied", holds("\x55\x1d\x13", 3, 1, "\x30\3\1\1\xff", 5));
    ok = set("\x55\x1d\x0f", 3, 0, "\3\2\1\6", 4) == 0 && count() == 2;
    check("another name adds another extension", ok && holds("\x55\x1d\x0f", 3, 0, "\3\2\1\6", 4) &&
          holds("\x55\x1d\x13", 3, 1, "\x30\3\1\1\xff", 5));
    check("the reserved byte says whether it is critical", ok && holds("\x55\x1d\x0f", 3, 0, "\3\2\1\6", 4) &&
          holds("\x55\x1d\x13", 3, 1, "\x30\3\1\1\xff", 5));
    ok = set("\x55\x1d\x13", 3, 1, "\x30\3\1\1\1", 5) == 0 && count() == 2;
    check("the same name replaces the value", ok && holds("\x55\x1d\x13", 3, 1, "\x30\3\1\1\1", 5));
    ok = set("\x55\x1d\x13", 3, 0, "\x30\3\1\1\1", 5) == 0 && holds("\x55\x1d\x13", 3, 0, "\x30\3\1\1\1", 5);
    ok = ok && set("\x55\x1d\x0f", 3, 1, "\3\2\1\6", 4) == 0 && holds("\x55\x1d\x0f", 3, 1, "\3\2\1\6", 4);
    check("the same name replaces the critical byte", ok && count() == 2);
    for (int i = 0; i < 300; i++) many[i] = (char) (i * 7);
    ok = set("\x55\x1d\x13", 3, 1, many, 300) == 0 && holds("\x55\x1d\x13", 3, 1, many, 300);
    ok = ok && set("\x55\x1d\x13", 3, 0, "\5", 1) == 0 && holds("\x55\x1d\x13", 3, 0, "\5", 1);
    check("a longer and a shorter value replace one", ok && count() == 2);
    mbedtls_asn1_free_named_data_list(&list);

    ok = set(oid, 3, 0, "\4\2\0\1", 4) == 0;
    check("an extension that is not critical has no boolean", ok && writes("\x30\x0b\6\3\x55\x1d\x13\4\4\4\2\0\1", 13));
    ok = set("\x2a\3", 2, 1, "\0\0\xff\0", 4) == 0 && holds("\x2a\3", 2, 1, "\0\0\xff\0", 4);
    check("a value may hold any bytes", ok);
    ok = set("\x2a\4", 2, 1, "", 0) == 0 && holds("\x2a\4", 2, 1, "", 0);
    ok = ok && set("\x2a\5", 2, 0, "", 0) == 0 && holds("\x2a\5", 2, 0, "", 0);
    check("a value may be empty", ok && count() == 4);
    mbedtls_asn1_free_named_data_list(&list);
    ok = set("\x2a\0\7\x08", 3, 1, "abc", 3) == 0 && holds("\x2a\0\7", 3, 1, "abc", 3);
    ok = ok && set("\x2a\0\7\x09", 4, 0, "def", 3) == 0 && count() == 2 && holds("\x2a\0\7", 3, 1, "abc", 3);
    check("only oid_len bytes of the name count", ok && holds("\x2a\0\7\x09", 4, 0, "def", 3));
    check("success is zero", success);

    int codes = 1, kept = 1;
    for (int i = 0; i < 3; i++) {
        heap_fail(i);
        int ret = mbedtls_x509_set_extension(&list, "\x2a\x0a", 2, 1, u("new"), 3);
        heap_ok();
        if (!heap_failed) break;
        codes &= ret == MBEDTLS_ERR_X509_ALLOC_FAILED;
        kept &= count() == 2 && holds("\x2a\0\7", 3, 1, "abc", 3) && holds("\x2a\0\7\x09", 4, 0, "def", 3);
    }
    mbedtls_asn1_free_named_data_list(&list);
    set("\x2a\0\7", 3, 1, "abc", 3);
    heap_fail(0);
    int ret = mbedtls_x509_set_extension(&list, "\x2a\0\7", 3, 0, u("longer"), 6);
    heap_ok();
    if (heap_failed) {
        codes &= ret == MBEDTLS_ERR_X509_ALLOC_FAILED;
        kept &= count() == 1 && holds("\x2a\0\7", 3, 1, "abc", 3);
    }
    check("a failed allocation is the stated error", codes);
    check("a failed allocation leaves the list as it was", kept);
    mbedtls_asn1_free_named_data_list(&list);
    check("freeing the list gives back all memory", heap_live == before && !heap_overrun);
    return done();
}
