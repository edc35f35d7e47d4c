/* Goes where the suites don't: at a sample of calls, forks of the gold and of the candidates run on a state in which
 * one value was changed. Only states on which the gold returns normally, twice alike, count. */
#include "graft.h"

#include <stdio.h>

/* So many states at a call; more at a process's first calls, as there may be no others. */
#define STATES 8
#define FIRST_STATES 40
#define FIRST_CALLS 8
/* Of a process. */
#define MOST_CALLS 200
#define MOST_DIFFERENCES 3

static int probed;
static struct budget probing;

static int probe(long call, unsigned seed) {
    static char words[1024], told[1400];
    int status;
    if (!graft_forked(GOLD, GOLD, &status, seed)) return 1;
    const struct report *gold = graft_reports[GOLD];
    if (gold->how != RETURNED) return 0;
    for (int i = 0; i < NAMED(candidate_count); i++) {
        if (graft_shared->broke[i] >= MOST_DIFFERENCES || graft_shared->differences[i] >= MOST_DIFFERENCES) continue;
        const struct report *is = graft_reports[CANDIDATE + i];
        if (!graft_forked(CANDIDATE + i, CANDIDATE + i, &status, seed)) return 1;
        int confirmed = 0;
        if (is->how != RETURNED || graft_differs((const struct report *[]){gold, gold}, (const struct report *[]){is, is}, words, sizeof words))
            confirmed = graft_confirmed(i, seed, words, sizeof words);
        if (confirmed < 0) return 1;
        graft_shared->broke[i] += confirmed && is->how != RETURNED ? MOST_DIFFERENCES : confirmed;
        snprintf(told, sizeof told, "with %s: %s", gold->changed, words);
        graft_tell(i, call, confirmed ? "broke" : "probed", confirmed ? told : "");
        if (is->how == RETURNED && graft_tell_calls(i, call, seed, gold->changed)) return 1;
    }
    return 0;
}

int graft_probe(long call) {
    if (!probing.spent) probing = (struct budget){&graft_shared->probing, NAMED(most_microseconds) / 2, 0};
    if (probed++ >= MOST_CALLS || !graft_may_spend(&probing)) return 0;
    for (int i = 0; i < (probed > FIRST_CALLS ? STATES : FIRST_STATES) && graft_may_spend(&probing); i++)
        if (probe(call, (unsigned)call * FIRST_STATES + (unsigned)i + 1)) return 1;
    return 0;
}
