/*---
 * tasks: [psa_its_get-cdeb0c.2]
 * tests:
 *   what was set is got: 'psa_crypto_its.h: psa_its_set, "create a new [...] uid/value pair"; psa_its_get.'
 *   each byte is kept: 'psa_crypto_its.h: "Retrieve the value associated with a provided uid".'
 *   the amount of data is given: 'psa_crypto_its.h: p_data_length, "The amount of data returned".'
 *   the amount need not be asked for: 'psa_crypto_storage.c passes one always; test_suite_psa_its: NULL is taken.'
 *   a part is got from an offset: 'psa_crypto_its.h: data_offset, "The starting offset of the data requested".'
 *   no more than asked for is written: 'psa_crypto_its.h: data_length, "the amount of data requested".'
 *   the last byte can be got: 'psa_crypto_its.h: data_offset and data_length.'
 *   nothing can be got at the end: 'psa_crypto_its.h: an offset of the size is valid, with a length of 0.'
 *   more than there is is refused: 'psa_crypto_its.h: PSA_ERROR_INVALID_ARGUMENT, "an invalid offset".'
 *   an offset behind the end is refused: 'psa_crypto_its.h: PSA_ERROR_INVALID_ARGUMENT, "an invalid offset".'
 *   an offset and a length that wrap around are refused: 'psa_crypto_its.h: "an invalid offset".'
 *   a refusal writes nothing: 'psa_crypto_its.h: p_data, "upon successful completion".'
 *   an unknown uid does not exist: 'psa_crypto_its.h: PSA_ERROR_DOES_NOT_EXIST.'
 *   a removed uid does not exist: 'psa_crypto_its.h: psa_its_remove.'
 *   a file with another beginning is corrupt: 'psa_crypto_its.h: PSA_ERROR_DATA_CORRUPT; PSA_ITS_MAGIC_STRING.'
 *   a file that is too short is corrupt: 'psa_crypto_its.h: PSA_ERROR_DATA_CORRUPT.'
 *   data that are missing are a failure of the storage: 'psa_crypto_its.h: PSA_ERROR_STORAGE_FAILURE.'
 *   a value of no bytes is kept: 'psa_crypto_its.h: data_length, "The size in bytes".'
 *   a value of no bytes needs no buffer: 'psa_its_set: there is nothing to write.'
 *   a large value is kept: 'psa_crypto_its.h: data_length is of 32 bits.'
 *   a value is replaced: 'psa_crypto_its.h: psa_its_set, "or modify an existing uid/value pair".'
 *   a shorter value replaces all of a longer one: 'psa_crypto_its.h: psa_its_set, "modify an existing".'
 *   the size is told: 'psa_crypto_its.h: psa_its_get_info, psa_storage_info_t.'
 *   the flags are kept: 'psa_crypto_its.h: create_flags, "The flags that the data will be stored with".'
 *   values of other uids are apart: 'psa_crypto_its.h: uid.'
 *   a uid has 64 bits: 'psa_crypto_its.h: psa_storage_uid_t.'
 *   the uid of zero is refused: 'psa_its_set and test_suite_psa_its: PSA_ERROR_INVALID_HANDLE.'
 *   the file has the name of its uid: 'psa_its_file.c: PSA_ITS_STORAGE_FILENAME_PATTERN and _SUFFIX.'
 *   the file has the form that other versions read: 'psa_its_file.c: psa_its_file_header_t, little endian.'
 *   no temporary file stays: 'psa_its_file.c: PSA_ITS_STORAGE_TEMP; test_suite_psa_its cleans up but its uids.'
 *   where no file can be made the storage fails: 'psa_crypto_its.h: PSA_ERROR_STORAGE_FAILURE.'
 *   where a file cannot be replaced the storage fails: 'psa_crypto_its.h: PSA_ERROR_STORAGE_FAILURE.'
 *   a failed replacement leaves no temporary file: 'psa_its_file.c: the temporary file is removed.'
 *   no file stays open: 'The functions give nothing to be closed.'
 *   what is to be stored stays: 'psa_crypto_its.h: p_data is const.'
 ---*/
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "common.h"
#include "psa_crypto_its.h"
#include "check.h"

static unsigned char room[70000], big[65000];
static size_t len;

static psa_status_t get(psa_storage_uid_t uid, uint32_t offset, uint32_t n) {
    memset(room, 0xEE, sizeof(room));
    len = 12345;
    return psa_its_get(uid, offset, n, room + 10, &len);
}

/* The part is got, and nothing beside it is written. */
static int gives(psa_storage_uid_t uid, uint32_t offset, uint32_t n, const void *data) {
    int ok = get(uid, offset, n) == PSA_SUCCESS && len == n && !memcmp(room + 10, data, n);
    return ok && room[9] == 0xEE && room[10 + n] == 0xEE;
}

static int untouched(void) {
    for (size_t i = 0; i < sizeof(room); i++) {
        if (room[i] != 0xEE) return 0;
    }
    return 1;
}

static int holds(psa_storage_uid_t uid, const char *text) {
    struct psa_storage_info_t info = {0, 0};
    return psa_its_get_info(uid, &info) == PSA_SUCCESS && info.size == strlen(text) &&
           gives(uid, 0, (uint32_t) strlen(text), text);
}

static psa_status_t set(psa_storage_uid_t uid, const char *text) {
    return psa_its_set(uid, (uint32_t) strlen(text), text, 0);
}

static void put_file(const char *name, const void *data, size_t n) {
    FILE *f = fopen(name, "wb");
    if (f == NULL) exit(1);
    fwrite(data, 1, n, f);
    fclose(f);
}

static int lowest(void) {
    int fd = open("/dev/null", O_RDONLY);
    close(fd);
    return fd;
}

int main(void) {
    char folder[] = "/tmp/plus-its-XXXXXX";
    if (mkdtemp(folder) == NULL || chdir(folder) != 0) return 1;
    int fd = lowest();
    char data[] = "0123456789";
    int ok = psa_its_set(5, 10, data, 0) == PSA_SUCCESS;
    check("what was set is got", ok && gives(5, 0, 10, data));
    check("what is to be stored stays", !strcmp(data, "0123456789"));
    check("the amount of data is given", get(5, 2, 3) == PSA_SUCCESS && len == 3);
    memset(room, 0xEE, sizeof(room));
    check("the amount need not be asked for",
          psa_its_get(5, 1, 4, room, NULL) == PSA_SUCCESS && !memcmp(room, "1234\xEE", 5));
    check("a part is got from an offset", gives(5, 3, 7, "3456789") && gives(5, 1, 1, "1"));
    check("no more than asked for is written", gives(5, 0, 4, "0123") && gives(5, 5, 2, "56"));
    check("the last byte can be got", gives(5, 9, 1, "9"));
    check("nothing can be got at the end", gives(5, 10, 0, "") && gives(5, 0, 0, ""));
    int clean = 1;
    ok = get(5, 0, 11) == PSA_ERROR_INVALID_ARGUMENT && untouched();
    ok = ok && get(5, 1, 10) == PSA_ERROR_INVALID_ARGUMENT && untouched();
    ok = ok && get(5, 9, 2) == PSA_ERROR_INVALID_ARGUMENT;
    clean &= untouched();
    check("more than there is is refused", ok && get(5, 10, 1) == PSA_ERROR_INVALID_ARGUMENT);
    clean &= untouched();
    ok = get(5, 11, 0) == PSA_ERROR_INVALID_ARGUMENT && get(5, 11, 1) == PSA_ERROR_INVALID_ARGUMENT;
    check("an offset behind the end is refused", ok && get(5, 0x7fffffff, 0) == PSA_ERROR_INVALID_ARGUMENT);
    clean &= untouched();
    ok = get(5, 5, 0xfffffffd) == PSA_ERROR_INVALID_ARGUMENT && get(5, 0xffffffff, 3) == PSA_ERROR_INVALID_ARGUMENT;
    check("an offset and a length that wrap around are refused",
          ok && get(5, 0xffffffff, 0xffffffff) == PSA_ERROR_INVALID_ARGUMENT && get(5, 1, 0xffffffff) ==
          PSA_ERROR_INVALID_ARGUMENT);
    check("a refusal writes nothing", clean && untouched());
    ok = get(6, 0, 1) == PSA_ERROR_DOES_NOT_EXIST && get(6, 0, 0) == PSA_ERROR_DOES_NOT_EXIST;
    check("an unknown uid does not exist", ok && untouched());

    set(6, "six");
    set(7, "seven");
    check("values of other uids are apart", holds(6, "six") && holds(7, "seven") && holds(5, "0123456789"));
    psa_its_remove(6);
    check("a removed uid does not exist", get(6, 0, 1) == PSA_ERROR_DOES_NOT_EXIST && holds(7, "seven"));
    ok = set(0x0123456789abcdefULL, "long") == PSA_SUCCESS && set(0x89abcdefULL, "low") == PSA_SUCCESS;
    ok = ok && set(0x0123456700000000ULL, "high") == PSA_SUCCESS && holds(0x0123456789abcdefULL, "long");
    check("a uid has 64 bits", ok && holds(0x89abcdefULL, "low") && holds(0x0123456700000000ULL, "high"));
    check("the file has the name of its uid",
          access("0123456789abcdef.psa_its", R_OK) == 0 && access("0000000000000005.psa_its", R_OK) == 0 &&
          access("0000000000000006.psa_its", R_OK) != 0);
    check("the uid of zero is refused",
          set(0, "zero") == PSA_ERROR_INVALID_HANDLE && access("0000000000000000.psa_its", R_OK) != 0);

    for (size_t i = 0; i < sizeof(big); i++) big[i] = (unsigned char) (i * 7 + i / 256);
    ok = psa_its_set(8, 256, big, 0) == PSA_SUCCESS && gives(8, 0, 256, big) && gives(8, 200, 56, big + 200);
    check("each byte is kept", ok);
    ok = psa_its_set(9, sizeof(big), big, 0) == PSA_SUCCESS && gives(9, 0, sizeof(big), big);
    check("a large value is kept", ok && gives(9, 64000, 1000, big + 64000) && gives(9, 300, 70, big + 300));
    ok = psa_its_set(10, 0, "x", 0) == PSA_SUCCESS && holds(10, "") && gives(10, 0, 0, "");
    check("a value of no bytes is kept", ok && get(10, 0, 1) == PSA_ERROR_INVALID_ARGUMENT);
    check("a value of no bytes needs no buffer", psa_its_set(11, 0, NULL, 0) == PSA_SUCCESS && holds(11, ""));
    check("a value is replaced", set(7, "eleven") == PSA_SUCCESS && holds(7, "eleven"));
    ok = set(7, "two") == PSA_SUCCESS && holds(7, "two") && get(7, 0, 4) == PSA_ERROR_INVALID_ARGUMENT;
    struct stat st;
    check("a shorter value replaces all of a longer one", ok && !stat("0000000000000007.psa_its", &st) &&
          st.st_size == 19);
    struct psa_storage_info_t info;
    ok = psa_its_get_info(9, &info) == PSA_SUCCESS && info.size == sizeof(big);
    check("the size is told", ok && psa_its_get_info(5, &info) == PSA_SUCCESS && info.size == 10);
    ok = psa_its_set(12, 3, "abc", 0x1a2b3c4d) == PSA_SUCCESS && psa_its_get_info(12, &info) == PSA_SUCCESS;
    ok = ok && info.flags == 0x1a2b3c4d && info.size == 3 && gives(12, 0, 3, "abc");
    psa_its_set(12, 3, "abc", PSA_STORAGE_FLAG_WRITE_ONCE);
    check("the flags are kept", ok && psa_its_get_info(12, &info) == PSA_SUCCESS &&
          info.flags == PSA_STORAGE_FLAG_WRITE_ONCE);
    static const unsigned char form[] = {'P', 'S', 'A', 0, 'I', 'T', 'S', 0, 3, 0, 0, 0, 0x4d, 0x3c, 0x2b, 0x1a,
                                         'a', 'b', 'c'};
    unsigned char read_back[40] = {0};
    psa_its_set(12, 3, "abc", 0x1a2b3c4d);
    FILE *f = fopen("000000000000000c.psa_its", "rb");
    size_t n = f ? fread(read_back, 1, 40, f) : 0;
    if (f) fclose(f);
    ok = n == sizeof(form) && !memcmp(read_back, form, n);
    put_file("000000000000000d.psa_its", form, sizeof(form));
    check("the file has the form that other versions read", ok && holds(13, "abc"));
    check("no temporary file stays", access("tempfile.psa_its", F_OK) != 0);

    unsigned char other[40];
    ok = 1;
    for (int i = 0; i < 8; i++) {
        memcpy(other, form, sizeof(form));
        other[i] ^= 0x20;
        put_file("000000000000000e.psa_its", other, sizeof(form));
        ok &= get(14, 0, 1) == PSA_ERROR_DATA_CORRUPT && get(14, 0, 0) == PSA_ERROR_DATA_CORRUPT && untouched();
    }
    check("a file with another beginning is corrupt", ok);
    put_file("000000000000000e.psa_its", form, 15);
    ok = get(14, 0, 0) == PSA_ERROR_DATA_CORRUPT;
    put_file("000000000000000e.psa_its", form, 0);
    check("a file that is too short is corrupt", ok && get(14, 0, 0) == PSA_ERROR_DATA_CORRUPT && untouched());
    put_file("000000000000000e.psa_its", form, 18);
    ok = get(14, 0, 3) == PSA_ERROR_STORAGE_FAILURE && get(14, 2, 1) == PSA_ERROR_STORAGE_FAILURE;
    check("data that are missing are a failure of the storage", ok && gives(14, 0, 2, "ab"));

    mkdir("000000000000000f.psa_its", 0700);
    mkdir("000000000000000f.psa_its/x", 0700);
    check("where a file cannot be replaced the storage fails", set(15, "abc") == PSA_ERROR_STORAGE_FAILURE);
    check("a failed replacement leaves no temporary file", access("tempfile.psa_its", F_OK) != 0);
    mkdir("tempfile.psa_its", 0700);
    mkdir("tempfile.psa_its/x", 0700);
    ok = set(5, "new") == PSA_ERROR_STORAGE_FAILURE && holds(5, "0123456789");
    check("where no file can be made the storage fails", ok);
    check("no file stays open", lowest() == fd);
    if (system("rm -rf *") != 0 || chdir("/") != 0) return 1;
    rmdir(folder);
    return done();
}
