/*---
 * tasks: [AllocateRefinementWorkSpace-d6c087]
 * tests:
 *   the pool has the given size: 'struct.h: nbrpoolsize, "number of {c,v}nbr_t entries that have been allocated".'
 *   the pool is empty: 'struct.h: nbrpoolcpos, "position of the first free entry".'
 *   the pool was not resized yet: 'struct.h: nbrpoolreallocs, "number of times the pool was resized".'
 *   for the cut there is room for all entries: 'struct.h: cnbrpool, "the pool of cnbr_t entries".'
 *   for the cut there is no pool of the volume: 'struct.h: each objective has a pool of its own.'
 *   the pool gives out its entries: 'wspace.c: cnbrpoolGetNext.'
 *   a full pool grows: 'wspace.c: cnbrpoolGetNext reallocates it.'
 *   for the volume there is room for all entries: 'struct.h: vnbrpool, "the pool of vnbr_t entries".'
 *   for the volume there is no pool of the cut: 'struct.h: each objective has a pool of its own.'
 *   another objective is an error: 'GKlib: SIGERR; siblings as AllocateKWayPartitionMemory.'
 *   without minconn there is no graph of the subdomains: 'FreeWorkSpace frees it only if minconn is set.'
 *   with minconn the vectors have room for each part: 'struct.h: pvec1, pvec2, "nparts-size vectors"; nads.'
 *   with minconn each part has room for the first domains: 'struct.h: maxnads, "maximum allocated number"; defs.h.'
 *   with minconn each part knows how many that are: 'struct.h: maxnads, "maximum allocated number".'
 *   with minconn for the volume there is the graph, too: 'struct.h: the subdomain graph.'
 *   no block is used twice: 'struct.h: the fields are arrays of their own.'
 *   FreeWorkSpace frees all of it: 'Docstring: "refinement-specific memory for the workspace".'
 *   the rest of the control is left as it is: 'Docstring: it allocates memory.'
 ---*/
#include "plus.h"

enum { PARTS = 7, POOL = 43 };

static ctrl_t *make(mobjtype_et type, idx_t minconn) {
    ctrl_t *ctrl = calloc(1, sizeof *ctrl);
    ctrl->objtype = type;
    ctrl->nparts = PARTS;
    ctrl->ncon = 2;
    ctrl->minconn = minconn;
    ctrl->nbrpoolsize = 99;
    ctrl->nbrpoolcpos = 98;
    ctrl->nbrpoolreallocs = 97;
    ctrl->mcore = gk_mcoreCreate(0);
    return ctrl;
}

static int matrix(idx_t **m, size_t columns) {
    if (!has(m, PARTS * sizeof *m)) return 0;
    for (int i = 0; i < PARTS; i++)
        if (!has(m[i], columns * sizeof **m)) return 0;
    for (int i = 0; i < PARTS; i++)
        for (int j = 0; j < i; j++)
            if (m[i] == m[j]) return 0;
    return 1;
}

int main(void) {
    ctrl_t *ctrl = make(METIS_OBJTYPE_CUT, 0);
    gk_mcore_t *core = ctrl->mcore;
    AllocateRefinementWorkSpace(ctrl, POOL);
    ok("the pool has the given size", ctrl->nbrpoolsize == POOL);
    ok("the pool is empty", ctrl->nbrpoolcpos == 0);
    ok("the pool was not resized yet", ctrl->nbrpoolreallocs == 0);
    ok("for the cut there is room for all entries", has(ctrl->cnbrpool, POOL * sizeof(cnbr_t)));
    ok("for the cut there is no pool of the volume", ctrl->vnbrpool == NULL);
    ok("without minconn there is no graph of the subdomains",
       !ctrl->pvec1 && !ctrl->pvec2 && !ctrl->maxnads && !ctrl->nads && !ctrl->adids && !ctrl->adwgts);
    ok("the rest of the control is left as it is",
       ctrl->objtype == METIS_OBJTYPE_CUT && ctrl->nparts == PARTS && ctrl->ncon == 2 && !ctrl->minconn &&
           ctrl->mcore == core && core->cmop == 0 && !ctrl->maxvwgt && !ctrl->tpwgts);
    idx_t a = cnbrpoolGetNext(ctrl, 40), b = cnbrpoolGetNext(ctrl, 3);
    ok("the pool gives out its entries", a == 0 && b == 40 && ctrl->nbrpoolreallocs == 0);
    a = cnbrpoolGetNext(ctrl, 1);
    ok("a full pool grows", a == POOL && ctrl->nbrpoolreallocs == 1 && ctrl->nbrpoolsize > POOL &&
                                has(ctrl->cnbrpool, ctrl->nbrpoolsize * sizeof(cnbr_t)));
    FreeWorkSpace(ctrl);
    free(ctrl);

    ctrl = make(METIS_OBJTYPE_VOL, 0);
    AllocateRefinementWorkSpace(ctrl, POOL);
    ok("for the volume there is room for all entries",
       has(ctrl->vnbrpool, POOL * sizeof(vnbr_t)) && ctrl->nbrpoolsize == POOL && ctrl->nbrpoolcpos == 0);
    ok("for the volume there is no pool of the cut", ctrl->cnbrpool == NULL);
    FreeWorkSpace(ctrl);
    free(ctrl);

    ctrl = make(METIS_OBJTYPE_CUT, 1);
    AllocateRefinementWorkSpace(ctrl, POOL);
    ok("with minconn the vectors have room for each part",
       has(ctrl->pvec1, PARTS * sizeof(idx_t)) && has(ctrl->pvec2, PARTS * sizeof(idx_t)) &&
           has(ctrl->nads, PARTS * sizeof(idx_t)));
    ok("with minconn each part has room for the first domains",
       matrix(ctrl->adids, INIT_MAXNAD) && matrix(ctrl->adwgts, INIT_MAXNAD));
    int known = has(ctrl->maxnads, PARTS * sizeof(idx_t));
    for (int i = 0; known && i < PARTS; i++) known = ctrl->maxnads[i] == INIT_MAXNAD;
    ok("with minconn each part knows how many that are", known);
    void *blocks[] = {ctrl->pvec1, ctrl->pvec2, ctrl->nads, ctrl->maxnads, ctrl->adids, ctrl->adwgts, ctrl->cnbrpool};
    int apart = ctrl->adids && ctrl->adwgts && ctrl->adids[0] != ctrl->adwgts[0];
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < i; j++) apart &= blocks[i] != blocks[j];
    ok("no block is used twice", apart);
    FreeWorkSpace(ctrl);
    free(ctrl);

    ctrl = make(METIS_OBJTYPE_VOL, 1);
    AllocateRefinementWorkSpace(ctrl, POOL);
    ok("with minconn for the volume there is the graph, too",
       has(ctrl->vnbrpool, POOL * sizeof(vnbr_t)) && matrix(ctrl->adids, INIT_MAXNAD) &&
           matrix(ctrl->adwgts, INIT_MAXNAD) && has(ctrl->pvec1, PARTS * sizeof(idx_t)) && ctrl->maxnads &&
           ctrl->maxnads[PARTS - 1] == INIT_MAXNAD);
    FreeWorkSpace(ctrl);
    free(ctrl);

    size_t before = held();
    for (int i = 0; i < 100; i++) {
        ctrl = make(i & 1 ? METIS_OBJTYPE_CUT : METIS_OBJTYPE_VOL, i & 2);
        AllocateRefinementWorkSpace(ctrl, POOL);
        FreeWorkSpace(ctrl);
        free(ctrl);
    }
    ok("FreeWorkSpace frees all of it", held() < before + 4096);

    int number;
    ctrl = make(METIS_OBJTYPE_NODE, 0);
    SIGNAL_OF(number, AllocateRefinementWorkSpace(ctrl, POOL));
    ok("another objective is an error", number == SIGERR);
    return done();
}
