/*---
 * tasks: [geohashCommand-38365b.4, geohashCommand-38365b.8]
 * tests:
 *   a point within the radius: 'Comment: "C_OK if the point is within search area".'
 *   a point beyond the radius: 'Comment: "C_ERR if it is outside".'
 *   the radius is converted to metres: 'GeoShape: "conversion; km: 1000".'
 *   a point within a box: 'Comment: GeoShape, "the rectangle".'
 *   a point beyond the width: 'GeoShape: t.r.width.'
 *   a point beyond the height: 'GeoShape: t.r.height.'
 *   width and height are converted to metres: 'GeoShape: conversion.'
 *   a box reaches half its width and height to each side: 'BYBOX: the center is the middle.'
 *   the corner of a box is farther than its sides: 'geohashGetDistanceIfInRectangle: width and height apart.'
 *   the position is written, longitude first: 'Comment: "*xy is populated with the decoded lat,long".'
 *   the distance from the center is written in metres: 'Comment: "the distance between the center of the shape and the point"; the caller divides by the conversion.'
 *   the distance from the center is written for a box too: 'Comment: "*distance is populated".'
 *   the center itself is within: 'Comment: within search area.'
 *   the shape is as before: 'Comment: xy and distance are the output.'
 ---*/
#include "../server.h"
#include "../geohash_helper.h"
#include "../testhelp.h"

int geoWithinShape(GeoShape *shape, double score, double *xy, double *distance);

#define PALERMO 3479099956230698.0
#define CATANIA 3479447370796909.0

static double xy[2], distance;

static int inCircle(double lon, double lat, double radius, double conversion, double score) {
    GeoShape shape = {.type = CIRCULAR_TYPE, .xy = {lon, lat}, .conversion = conversion, .t.radius = radius};
    xy[0] = xy[1] = distance = -999;
    return geoWithinShape(&shape, score, xy, &distance) == C_OK;
}

static int inBox(double lon, double lat, double width, double height, double conversion, double score) {
    GeoShape shape = {.type = RECTANGLE_TYPE, .xy = {lon, lat}, .conversion = conversion};
    shape.t.r.width = width;
    shape.t.r.height = height;
    xy[0] = xy[1] = distance = -999;
    return geoWithinShape(&shape, score, xy, &distance) == C_OK;
}

int main(void) {
    test_cond("a point within the radius", inCircle(15, 37, 191, 1000, PALERMO) && inCircle(15, 37, 57, 1000, CATANIA));
    test_cond("a point beyond the radius", !inCircle(15, 37, 190, 1000, PALERMO) && !inCircle(15, 37, 56, 1000, CATANIA));
    test_cond("the radius is converted to metres",
              inCircle(15, 37, 57000, 1, CATANIA) && !inCircle(15, 37, 56000, 1, CATANIA) &&
              inCircle(15, 37, 36, 1609.34, CATANIA) && !inCircle(15, 37, 34, 1609.34, CATANIA));
    test_cond("a point within a box", inBox(15, 37, 400, 400, 1000, PALERMO) && inBox(15, 37, 400, 400, 1000, CATANIA));
    test_cond("a point beyond the width", !inBox(15, 37, 200, 400, 1000, PALERMO) && inBox(15, 37, 200, 400, 1000, CATANIA));
    test_cond("a point beyond the height", !inBox(15, 37, 400, 200, 1000, PALERMO) && !inBox(15, 37, 400, 100, 1000, CATANIA));
    test_cond("width and height are converted to metres",
              inBox(15, 37, 20000, 120000, 1, CATANIA) && !inBox(15, 37, 20000, 100000, 1, CATANIA) &&
              !inBox(15, 37, 10000, 120000, 1, CATANIA));
    test_cond("a box reaches half its width and height to each side",
              inBox(15.087269, 37, 1, 113, 1000, CATANIA) && !inBox(15.087269, 37, 1, 110, 1000, CATANIA) &&
              inBox(14, 37.502669, 193, 1, 1000, CATANIA) && !inBox(14, 37.502669, 190, 1, 1000, CATANIA));
    test_cond("the corner of a box is farther than its sides", inBox(15, 37, 300, 260, 1000, PALERMO) && distance > 150000);
    inCircle(15, 37, 200, 1000, PALERMO);
    int written = fabs(xy[0] - 13.361389) < 0.00001 && fabs(xy[1] - 38.115556) < 0.00001;
    int far = fabs(distance - 190442.4) < 5;
    inCircle(15, 37, 200, 1000, CATANIA);
    far &= fabs(distance - 56441.3) < 5;
    inBox(15, 37, 400, 400, 1000, PALERMO);
    written &= fabs(xy[0] - 13.361389) < 0.00001 && fabs(xy[1] - 38.115556) < 0.00001;
    test_cond("the position is written, longitude first", written);
    test_cond("the distance from the center is written in metres", far);
    test_cond("the distance from the center is written for a box too", fabs(distance - 190442.4) < 5);
    test_cond("the center itself is within",
              inCircle(13.361389, 38.115556, 1, 1, PALERMO) && distance < 1 && inBox(13.361389, 38.115556, 2, 2, 1, PALERMO));
    GeoShape shape = {.type = CIRCULAR_TYPE, .xy = {15, 37}, .conversion = 1000, .t.radius = 200}, before = shape;
    geoWithinShape(&shape, PALERMO, xy, &distance);
    test_cond("the shape is as before", !memcmp(&shape, &before, sizeof(shape)));
    test_report();
    return 0;
}
