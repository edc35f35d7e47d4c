/*---
 * tasks: [gu_uuid_scan-cef902]
 * tests:
 *   it returns how many bytes were read: 'gu_uuid.h: "Number of bytes read (should match to sizeof(uuid))".'
 *   each byte is at its place: 'gu_uuid.h: "Scan UUID from buffer"; GU_UUID_FORMAT, GU_UUID_ARGS.'
 *   all sixteen bytes are written: 'gu_uuid.h: "should match to sizeof(uuid)".'
 *   what was printed is scanned: 'gu_uuid.h: gu_uuid_print.'
 *   the nil UUID is scanned: 'gu_uuid.h: GU_UUID_NIL.'
 *   high bytes are scanned: 'gu_uuid.h: uint8_t data.'
 *   large letters are scanned too: 'gu_uuid.h: hexadecimal digits, as scanf takes them; RFC 4122.'
 *   more may follow in the buffer: 'gu_uuid.h: "from buffer"; buflen; callers (gu_uuid.hpp) give whole texts.'
 *   a buffer of just the length is enough: 'gu_uuid.h: GU_UUID_STR_LEN, "length of string representation".'
 *   a buffer that is one shorter is an error: 'gu_uuid.h: "-1 on error"; GU_UUID_STR_LEN.'
 *   a buffer that is much shorter is an error: 'gu_uuid.h: "-1 on error".'
 *   the length given counts: 'gu_uuid.h: buflen.'
 *   a text that ends early is an error: 'gu_uuid.h: "-1 on error".'
 *   a letter that is no digit is an error: 'gu_uuid.h: "-1 on error".'
 *   a wrong letter in the last byte is an error: 'gu_uuid.h: "should match to sizeof(uuid)"; "-1 on error".'
 *   a dash that is missing is an error: 'gu_uuid.h: GU_UUID_FORMAT; "-1 on error".'
 *   another sign for a dash is an error: 'gu_uuid.h: GU_UUID_FORMAT; "-1 on error".'
 *   a dash too many is an error: 'gu_uuid.h: GU_UUID_FORMAT; "-1 on error".'
 *   an error is minus one: 'gu_uuid.h: "or -1 on error".'
 *   nothing behind the UUID is written: 'gu_uuid.h: gu_uuid_t has 16 bytes.'
 *   the buffer stays: 'Signature: const.'
 ---*/
#include <sys/types.h>
#include "gu_uuid.h"
#include "ok.h"

static struct {
    gu_uuid_t uuid;
    uint8_t behind[16];
} place;

static ssize_t scan(const char *text, size_t length, int fill)
{
    memset(&place, fill, sizeof place);
    return gu_uuid_scan(text, length, &place.uuid);
}

static ssize_t bad(const char *text)
{
    return scan(text, strlen(text), 0xee) == -1;
}

int main(void)
{
    limit();
    const char text[] = "00112233-4455-6677-8899-aabbccddeeff";
    static const uint8_t want[] = {0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd,
                                   0xee, 0xff};
    ok("it returns how many bytes were read", scan(text, 36, 0) == 16 && scan(text, 36, 0) == sizeof(gu_uuid_t));
    ok("each byte is at its place", !memcmp(place.uuid.data, want, 16));
    bool all = true, behind = true;
    for (int fill = 0; fill < 256; fill += 51) {
        all = all && scan(text, 36, fill) == 16 && !memcmp(place.uuid.data, want, 16);
        for (int i = 0; i < 16; i++) behind = behind && place.behind[i] == fill;
    }
    ok("all sixteen bytes are written", all);

    bool printed = true;
    unsigned seed = 12345;
    for (int i = 0; i < 200; i++) {
        gu_uuid_t uuid;
        char buf[64];
        for (int j = 0; j < 16; j++) {
            seed = seed * 1103515245 + 12345;
            uuid.data[j] = seed >> 16;
        }
        memset(buf, 0, sizeof buf);
        printed = printed && gu_uuid_print(&uuid, buf, sizeof buf) == 36 && scan(buf, 36, 0) == 16 &&
                  !gu_uuid_compare(&uuid, &place.uuid);
    }
    for (int i = 0; i < 16; i++) {
        gu_uuid_t uuid = GU_UUID_NIL;
        char buf[64];
        uuid.data[i] = 0x80 + i;
        gu_uuid_print(&uuid, buf, sizeof buf);
        printed = printed && scan(buf, 36, 0xff) == 16 && !memcmp(&uuid, &place.uuid, sizeof uuid);
    }
    ok("what was printed is scanned", printed);
    ok("the nil UUID is scanned", scan("00000000-0000-0000-0000-000000000000", 36, 0xff) == 16 &&
       !gu_uuid_compare(&place.uuid, &GU_UUID_NIL));
    bool high = scan("ffffffff-ffff-ffff-ffff-ffffffffffff", 36, 0) == 16;
    for (int i = 0; i < 16; i++) high = high && place.uuid.data[i] == 0xff;
    ok("high bytes are scanned", high);
    ok("large letters are scanned too", scan("00112233-4455-6677-8899-AABBCCDDEEFF", 36, 1) == 16 &&
       !memcmp(place.uuid.data, want, 16) && scan("00112233-4455-6677-8899-AabBcCDdEEfF", 36, 1) == 16 &&
       !memcmp(place.uuid.data, want, 16));
    ok("more may follow in the buffer", scan("00112233-4455-6677-8899-aabbccddeeff:17", 39, 0) == 16 &&
       !memcmp(place.uuid.data, want, 16) && scan(text, 37, 0) == 16 &&
       scan("00112233-4455-6677-8899-aabbccddeeff rest", 41, 0) == 16 && !memcmp(place.uuid.data, want, 16));
    ok("a buffer of just the length is enough", scan(text, 36, 0) == 16);
    ok("a buffer that is one shorter is an error", scan(text, 35, 0) == -1);
    ok("a buffer that is much shorter is an error", scan(text, 0, 0) == -1 && scan(text, 1, 0) == -1 &&
       scan(text, 16, 0) == -1 && scan("", 0, 0) == -1);
    ok("the length given counts", scan("00112233-4455-6677-8899-aabbccddeeff:17", 35, 0) == -1 &&
       scan("00112233-4455-6677-8899-aabbccddeeff:17", 36, 0) == 16);
    char buf[64];
    memset(buf, 0, sizeof buf);
    bool early = scan(buf, sizeof buf, 0) == -1;
    for (int i = 0; i < 34; i++) {
        memset(buf, 0, sizeof buf);
        memcpy(buf, text, i);
        early = early && scan(buf, sizeof buf, 0) == -1 && scan(buf, 36, 0) == -1;
    }
    ok("a text that ends early is an error", early);
    ok("a letter that is no digit is an error", bad("g0112233-4455-6677-8899-aabbccddeeff") &&
       bad("001122z3-4455-6677-8899-aabbccddeeff") && bad("00112233-4455-66g7-8899-aabbccddeeff") &&
       bad("00112233-4455-6677-8899-aabbccdd:eff") && bad("this is no unique identifier at all."));
    ok("a wrong letter in the last byte is an error", bad("00112233-4455-6677-8899-aabbccddeexf") &&
       bad("00112233-4455-6677-8899-aabbccddee--"));
    ok("a dash that is missing is an error", bad("001122334455-6677-8899-aabbccddeeff0") &&
       bad("00112233-44556677-8899-aabbccddeeff0") && bad("00112233-4455-66778899-aabbccddeeff0") &&
       bad("00112233-4455-6677-8899aabbccddeeff0") && bad("00112233445566778899aabbccddeeff0000"));
    ok("another sign for a dash is an error", bad("00112233:4455:6677:8899:aabbccddeeff") &&
       bad("00112233-4455_6677-8899-aabbccddeeff") && bad("00112233-4455-6677-8899.aabbccddeeff"));
    ok("a dash too many is an error", bad("0011-2233-4455-6677-8899-aabbccddeeff") &&
       bad("00112233--4455-6677-8899-aabbccddeeff"));
    ok("an error is minus one", scan(text, 12, 0) == -1 && scan("0011zzzz-4455-6677-8899-aabbccddeeff", 36, 0) == -1 &&
       scan("zzzzzzzz-zzzz-zzzz-zzzz-zzzzzzzzzzzz", 36, 0) == -1);
    ok("nothing behind the UUID is written", behind);
    char mine[] = "00112233-4455-6677-8899-AABBCCDDEEFF";
    scan(mine, 36, 0);
    ok("the buffer stays", !strcmp(mine, "00112233-4455-6677-8899-AABBCCDDEEFF"));
    return plan();
}
