/*---
 * tasks: [restoreCommand-ab585e.4, restoreCommand-ab585e.8, restoreCommand-ab585e.16]
 * tests:
 *   a valid payload is accepted: 'Comment: "If the DUMP payload looks valid C_OK is returned".'
 *   a payload of the footer alone is long enough: 'Comment in the body: "At least 2 bytes of RDB version and 8 of CRC64 should be present".'
 *   a payload that is too short is refused: 'Comment in the body: "At least 2 bytes of RDB version and 8 of CRC64 should be present".'
 *   an older version is accepted: 'Upstream documentation of RESTORE: payloads of older versions can be restored.'
 *   a newer version is refused: 'Comment: "Verify that the RDB version of the dump payload matches".'
 *   both bytes of the version count: 'createDumpPayload: "2 bytes RDB version", "little endian".'
 *   any changed byte of the data is refused: 'Comment: "that the checksum is ok".'
 *   a changed version is refused by the checksum: 'createDumpPayload: the CRC64 is that of data and version.'
 *   any changed byte of the checksum is refused: 'Comment: "that the checksum is ok".'
 *   a lost byte is refused: 'Comment: "that the checksum is ok".'
 *   data of any bytes is checked as a whole: 'Signature: p and len.'
 *   the version is told: 'Comment: "If rdbver_ptr is not NULL, its populated with the value read from the input buffer".'
 *   the version may be left out: 'Comment: "If rdbver_ptr is not NULL"; caller restoreCommand.'
 *   without validation of checksums a wrong one is accepted: 'server.h: skip_checksum_validation, "Disable checksum validation for RDB and RESTORE payload".'
 *   without validation of checksums the version still counts: 'server.h: skip_checksum_validation is about checksums.'
 *   without validation of checksums the length still counts: 'server.h: skip_checksum_validation is about checksums.'
 *   what DUMP makes is accepted: 'dumpCommand: "the obvious complement of RESTORE".'
 *   the payload is left as it is: 'Caller restoreCommand loads it then.'
 ---*/
#include "start.h"
#include "../cluster.h"
#include "../testhelp.h"

static uint16_t version;

/* The data with such a version and the right checksum behind. */
static sds payload(const char *data, size_t len, int v) {
    sds s = sdsnewlen(data,len);
    unsigned char two[2] = {v & 0xff, v >> 8};
    s = sdscatlen(s,two,2);
    uint64_t crc = crc64(0,(unsigned char*)s,sdslen(s));
    memrev64ifbe(&crc);
    return sdscatlen(s,&crc,8);
}

static int check(sds s) {
    version = 7777;
    return verifyDumpPayload((unsigned char*)s,sdslen(s),&version);
}

/* Whether it is refused with any byte from one to the other changed. */
static int refused(sds s, size_t from, size_t to) {
    int all = 1;
    for (size_t j = from; j < to; j++) {
        s[j] ^= 1;
        if (check(s) != C_ERR) all = 0;
        s[j] ^= 1;
    }
    return all;
}

int main(void) {
    startRedis();
    sds s = payload("some\0data",9,RDB_VERSION), copy = sdsdup(s);
    test_cond("a valid payload is accepted", check(s) == C_OK);
    test_cond("the version is told", version == RDB_VERSION);
    test_cond("the version may be left out", verifyDumpPayload((unsigned char*)s,sdslen(s),NULL) == C_OK);
    test_cond("a payload of the footer alone is long enough", check(payload("",0,RDB_VERSION)) == C_OK);
    sds footer = payload("",0,RDB_VERSION);
    int shorter = 0;
    for (int j = 0; j < 10; j++) shorter += verifyDumpPayload((unsigned char*)footer+10-j,j,NULL) == C_ERR;
    test_cond("a payload that is too short is refused", shorter == 10);
    int ok = check(payload("x",1,RDB_VERSION-1)) == C_OK && version == RDB_VERSION-1;
    test_cond("an older version is accepted", ok && check(payload("x",1,6)) == C_OK && version == 6 &&
              check(payload("x",1,1)) == C_OK);
    test_cond("a newer version is refused", check(payload("x",1,RDB_VERSION+1)) == C_ERR &&
              check(payload("x",1,255)) == C_ERR);
    test_cond("both bytes of the version count", check(payload("x",1,0x0100)) == C_ERR && check(payload("x",1,0x0501)) == C_ERR &&
              check(payload("x",1,0xff00)) == C_ERR && check(payload("x",1,0xffff)) == C_ERR);
    test_cond("any changed byte of the data is refused", refused(s,0,9));
    s[9] -= 1;
    test_cond("a changed version is refused by the checksum", check(s) == C_ERR);
    s[9] += 1;
    test_cond("any changed byte of the checksum is refused", refused(s,11,19));
    sds cut = sdsnewlen(s+1,sdslen(s)-1), more = sdscat(sdsdup(s),"x"), tail = sdsnewlen(s,sdslen(s)-1);
    test_cond("a lost byte is refused", check(cut) == C_ERR && check(more) == C_ERR && check(tail) == C_ERR);
    sds zero = payload("\0\0\0abc\0",7,RDB_VERSION);
    test_cond("data of any bytes is checked as a whole", check(zero) == C_OK && refused(zero,0,7));
    test_cond("the payload is left as it is", !sdscmp(s,copy));

    sds wrong = sdsdup(s), newer = payload("x",1,RDB_VERSION+1);
    wrong[sdslen(wrong)-1] ^= 1;
    server.skip_checksum_validation = 1;
    test_cond("without validation of checksums a wrong one is accepted", check(wrong) == C_OK && version == RDB_VERSION &&
              check(s) == C_OK);
    test_cond("without validation of checksums the version still counts", check(newer) == C_ERR);
    test_cond("without validation of checksums the length still counts",
              verifyDumpPayload((unsigned char*)s+10,9,NULL) == C_ERR);
    server.skip_checksum_validation = 0;
    client *c = fakeClient();
    robj *o = createStringObject("hello",5);
    dbAdd(c->db,createStringObject("k",1),o);
    const char *words[] = {"dump","k"};
    setArguments(c,2,words);
    c->cmd->proc(c);
    sds r = replyOf(c), dump = sdsnewlen(strchr(r,'\n')+1,strtol(r+1,NULL,10));
    test_cond("what DUMP makes is accepted", r[0] == '$' && check(dump) == C_OK && version == RDB_VERSION);
    test_report();
    return 0;
}
