/*---
 * tasks: [srt.sync.genRandomInt-2061b3]
 * tests:
 *   a range of one number gives it: 'Docstring: "from [minVal; maxVal]".'
 *   both numbers of a range of two are given: 'Docstring: "from [minVal; maxVal]", a closed range.'
 *   the smallest and the largest are given: 'Docstring: "minimum allowed value", "maximum allowed value".'
 *   nothing outside the range is given: 'Docstring: "from [minVal; maxVal]".'
 *   a range of negative numbers works: 'Docstring: an integer "from [minVal; maxVal]"; int.'
 *   a range around zero works: 'Docstring: an integer "from [minVal; maxVal]"; int.'
 *   each number of a range is given: 'Docstring: "uniform-distributed".'
 *   each number is given as often: 'Docstring: "uniform-distributed".'
 *   the ends are given as often as the middle: 'Docstring: "uniform-distributed".'
 *   the largest integer can be an end: 'Docstring: "maximum allowed value"; caller: up to INT32_MAX.'
 *   the smallest integer can be an end: 'Docstring: "minimum allowed value"; int.'
 *   the range of all integers works: 'Docstring: an integer "from [minVal; maxVal]"; int.'
 *   a range of two thousand million is given evenly: 'Docstring: "uniform-distributed"; initial sequence numbers.'
 *   low bits of large numbers are drawn: 'Docstring: "uniform-distributed".'
 *   numbers differ from call to call: 'Docstring: "Generate a random integer".'
 *   one number tells nothing of the next: 'Docstring: "uniform-distributed random integer".'
 *   two processes get different numbers: 'Docstring: "uses std::random_device"; callers make socket IDs.'
 *   several threads can draw at once: 'Body of sync.cpp: callers draw in any thread; socket IDs, sequence numbers.'
 ---*/
#include "platform_sys.h"
#include "sync.h"
#include "plus.h"
#include <atomic>
#include <climits>
#include <sys/wait.h>
#include <thread>
#include <vector>

using srt::sync::genRandomInt;

/* Bounds are so wide that a fair generator misses none of them once in a thousand million years. */
static const int DRAWS = 16000;

static const char *program;

/* The first numbers that another process of this program draws. */
static bool child(int *numbers, int count)
{
    int ends[2];
    if (pipe(ends) != 0) return false;
    const pid_t pid = fork();
    if (pid == 0) {
        dup2(ends[1], 1);
        execl(program, program, "draw", (char *)NULL);
        _exit(98);
    }
    close(ends[1]);
    const ssize_t got = read(ends[0], numbers, count * sizeof *numbers);
    close(ends[0]);
    int status = -1;
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0 && got == ssize_t(count * sizeof *numbers);
}

struct Draws {
    bool inside;
    std::vector<int> counts;    /* for each part of the range, how often it was drawn */
    int least, most;
    Draws(int min, int max, int parts) : inside(true), counts(parts), least(INT_MAX), most(INT_MIN)
    {
        const double size = double(max) - min + 1;
        for (int i = 0; i < DRAWS; i++) {
            const int n = genRandomInt(min, max);
            if (n < min || n > max) {
                inside = false;
                continue;
            }
            if (n < least) least = n;
            if (n > most) most = n;
            counts[int((double(n) - min) / size * parts)]++;
        }
    }
    bool even() const
    {
        const int fair = DRAWS / counts.size();
        for (int c : counts)
            if (c < fair * 3 / 4 || c > fair * 5 / 4) return false;
        return inside;
    }
};

int main(int argc, char **argv)
{
    if (argc > 1) {
        int numbers[4];
        for (int &n : numbers) n = genRandomInt(INT_MIN, INT_MAX);
        return write(1, numbers, sizeof numbers) < 0;
    }
    program = argv[0];
    {
        int one[4], other[4];
        const bool good = child(one, 4) && child(other, 4);
        ok("two processes get different numbers", good && memcmp(one, other, sizeof one) != 0);
    }
    {
        bool good = true;
        for (int n : {0, 1, -1, 17, -40000, INT_MAX, INT_MIN})
            for (int i = 0; i < 50; i++) good = genRandomInt(n, n) == n && good;
        ok("a range of one number gives it", good);
    }
    {
        const Draws bits(0, 1, 2), pair(-8, -7, 2);
        ok("both numbers of a range of two are given", bits.even() && pair.even());
    }
    {
        const Draws ten(10, 19, 10), small(-5, 5, 11), below(-30, -21, 10), eight(100, 107, 8);
        ok("the smallest and the largest are given",
           ten.least == 10 && ten.most == 19 && eight.least == 100 && eight.most == 107);
        ok("nothing outside the range is given", ten.inside && small.inside && below.inside && eight.inside);
        ok("a range of negative numbers works", below.even() && below.least == -30 && below.most == -21);
        ok("a range around zero works", small.inside && small.least == -5 && small.most == 5);
        bool each = true;
        for (int c : ten.counts) each = each && c > 0;
        for (int c : small.counts) each = each && c > 0;
        ok("each number of a range is given", each);
        ok("each number is given as often", eight.even() && ten.even() && small.even());
        const Draws four(1, 4, 4);
        ok("the ends are given as often as the middle", four.even());
    }
    {
        const Draws top(INT_MAX - 3, INT_MAX, 4), bottom(INT_MIN, INT_MIN + 3, 4);
        ok("the largest integer can be an end", top.even() && top.most == INT_MAX && top.least == INT_MAX - 3);
        ok("the smallest integer can be an end",
           bottom.even() && bottom.least == INT_MIN && bottom.most == INT_MIN + 3);
        const Draws all(INT_MIN, INT_MAX, 8);
        ok("the range of all integers works", all.even() && all.least < INT_MIN / 2 && all.most > INT_MAX / 2);
        const Draws half(0, INT_MAX, 8), lower(INT_MIN, 0, 8), shifted(-1000, INT_MAX - 5000, 8);
        ok("a range of two thousand million is given evenly", half.even() && lower.even() && shifted.even());
    }
    {
        int bits[8] = {}, same = 0, rises = 0, last = genRandomInt(0, INT_MAX);
        for (int i = 0; i < DRAWS; i++) {
            const int n = genRandomInt(0, INT_MAX);
            for (int b = 0; b < 8; b++) bits[b] += n >> b & 1;
            same += n == last;
            rises += n > last;
            last = n;
        }
        bool drawn = true;
        for (int b : bits) drawn = drawn && b > DRAWS * 2 / 5 && b < DRAWS * 3 / 5;
        ok("low bits of large numbers are drawn", drawn);
        ok("numbers differ from call to call", same < 10 && rises > DRAWS * 2 / 5 && rises < DRAWS * 3 / 5);
    }
    {
        int pairs[4][4] = {}, last = genRandomInt(0, 3);
        for (int i = 0; i < DRAWS; i++) {
            const int n = genRandomInt(0, 3) & 3;
            pairs[last & 3][n]++;
            last = n;
        }
        bool good = true;
        for (int i = 0; i < 16; i++) good = good && pairs[i / 4][i % 4] > 700 && pairs[i / 4][i % 4] < 1300;
        ok("one number tells nothing of the next", good);
    }
    {
        std::atomic<int> inside(0);
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; t++)
            threads.push_back(std::thread([&inside] {
                for (int i = 0; i < 5000; i++) {
                    const int n = genRandomInt(-100, 100);
                    if (n >= -100 && n <= 100) inside++;
                }
            }));
        for (std::thread &thread : threads) thread.join();
        ok("several threads can draw at once", inside == 20000);
    }
    return plus_end();
}
