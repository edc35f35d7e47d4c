/*---
 * tasks: [METIS_SetDefaultOptions-36e2ed]
 * tests:
 *   every option has its default: 'Docstring: "sets the default values"; options.c: -1 is the default.'
 *   the last option is set: 'Docstring: "an array of size at least METIS_NOPTIONS".'
 *   nothing behind the options is written: 'Docstring: the array may be no larger than METIS_NOPTIONS.'
 *   options that were set before are reset: 'Docstring: "sets the default values".'
 *   it returns METIS_OK: 'metis.h: the functions of the interface return METIS_OK.'
 *   a control made with them is that of no options: 'options.c: SetupCtrl takes NULL for the defaults.'
 ---*/
#include "plus.h"

static idx_t options[METIS_NOPTIONS + 8];

static int defaults(void) {
    for (int i = 0; i < METIS_NOPTIONS; i++)
        if (options[i] != -1) return 0;
    return 1;
}

int main(void) {
    for (int i = 0; i < METIS_NOPTIONS + 8; i++) options[i] = 1000 + i;
    int result = METIS_SetDefaultOptions(options);
    ok("every option has its default", defaults());
    ok("the last option is set", options[METIS_NOPTIONS - 1] == -1);
    int behind = 1;
    for (int i = METIS_NOPTIONS; i < METIS_NOPTIONS + 8; i++) behind &= options[i] == 1000 + i;
    ok("nothing behind the options is written", behind);
    ok("it returns METIS_OK", result == METIS_OK);
    options[METIS_OPTION_SEED] = 5;
    options[METIS_OPTION_NUMBERING] = 1;
    options[METIS_OPTION_OBJTYPE] = METIS_OBJTYPE_VOL;
    options[METIS_OPTION_DBGLVL] = 255;
    result = METIS_SetDefaultOptions(options);
    ok("options that were set before are reset", defaults() && result == METIS_OK);
    ctrl_t *a = SetupCtrl(METIS_OP_KMETIS, options, 1, 4, NULL, NULL);
    ctrl_t *b = SetupCtrl(METIS_OP_KMETIS, NULL, 1, 4, NULL, NULL);
    ok("a control made with them is that of no options",
       a && b && a->objtype == b->objtype && a->ctype == b->ctype && a->iptype == b->iptype && a->rtype == b->rtype &&
           a->niter == b->niter && a->ncuts == b->ncuts && a->seed == b->seed && a->numflag == b->numflag &&
           a->dbglvl == b->dbglvl && a->minconn == b->minconn && a->contig == b->contig && a->no2hop == b->no2hop &&
           a->ubfactors[0] == b->ubfactors[0]);
    return done();
}
