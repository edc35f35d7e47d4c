/*---
 * tasks: [geohashCommand-38365b.4, geohashCommand-38365b.8]
 * tests:
 *   the standard geohash of a member: 'Comment: "an 11 characters geohash representation"; the documentation of GEOHASH.'
 *   several members in their order: 'Comment: "of the position of the specified elements".'
 *   a member may be asked for twice: 'Comment: "ele1 ele2 ... eleN".'
 *   null for a missing member: 'The documentation of GEOHASH: nil for elements that are missing.'
 *   nulls for a missing key: 'The documentation of GEOHASH; upstream''s test of GEOHASH against a key that does not exist.'
 *   an empty array where no member is asked for: 'Comment: "Returns an array"; upstream''s test with only key as argument.'
 *   an error for another type: 'Upstream''s test: WRONGTYPE.'
 *   the last character is 0: 'Comment: 11 characters of 52 bits; the documentation''s examples end with 0.'
 *   positions in each quarter of the world: 'The standard: longitude -180 to 180, latitude -90 to 90.'
 *   near the poles and the date line: 'geohash.h: GEO_LAT_MAX, GEO_LONG_MAX.'
 *   no change of the data: 'commands: GEOHASH is READONLY.'
 *   a binary member: 'Members are any bytes.'
 *   null in the third version of the protocol: 'addReplyNull.'
 ---*/
#include "start.h"
#include "../geo.h"
#include "../geohash_helper.h"
#include "../testhelp.h"

void geohashCommand(client *c);

static client *c;
static robj *sortedSet;

static void add(const char *name, size_t len, double lon, double lat) {
    GeoHashBits hash;
    int out;
    geohashEncodeWGS84(lon, lat, GEO_STEP_MAX, &hash);
    sds s = sdsnewlen(name, len);
    zsetAdd(sortedSet, (double)hash.bits, s, ZADD_IN_NONE, &out, NULL);
    sdsfree(s);
}

static int asked(const char *reply, int words, const char *key, const char *a, const char *b, const char *d) {
    const char *argv[] = {"geohash", key, a, b, d};
    setArguments(c, words, argv);
    geohashCommand(c);
    return replied(c, reply);
}

int main(void) {
    startRedis();
    c = fakeClient();
    robj *key = createStringObject("Sicily", 6), *text = createStringObject("text", 4);
    sortedSet = createZsetListpackObject();
    dbAdd(c->db, key, sortedSet);
    dbAdd(c->db, text, createStringObject("x", 1));
    add("Palermo", 7, 13.361389, 38.115556);
    add("Catania", 7, 15.087269, 37.502669);
    add("Lima", 4, -77.042793, -12.046374);
    add("Sydney", 6, 151.209290, -33.868820);
    add("Seattle", 7, -122.332069, 47.606209);
    add("north", 5, 179.999, 85.05);
    add("south", 5, -179.999, -85.05);
    long long dirty = server.dirty;
    test_cond("the standard geohash of a member", asked("*1\r\n$11\r\nsqc8b49rny0\r\n", 3, "Sicily", "Palermo", NULL, NULL));
    test_cond("several members in their order",
              asked("*2\r\n$11\r\nsqdtr74hyu0\r\n$11\r\nsqc8b49rny0\r\n", 4, "Sicily", "Catania", "Palermo", NULL));
    test_cond("a member may be asked for twice",
              asked("*2\r\n$11\r\nsqc8b49rny0\r\n$11\r\nsqc8b49rny0\r\n", 4, "Sicily", "Palermo", "Palermo", NULL));
    test_cond("null for a missing member",
              asked("*3\r\n$-1\r\n$11\r\nsqc8b49rny0\r\n$-1\r\n", 5, "Sicily", "Rome", "Palermo", ""));
    test_cond("nulls for a missing key", asked("*2\r\n$-1\r\n$-1\r\n", 4, "nokey", "Palermo", "Rome", NULL) &&
              asked("*1\r\n$-1\r\n", 3, "nokey", "Palermo", NULL, NULL));
    test_cond("an empty array where no member is asked for", asked("*0\r\n", 2, "Sicily", NULL, NULL, NULL));
    const char *argv[] = {"geohash", "text", "Palermo"};
    setArguments(c, 3, argv);
    geohashCommand(c);
    sds reply = replyOf(c);
    test_cond("an error for another type", !strncmp(reply, "-WRONGTYPE ", 11) && strchr(reply, '\n') == reply + sdslen(reply) - 1);
    sdsfree(reply);
    const char *lima[] = {"geohash", "Sicily", "Lima"};
    setArguments(c, 3, lima);
    geohashCommand(c);
    reply = replyOf(c);
    test_cond("the last character is 0", sdslen(reply) == 4 + 5 + 11 + 2 && reply[19] == '0');
    sdsfree(reply);
    test_cond("positions in each quarter of the world",
              asked("*3\r\n$11\r\n6mc5qz50ub0\r\n$11\r\nr3gx2f75zf0\r\n$11\r\nc23nb62w200\r\n", 5, "Sicily", "Lima", "Sydney", "Seattle"));
    test_cond("near the poles and the date line", asked("*2\r\n$11\r\nzzpgzfzk0t0\r\n$11\r\n00bh0j0ez60\r\n", 4, "Sicily", "north", "south", NULL));
    test_cond("no change of the data", server.dirty == dirty && zsetLength(sortedSet) == 7);
    add("a\0b", 3, 13.361389, 38.115556);
    setArguments(c, 3, argv);
    decrRefCount(c->argv[1]), decrRefCount(c->argv[2]);
    c->argv[1] = createStringObject("Sicily", 6), c->argv[2] = createStringObject("a\0b", 3);
    geohashCommand(c);
    test_cond("a binary member", replied(c, "*1\r\n$11\r\nsqc8b49rny0\r\n"));
    c->resp = 3;
    test_cond("null in the third version of the protocol", asked("*1\r\n_\r\n", 3, "Sicily", "Rome", NULL, NULL));
    test_report();
    return 0;
}
