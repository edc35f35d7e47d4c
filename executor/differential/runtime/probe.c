/* Goes where the suites don't: at a sample of calls, forks of the gold and of the candidates run on a state in which
 * one value was changed. Only states on which the gold returns normally, twice alike, count. */
#include "graft.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#ifndef GRAFT_PROBES
#define GRAFT_PROBES 4
#endif
/* Of a process. */
#define MOST_CALLS 40
#define MOST_SECONDS (1.5 + 0.25 * NAMED(candidate_count))
#define MOST_DIFFERENCES 3

static int differences[MOST_CANDIDATES], probed;
static double spent;

static int probe(long call, unsigned seed) {
    static char is[MOST_CANDIDATES][80], words[1024], told[1300], again[80];
    static int is_alike[MOST_CANDIDATES];
    struct timespec moment = {0, 3000000};
    int status, count = NAMED(candidate_count), are_alike = 1;
    if (!graft_forked(GOLD, &status, seed)) return 1;
    if (graft_reports[GOLD]->how != RETURNED) return 0;
    for (int i = 0; i < count; i++) {
        if (differences[i] >= MOST_DIFFERENCES) continue;
        struct report *report = graft_reports[CANDIDATE + i];
        if (!graft_forked(CANDIDATE + i, &status, seed)) return 1;
        graft_ending(report, status, is[i], sizeof is[i]);
        is_alike[i] = report->how == RETURNED &&
                      !graft_differs(graft_reports[GOLD], report, graft_reports[GOLD], words, sizeof words);
        are_alike &= is_alike[i];
    }
    if (!are_alike) {
        nanosleep(&moment, NULL);
        if (!graft_forked(GOLD_AGAIN, &status, seed)) return 1;
        graft_ending(graft_reports[GOLD_AGAIN], status, again, sizeof again);
        if (graft_reports[GOLD_AGAIN]->how != RETURNED) return 0;
    }
    for (int i = 0; i < count; i++) {
        struct report *report = graft_reports[CANDIDATE + i];
        if (differences[i] >= MOST_DIFFERENCES) continue;
        if (is_alike[i] ||
            (report->how == RETURNED &&
             !graft_differs(graft_reports[GOLD], report, graft_reports[GOLD_AGAIN], words, sizeof words))) {
            graft_tell(i, call, "probed", "");
            continue;
        }
        if (report->how != RETURNED) snprintf(words, sizeof words, "its end: it returns; now %s", is[i]);
        snprintf(told, sizeof told, "with %s: %s", graft_reports[GOLD]->changed, words);
        graft_tell(i, call, "broke", told);
        differences[i]++;
    }
    return 0;
}

int graft_probe(long call) {
    double begun = graft_now();
    if (probed++ >= MOST_CALLS || spent > MOST_SECONDS) return 0;
    for (int i = 0; i < GRAFT_PROBES; i++)
        if (probe(call, (unsigned)call * GRAFT_PROBES + (unsigned)i + 1)) return 1;
    spent += graft_now() - begun;
    return 0;
}
