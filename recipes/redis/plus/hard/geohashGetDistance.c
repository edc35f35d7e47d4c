/*---
 * tasks: [geohashCommand-38365b.8]
 * tests:
 *   two cities: 'The documentation of GEODIST: Palermo and Catania, 166274.1516 m.'
 *   a degree of latitude: 'Comment: "haversine great circle distance formula"; the radius is 6372797.560856 m.'
 *   a degree of longitude on the equator: 'Comment: great circle.'
 *   a degree of longitude is shorter in the north: 'Comment: great circle.'
 *   the same point is at distance 0: 'Comment: great circle.'
 *   there and back is the same: 'Comment: great circle.'
 *   over the date line: 'Comment: great circle.'
 *   half around the world: 'Comment: great circle.'
 *   from pole to pole: 'Comment: great circle.'
 *   south and west count as north and east: 'Comment: great circle.'
 *   a metre apart: 'Comment: great circle; no loss of digits.'
 ---*/
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "../geohash_helper.h"
#include "../testhelp.h"

static int near(double got, double want) {
    return fabs(got - want) <= 0.001 + fabs(want) * 1e-6;
}

#define RADIUS 6372797.560856
#define DEGREE (RADIUS * 3.14159265358979323846 / 180)

int main(void) {
    test_cond("two cities", near(geohashGetDistance(13.361389, 38.115556, 15.087269, 37.502669), 166274.151));
    test_cond("a degree of latitude", near(geohashGetDistance(10, 20, 10, 21), DEGREE) && near(geohashGetDistance(10, 0, 10, -1), DEGREE));
    test_cond("a degree of longitude on the equator", near(geohashGetDistance(10, 0, 11, 0), DEGREE));
    test_cond("a degree of longitude is shorter in the north",
              near(geohashGetDistance(10, 60, 11, 60), 2 * RADIUS * asin(0.5 * sin(3.14159265358979323846 / 360))));
    test_cond("the same point is at distance 0", geohashGetDistance(12.5, -7.25, 12.5, -7.25) == 0);
    test_cond("there and back is the same",
              near(geohashGetDistance(2.35, 48.85, -74.0, 40.7), geohashGetDistance(-74.0, 40.7, 2.35, 48.85)) &&
              geohashGetDistance(2.35, 48.85, -74.0, 40.7) > 5800000 && geohashGetDistance(2.35, 48.85, -74.0, 40.7) < 5860000);
    test_cond("over the date line", near(geohashGetDistance(179.5, 0, -179.5, 0), DEGREE));
    test_cond("half around the world", near(geohashGetDistance(0, 0, 180, 0), 180 * DEGREE));
    test_cond("from pole to pole", near(geohashGetDistance(5, 90, 5, -90), 180 * DEGREE));
    test_cond("south and west count as north and east",
              near(geohashGetDistance(-13.361389, -38.115556, -15.087269, -37.502669), 166274.151));
    double small = geohashGetDistance(13, 38, 13.00001, 38), up = geohashGetDistance(13, 38, 13, 38.00001);
    test_cond("a metre apart", fabs(small - DEGREE * 0.00001 * cos(38 * 3.14159265358979323846 / 180)) < 0.001 && fabs(up - DEGREE * 0.00001) < 0.001);
    test_report();
    return 0;
}
