/*---
 * tasks: [geohashCommand-38365b.4, geohashCommand-38365b.8]
 * tests:
 *   a position is decoded, longitude first: 'geohashDecodeToLongLatWGS84; longLatFromMember: "Decode lat/long from a zset member''s score".'
 *   another position is decoded: 'The same.'
 *   positions west and south are negative: 'geohash.h: GEO_LONG_MIN, GEO_LAT_MIN.'
 *   the smallest score is the south-west corner: 'geohash.h: GEO_LONG_MIN, GEO_LAT_MIN.'
 *   the largest score is the north-east corner: 'geohash.h: GEO_LONG_MAX, GEO_LAT_MAX; 52 bits, GEO_STEP_MAX 26.'
 *   all 52 bits count: 'GEO_STEP_MAX: 26 steps of two bits.'
 *   success is told by 1: 'Callers: if (!decodeGeohash(score,xy)).'
 *   what is encoded is decoded to within a metre: 'geoaddCommand encodes by geohashEncodeWGS84 and GEO_STEP_MAX.'
 ---*/
#include "../server.h"
#include "../geohash_helper.h"
#include "../testhelp.h"

int decodeGeohash(double bits, double *xy);

static int at(double score, double lon, double lat) {
    double xy[2] = {999, 999};
    return decodeGeohash(score, xy) == 1 && fabs(xy[0] - lon) < 0.00001 && fabs(xy[1] - lat) < 0.00001;
}

int main(void) {
    test_cond("a position is decoded, longitude first", at(3479099956230698, 13.361389, 38.115556));
    test_cond("another position is decoded", at(3479447370796909, 15.087269, 37.502669));
    GeoHashBits hash;
    geohashEncodeWGS84(-70.5, -33.25, GEO_STEP_MAX, &hash);
    test_cond("positions west and south are negative", at(hash.bits, -70.5, -33.25));
    test_cond("the smallest score is the south-west corner", at(0, GEO_LONG_MIN, GEO_LAT_MIN));
    test_cond("the largest score is the north-east corner", at(4503599627370495.0, GEO_LONG_MAX, GEO_LAT_MAX));
    double a[2], b[2];
    int all = 1;
    for (int bit = 0; bit < 52; bit++) {
        decodeGeohash(0, a);
        decodeGeohash((double)((uint64_t)1 << bit), b);
        all &= bit % 2 ? a[1] == b[1] ? b[0] > a[0] : 0 : a[0] == b[0] ? b[1] > a[1] : 0;
    }
    test_cond("all 52 bits count", all);
    test_cond("success is told by 1", decodeGeohash(0, a) == 1 && decodeGeohash(12345, a) == 1);
    all = 1;
    for (int lon = -179; lon < 180; lon += 13)
        for (int lat = -85; lat < 85; lat += 7) {
            geohashEncodeWGS84(lon + 0.25, lat + 0.125, GEO_STEP_MAX, &hash);
            all &= at(hash.bits, lon + 0.25, lat + 0.125);
        }
    test_cond("what is encoded is decoded to within a metre", all);
    test_report();
    return 0;
}
