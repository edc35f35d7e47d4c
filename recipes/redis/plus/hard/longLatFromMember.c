/*---
 * tasks: [geohashCommand-38365b.4, geohashCommand-38365b.8]
 * tests:
 *   a member's position, longitude first: 'Comment: "Decode lat/long from a zset member''s score".'
 *   another member's position: 'Comment: "a zset member''s score".'
 *   C_OK for a member: 'Comment: "Returns C_OK on successful decoding".'
 *   C_ERR for a name that is no member: 'Comment: "otherwise C_ERR is returned"; zsetScore.'
 *   a longer name and a shorter one are no members: 'zsetScore: a member is any bytes.'
 *   it works on both encodings of a sorted set: 'zsetScore: OBJ_ENCODING_LISTPACK, OBJ_ENCODING_SKIPLIST.'
 *   a binary member is found: 'Members are any bytes.'
 *   the set and the member are as before: 'Comment: an input argument helper.'
 ---*/
#include "start.h"
#include "../geo.h"
#include "../testhelp.h"

int longLatFromMember(robj *zobj, robj *member, double *xy);

static robj *sortedSet;

static void add(const char *name, size_t len, double score) {
    int out;
    sds s = sdsnewlen(name, len);
    zsetAdd(sortedSet, score, s, ZADD_IN_NONE, &out, NULL);
    sdsfree(s);
}

static int at(const char *name, size_t len, double lon, double lat) {
    double xy[2] = {999, 999};
    robj *member = createStringObject(name, len);
    int found = longLatFromMember(sortedSet, member, xy);
    int same = member->refcount == 1 && sdslen(member->ptr) == len;
    decrRefCount(member);
    return found == C_OK && same && fabs(xy[0] - lon) < 0.00001 && fabs(xy[1] - lat) < 0.00001;
}

static int none(const char *name) {
    double xy[2];
    robj *member = createStringObject(name, strlen(name));
    int found = longLatFromMember(sortedSet, member, xy);
    decrRefCount(member);
    return found == C_ERR;
}

int main(void) {
    startRedis();
    sortedSet = createZsetListpackObject();
    add("Palermo", 7, 3479099956230698);
    add("Catania", 7, 3479447370796909);
    add("a\0b", 3, 3479099956230698);
    double xy[2];
    test_cond("a member's position, longitude first", at("Palermo", 7, 13.361389, 38.115556));
    test_cond("another member's position", at("Catania", 7, 15.087269, 37.502669));
    robj *name = createStringObject("Palermo", 7);
    test_cond("C_OK for a member", longLatFromMember(sortedSet, name, xy) == C_OK);
    decrRefCount(name);
    test_cond("C_ERR for a name that is no member", none("Rome") && none(""));
    test_cond("a longer name and a shorter one are no members", none("Palermo1") && none("Palerm") && none("a"));
    int binary = at("a\0b", 3, 13.361389, 38.115556);
    zsetConvert(sortedSet, OBJ_ENCODING_SKIPLIST);
    test_cond("it works on both encodings of a sorted set",
              at("Palermo", 7, 13.361389, 38.115556) && at("Catania", 7, 15.087269, 37.502669) && none("Rome"));
    test_cond("a binary member is found", binary && at("a\0b", 3, 13.361389, 38.115556));
    test_cond("the set and the member are as before", zsetLength(sortedSet) == 3 && sortedSet->refcount == 1);
    test_report();
    return 0;
}
