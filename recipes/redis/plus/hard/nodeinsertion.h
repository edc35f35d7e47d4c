/* Shared by tests of what puts a node into a quicklist: lists of nodes of one element, and what they look like after it. */
#ifndef PLUS_NODEINSERTION_H
#define PLUS_NODEINSERTION_H
#include "quicknodes.h"

static quicklist *ql;

static void make(int n, int compress) {
    char counts[40] = "";
    if (ql) quicklistRelease(ql);
    memset(counts,'2',n);
    ql = nodesOf(counts,compress);
}

/* A node of two elements that compress well, 102 and 106, in no list. */
static quicklistNode *fresh(void) {
    char value[300];
    quicklistNode *node = quicklistCreateNode();
    node->entry = lpNew(0);
    node->entry = lpAppend(node->entry,(unsigned char*)value,element(102,value));
    node->entry = lpAppend(node->entry,(unsigned char*)value,element(106,value));
    node->count = 2;
    node->sz = lpBytes(node->entry);
    return node;
}

/* Whether the nodes are linked in both ways, and the list knows how many there are and which are the ends. */
static int linked(quicklist *ql) {
    unsigned long n = 0, m = 0;
    quicklistNode *before = NULL, *behind = NULL;
    for (quicklistNode *node = ql->head; node && n < 1000; before = node, node = node->next) n++;
    for (quicklistNode *node = ql->tail; node && m < 1000; behind = node, node = node->prev) m++;
    return n == ql->len && m == n && before == ql->tail && behind == ql->head;
}

/* The place of the node. */
static int placeOf(quicklist *ql, quicklistNode *wanted) {
    int n = 0;
    for (quicklistNode *node = ql->head; node; node = node->next, n++) if (node == wanted) return n;
    return -1;
}

/* Whether the nodes that were there before are still in their order. */
static int keep(quicklist *ql, quicklistNode **was, int n, quicklistNode *except) {
    int j = 0;
    for (quicklistNode *node = ql->head; node; node = node->next) {
        if (node == except) continue;
        if (j >= n || node != was[j++]) return 0;
    }
    return j == n;
}
#endif
