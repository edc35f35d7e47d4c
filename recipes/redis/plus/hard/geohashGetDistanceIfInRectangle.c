/*---
 * tasks: [geohashCommand-38365b.8]
 * tests:
 *   a point within the box: 'Comment: "Judge whether a point is in the axis-aligned rectangle".'
 *   a point beyond the width: 'Comment: "less than or equal to height/2 or width/2".'
 *   a point beyond the height: 'Comment: "less than or equal to height/2 or width/2".'
 *   half the width and the height count: 'Comment: "less than or equal to height/2 or width/2".'
 *   the width is measured at the latitude of the point: 'Comment: "the distance between a searched point and the center point ... in height and width"; BYBOX, upstream: "lon_distance".'
 *   the distance is that of the point from the center: 'Signature: distance; geoWithinShape: "the distance between the center of the shape and the point".'
 *   the center is within: 'Comment: "less than or equal".'
 *   in all four directions: 'Comment: the rectangle is around the center.'
 *   over the date line: 'geohashGetDistance.'
 ---*/
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "../geohash_helper.h"
#include "../testhelp.h"

static int near(double got, double want) {
    return fabs(got - want) <= 0.001 + fabs(want) * 1e-6;
}

static double distance;

static int within(double width, double height, double x2, double y2) {
    distance = -1;
    return geohashGetDistanceIfInRectangle(width, height, 15, 37, x2, y2, &distance);
}

int main(void) {
    test_cond("a point within the box", within(400000, 400000, 13.361389, 38.115556) && within(400000, 400000, 15.087269, 37.502669));
    test_cond("a point beyond the width", !within(200000, 400000, 13.361389, 38.115556));
    test_cond("a point beyond the height", !within(400000, 200000, 13.361389, 38.115556));
    double high = geohashGetDistance(15, 37, 15, 38), wide = geohashGetDistance(15, 37, 16, 37);
    test_cond("half the width and the height count",
              within(10, 2.001 * high, 15, 38) && !within(10, 1.999 * high, 15, 38) && within(2.001 * wide, 10, 16, 37) && !within(1.999 * wide, 10, 16, 37));
    double north = geohashGetDistance(15, 39, 16, 39);
    test_cond("the width is measured at the latitude of the point", within(2 * north + 1, 1e6, 16, 39) && !within(2 * north - 1, 1e6, 16, 39));
    within(1e6, 1e6, 13.361389, 38.115556);
    test_cond("the distance is that of the point from the center", fabs(distance - 190442.4) < 1);
    test_cond("the center is within", within(0, 0, 15, 37) && distance == 0);
    test_cond("in all four directions",
              within(2.1 * wide, 2.1 * high, 14, 37) && within(2.1 * wide, 2.1 * high, 16, 37) && within(2.1 * wide, 2.1 * high, 15, 36) &&
              within(2.1 * wide, 2.1 * high, 15, 38) && !within(1.9 * wide, 2.1 * high, 14, 37) && !within(2.1 * wide, 1.9 * high, 15, 36));
    test_cond("over the date line", geohashGetDistanceIfInRectangle(250000, 100, 179.5, 0, -179.5, 0, &distance) &&
              !geohashGetDistanceIfInRectangle(200000, 100, 179.5, 0, -179.5, 0, &distance));
    test_report();
    return 0;
}
