/*---
 * tasks: [DAFD43712C86427A]
 * instead: [src/t_zset.o]
 * tests:
 *   no level is below 1: 'Docstring: "between 1 and ZSKIPLIST_MAXLEVEL (both inclusive)".'
 *   no level is above the maximum: 'Docstring: "between 1 and ZSKIPLIST_MAXLEVEL (both inclusive)".'
 *   most nodes have one level alone: 'Docstring: "higher levels are less likely"; server.h: ZSKIPLIST_P = 1/4.'
 *   a level is reached four times as often as the next:
 *     'Docstring: "powerlaw-alike distribution"; ZSKIPLIST_P = 1/4.'
 *   high levels are returned too: 'Docstring: "powerlaw-alike distribution where higher levels are less likely".'
 *   if every throw wins, the level is the maximum: 'Docstring: the maximum is inclusive and never passed.'
 *   if no throw wins, the level is 1: 'Docstring: the least level is 1.'
 ---*/
#include <stdlib.h>
/* The dice are ours: repeatable, and loaded when a test asks for it. A body that throws others is judged by what it
 * returns alone. */
#define random plusRandom
#define rand() ((int)plusRandom())
static long plusRandom(void);
#include "../t_zset.c"
#include "../testhelp.h"

static long loaded = -1;
static int throws;
static uint64_t state = 42;

static long plusRandom(void) {
    throws++;
    /* After so many wins in a row it must have stopped; an unbounded loop ends here. */
    if (loaded >= 0 && throws < 1000) return loaded;
    state = state*6364136223846793005ULL+1442695040888963407ULL;
    return state >> 33;
}

int main(void) {
    enum {N = 200000};
    int reached[ZSKIPLIST_MAXLEVEL+2] = {0}, low = 0, high = 0;
    for (int j = 0; j < N; j++) {
        int level = zslRandomLevel();
        if (level < 1) low++;
        if (level > ZSKIPLIST_MAXLEVEL) high++;
        for (int i = 1; i <= level && i <= ZSKIPLIST_MAXLEVEL; i++) reached[i]++;
    }
    int ours = throws > 0;
    throws = 0;
    loaded = 0;
    int top = zslRandomLevel();
    throws = 0;
    loaded = RAND_MAX;
    int bottom = zslRandomLevel();

    test_cond("no level is below 1", low == 0);
    test_cond("no level is above the maximum", high == 0 && top <= ZSKIPLIST_MAXLEVEL);
    test_cond("most nodes have one level alone", reached[2] > N*0.24 && reached[2] < N*0.26);
    int steady = 1;
    for (int i = 2; i < 4; i++)
        if (reached[i+1] < reached[i]*0.20 || reached[i+1] > reached[i]*0.30) steady = 0;
    test_cond("a level is reached four times as often as the next", steady);
    test_cond("high levels are returned too", reached[8] > 0);
    test_cond("if every throw wins, the level is the maximum", !ours || top == ZSKIPLIST_MAXLEVEL);
    test_cond("if no throw wins, the level is 1", !ours || bottom == 1);
    test_report();
    return 0;
}
