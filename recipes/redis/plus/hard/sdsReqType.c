/*---
 * tasks: [sdsResize-4894b7.2]
 * instead: [src/sds.o]
 * tests:
 *   lengths below 32 take type 5: 'sds.h: sdshdr5 holds the length in "5 msb".'
 *   lengths from 32 to 255 take type 8: 'sds.h: sdshdr8 has a uint8_t len; sdsTypeMaxSize.'
 *   lengths from 256 to 65535 take type 16: 'sds.h: sdshdr16 has a uint16_t len; sdsTypeMaxSize.'
 *   lengths that fit into 32 bits take type 32: 'sds.h: sdshdr32 has a uint32_t len; sdsTypeMaxSize.'
 *   longer ones take type 64: 'sds.h: sdshdr64 has a uint64_t len.'
 *   each type can hold what is given to it: 'sdsTypeMaxSize: the largest size of each type.'
 *   no smaller type could: 'sdsResize: "the minimum SDS header that is just good enough".'
 *   new strings keep their length at every border: 'Caller _sdsnewlen.'
 *   appended strings keep their length at every border: 'Caller _sdsMakeRoomFor.'
 ---*/
#include "../sds.c"

int main(void) {
    int five = 1, eight = 1, sixteen = 1;
    for (size_t n = 0; n < 32; n++) five &= sdsReqType(n) == SDS_TYPE_5;
    for (size_t n = 32; n < 256; n++) eight &= sdsReqType(n) == SDS_TYPE_8;
    for (size_t n = 256; n < 65536; n++) sixteen &= sdsReqType(n) == SDS_TYPE_16;
    test_cond("lengths below 32 take type 5", five);
    test_cond("lengths from 32 to 255 take type 8", eight);
    test_cond("lengths from 256 to 65535 take type 16", sixteen);
    test_cond("lengths that fit into 32 bits take type 32",
              sdsReqType(65536) == SDS_TYPE_32 && sdsReqType(1 << 24) == SDS_TYPE_32 &&
              sdsReqType(0x80000000UL) == SDS_TYPE_32 && sdsReqType(0xffffffffUL) == SDS_TYPE_32);
    test_cond("longer ones take type 64",
              sdsReqType(0x100000000UL) == SDS_TYPE_64 && sdsReqType(0x100000001UL) == SDS_TYPE_64 &&
              sdsReqType((size_t)-1) == SDS_TYPE_64);
    size_t at[] = {31, 32, 255, 256, 65535, 65536, 0xffffffffUL, 0x100000000UL};
    int fits = 1, least = 1;
    for (int j = 0; j < 8; j++) {
        char type = sdsReqType(at[j]);
        fits &= at[j] <= sdsTypeMaxSize(type);
        least &= type == SDS_TYPE_5 || at[j] > sdsTypeMaxSize(type - 1);
    }
    test_cond("each type can hold what is given to it", fits);
    test_cond("no smaller type could", least);
    int made = 1, grown = 1;
    for (int j = 0; j < 6; j++) {
        sds s = sdsnewlen(NULL, at[j]), t = sdsempty();
        made &= sdslen(s) == at[j] && s[at[j]] == '\0';
        while (sdslen(t) < at[j]) t = sdscatlen(t, "x", 1);
        grown &= sdslen(t) == at[j] && t[0] == 'x' && t[at[j] - 1] == 'x' && t[at[j]] == '\0';
        sdsfree(s);
        sdsfree(t);
    }
    test_cond("new strings keep their length at every border", made);
    test_cond("appended strings keep their length at every border", grown);
    test_report();
    return 0;
}
