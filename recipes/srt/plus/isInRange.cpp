/*---
 * tasks: [srt.isInRange-af8dbc]
 * tests:
 *   the start is in range: 'Comment: the range begins with iStartPos, a closed bracket.'
 *   the right edge is in range: 'Comment: "The right edge is included".'
 *   right behind the right edge is out of range: 'Comment: the range ends with (iStartPos + iMaxPosInc) % iSize.'
 *   right before the start is out of range: 'Comment: the range begins with iStartPos.'
 *   what lies between is in range: 'Comment: "in range".'
 *   without an increment only the start is in range: 'Comment: the range is then from iStartPos to iStartPos.'
 *   a range over the end goes on at the beginning: 'Comment: the end is taken modulo iSize.'
 *   the gap within a range over the end is out of range: 'Comment: the end is taken modulo iSize.'
 *   a range that ends at the very beginning includes it: 'Comment: modulo iSize, and "The right edge is included".'
 *   a range up to the last position does not wrap: 'Comment: the end is taken modulo iSize.'
 *   a range can start at the last position: 'Comment: the end is taken modulo iSize.'
 *   a range of the whole buffer holds each position: 'Comment: a closed range of iSize positions.'
 *   all ranges of small buffers are right: 'Comment: the range, modulo iSize, both ends included.'
 *   ranges of a large buffer are right: 'Comment: the range, modulo iSize, both ends included.'
 ---*/
#include "../../srtcore/buffer_rcv.cpp"
#include "plus.h"

static bool in(int start, int increment, int size, int pos)
{
    return srt::isInRange(start, increment, size_t(size), pos);
}

/* Steps from the start to a position, going round. */
static int steps(int start, int size, int pos)
{
    return pos >= start ? pos - start : pos + size - start;
}

int main()
{
    ok("the start is in range", in(3, 4, 10, 3) && in(0, 1, 10, 0) && in(8, 5, 10, 8));
    ok("the right edge is in range", in(3, 4, 10, 7) && in(0, 1, 10, 1) && in(0, 9, 10, 9));
    ok("right behind the right edge is out of range", !in(3, 4, 10, 8) && !in(0, 1, 10, 2) && !in(0, 8, 10, 9));
    ok("right before the start is out of range", !in(3, 4, 10, 2) && !in(1, 3, 10, 0) && !in(8, 5, 10, 7));
    ok("what lies between is in range", in(3, 4, 10, 4) && in(3, 4, 10, 5) && in(3, 4, 10, 6));
    {
        bool good = true;
        for (int start = 0; start < 6; start++)
            for (int pos = 0; pos < 6; pos++) good = good && in(start, 0, 6, pos) == (pos == start);
        ok("without an increment only the start is in range", good);
    }
    ok("a range over the end goes on at the beginning",
       in(8, 5, 10, 9) && in(8, 5, 10, 0) && in(8, 5, 10, 1) && in(8, 5, 10, 2) && in(8, 5, 10, 3));
    ok("the gap within a range over the end is out of range",
       !in(8, 5, 10, 4) && !in(8, 5, 10, 5) && !in(8, 5, 10, 6) && !in(8, 5, 10, 7));
    ok("a range that ends at the very beginning includes it",
       in(8, 2, 10, 0) && in(8, 2, 10, 9) && !in(8, 2, 10, 1) && !in(8, 2, 10, 7));
    ok("a range up to the last position does not wrap", in(6, 3, 10, 9) && !in(6, 3, 10, 0) && !in(6, 3, 10, 5));
    ok("a range can start at the last position",
       in(9, 1, 10, 9) && in(9, 1, 10, 0) && !in(9, 1, 10, 1) && !in(9, 1, 10, 8));
    {
        bool good = true;
        for (int start = 0; start < 7; start++)
            for (int pos = 0; pos < 7; pos++) good = good && in(start, 6, 7, pos);
        ok("a range of the whole buffer holds each position", good);
    }
    {
        bool good = true;
        for (int size = 1; size <= 12; size++)
            for (int start = 0; start < size; start++)
                for (int increment = 0; increment < size; increment++)
                    for (int pos = 0; pos < size; pos++)
                        good = good && in(start, increment, size, pos) == (steps(start, size, pos) <= increment);
        ok("all ranges of small buffers are right", good);
    }
    {
        const int size = 100003;
        const int probes[] = {0, 1, 2, 50000, 65535, 65536, 99999, 100000, 100001, 100002};
        bool good = true;
        for (int start : probes)
            for (int increment : probes)
                for (int pos : probes)
                    good = good && in(start, increment, size, pos) == (steps(start, size, pos) <= increment);
        ok("ranges of a large buffer are right", good);
    }
    return plus_end();
}
