/*---
 * tasks: [lpValidateNext-879598.8]
 * instead: [src/t_stream.o]
 * tests:
 *   a smaller time is -1: 'Comment: "Return -1 if a < b".'
 *   a greater time is 1: 'Comment: "1 if a > b".'
 *   equal IDs are 0: 'Comment: "0 if a == b".'
 *   at the same time the sequence decides: 'stream.h: a 128 bit number of a time and a sequence.'
 *   the time decides before the sequence: 'stream.h: "a milliseconds time and a sequence counter".'
 *   large numbers are unsigned: 'stream.h: uint64_t.'
 *   differences that do not fit in an int: 'stream.h: uint64_t; the result is an int.'
 *   an ID is equal to itself: 'Comment: "0 if a == b".'
 *   the other way round it is the opposite: 'Comment: -1 and 1.'
 *   the IDs stay as they are: 'Name: compare.'
 ---*/
#include "streamtest.h"

static int compare(uint64_t ams, uint64_t aseq, uint64_t bms, uint64_t bseq) {
    streamID a = {ams,aseq}, b = {bms,bseq};
    return streamCompareID(&a,&b);
}

int main(void) {
    uint64_t max = UINT64_MAX;
    test_cond("a smaller time is -1", compare(1,5,2,5) == -1 && compare(0,0,1,0) == -1 && compare(1700000000000,0,1700000000001,0) == -1);
    test_cond("a greater time is 1", compare(2,5,1,5) == 1 && compare(1,0,0,0) == 1);
    test_cond("equal IDs are 0", compare(0,0,0,0) == 0 && compare(7,9,7,9) == 0 && compare(max,max,max,max) == 0);
    test_cond("at the same time the sequence decides", compare(5,1,5,2) == -1 && compare(5,2,5,1) == 1 &&
              compare(0,0,0,1) == -1 && compare(0,1,0,0) == 1);
    test_cond("the time decides before the sequence", compare(1,9,2,0) == -1 && compare(2,0,1,9) == 1 &&
              compare(1,max,2,0) == -1 && compare(2,0,1,max) == 1);
    test_cond("large numbers are unsigned", compare(max,0,1,0) == 1 && compare(1,0,max,0) == -1 &&
              compare(5,max,5,1) == 1 && compare(5,1,5,max) == -1 && compare((uint64_t)1<<63,0,((uint64_t)1<<63)-1,0) == 1);
    test_cond("differences that do not fit in an int", compare((uint64_t)1<<32,0,0,0) == 1 &&
              compare(0,0,(uint64_t)1<<32,0) == -1 && compare(3,(uint64_t)1<<40,3,0) == 1 &&
              compare(3,0,3,(uint64_t)1<<40) == -1 && compare((uint64_t)1<<31,0,0,0) == 1 && compare(0,0,(uint64_t)1<<31,0) == -1);
    streamID a = {3,4}, b = {3,5};
    test_cond("an ID is equal to itself", streamCompareID(&a,&a) == 0 && streamCompareID(&b,&b) == 0);
    int opposite = 1;
    uint64_t n[] = {0,1,2,max-1,max};
    for (int i = 0; i < 625; i++) {
        uint64_t w = n[i%5], x = n[i/5%5], y = n[i/25%5], z = n[i/125];
        int want = w < y || (w == y && x < z) ? -1 : w == y && x == z ? 0 : 1;
        opposite &= compare(w,x,y,z) == want && compare(y,z,w,x) == -want;
    }
    test_cond("the other way round it is the opposite", opposite);
    streamCompareID(&a,&b);
    test_cond("the IDs stay as they are", isID(a,3,4) && isID(b,3,5));
    test_report();
    return 0;
}
