/*---
 * tasks: [geohashCommand-38365b.8]
 * tests:
 *   a point within the radius: 'The name; the caller returns what it gives.'
 *   a point beyond the radius: 'The name.'
 *   the distance is written: 'Signature: distance; geoWithinShape: "*distance is populated with the distance".'
 *   the point at the center is within a radius of 0: 'The name: not farther than the radius.'
 *   both points count, longitude first: 'Signature: x1, y1, x2, y2.'
 *   a point at just the radius is within: 'GEORADIUS: "the borders of the area ... maximum distance from the center".'
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

static int within(double x1, double y1, double x2, double y2, double radius) {
    distance = -1;
    return geohashGetDistanceIfInRadius(x1, y1, x2, y2, radius, &distance);
}

int main(void) {
    test_cond("a point within the radius", within(15, 37, 13.361389, 38.115556, 190500) && within(15, 37, 15.087269, 37.502669, 56500));
    test_cond("a point beyond the radius", !within(15, 37, 13.361389, 38.115556, 190400) && !within(15, 37, 15.087269, 37.502669, 56400));
    within(15, 37, 13.361389, 38.115556, 200000);
    int written = fabs(distance - 190442.4) < 1;
    within(15, 37, 15.087269, 37.502669, 200000);
    test_cond("the distance is written", written && fabs(distance - 56441.3) < 1);
    test_cond("the point at the center is within a radius of 0", within(3, 4, 3, 4, 0) && distance == 0 && !within(3, 4, 3, 4.001, 0));
    test_cond("both points count, longitude first",
              within(100, 10, 101, 10, 110000) && !within(10, 80, 11, 80, 19000) && within(10, 80, 11, 80, 20000) && !within(10, 80, 10, 81, 20000));
    double exact = geohashGetDistance(15, 37, 13, 38);
    test_cond("a point at just the radius is within", within(15, 37, 13, 38, exact) && !within(15, 37, 13, 38, exact - 0.001));
    test_report();
    return 0;
}
