/* Shared by tests of a quicklist's nodes, which hold quicklist.c: whether all of the list's and its nodes' fields agree. */
#ifndef PLUS_QUICKNODES_H
#define PLUS_QUICKNODES_H
/* Its tests have clocks of their own under the names of the server's. */
#define ustime quicklistUstime
#define mstime quicklistMstime
#include "../quicklist.c"
#undef ustime
#undef mstime
#include "quicklisttest.h"

/* What quicklist.c says of a compression that is worth it. */
static int compressible(quicklistNode *node) {
    static char into[100000];
    if (node->sz < MIN_COMPRESS_BYTES) return 0;
    unsigned int n = lzf_compress(node->entry,node->sz,into,node->sz);
    return n && n+MIN_COMPRESS_IMPROVE < node->sz;
}

/* Links, counts and sizes; no flag of a node in use is left. */
static int sound(quicklist *ql) {
    unsigned long nodes = 0, count = 0;
    quicklistNode *before = NULL;
    int right = 1;
    for (quicklistNode *node = ql->head; node && nodes < 10000; before = node, node = node->next) {
        nodes++, count += node->count;
        right &= node->prev == before && node->count > 0 && !node->recompress && !node->dont_compress;
        if (QL_NODE_IS_PLAIN(node)) right &= node->count == 1;
        else if (!quicklistNodeIsCompressed(node))
            right &= node->count == lpLength(node->entry) && node->sz == lpBytes(node->entry);
    }
    right &= ql->tail == before && nodes == ql->len && count == ql->count;
    if (!right) printf("# not sound\n");
    return right;
}

/* Nodes within the depth of the ends aren't compressed, all others are where it's worth it. */
static int depthIsRight(quicklist *ql) {
    unsigned long at = 0;
    int right = 1;
    for (quicklistNode *node = ql->head; node; node = node->next, at++) {
        int end = !ql->compress || at < ql->compress || at+ql->compress >= ql->len;
        right &= end ? !quicklistNodeIsCompressed(node) : quicklistNodeIsCompressed(node) || !compressible(node);
    }
    if (!right) printf("# depth\n");
    return right;
}

/* Nodes within the depth of the ends aren't compressed. */
static int endsAreRaw(quicklist *ql) {
    unsigned long at = 0;
    int right = 1;
    for (quicklistNode *node = ql->head; node; node = node->next, at++)
        right &= (at >= ql->compress && at+ql->compress < ql->len) || !quicklistNodeIsCompressed(node);
    return right;
}

/* The counts of the nodes as a text, p for a plain one. */
static const char *nodes(quicklist *ql) {
    static char s[2000];
    s[0] = '\0';
    for (quicklistNode *node = ql->head; node; node = node->next)
        sprintf(s+strlen(s),QL_NODE_IS_PLAIN(node) ? "p " : "%d ",node->count);
    return s;
}

static quicklistNode *nth(quicklist *ql, int n) {
    quicklistNode *node = n < 0 ? ql->tail : ql->head;
    while (node && (n > 0 || n < -1)) node = n > 0 ? (n--,node->next) : (n++,node->prev);
    return node;
}

/* A list of the numbers from 0 on, in nodes of these counts, p for a plain one, which needs a number that ends in 9. */
static quicklist *nodesOf(const char *counts, int compress) {
    quicklist *ql = listOf(0,30,compress);
    int n = 0;
    for (const char *p = counts; *p; p++) {
        char value[300];
        size_t len;
        if (*p == 'p') {
            while (n % 10 != 9) n++;
            len = element(n++,value);
            quicklistAppendPlainNode(ql,memcpy(zmalloc(len),value,len),len);
            continue;
        }
        unsigned char *lp = lpNew(0);
        for (int j = *p-'0'; j; j--) {
            if (n % 10 == 9) n++;
            len = element(n++,value);
            lp = lpAppend(lp,(unsigned char*)value,len);
        }
        quicklistAppendListpack(ql,lp);
    }
    return ql;
}

/* The numbers in it, as text. */
static const char *numbers(quicklist *ql) {
    return rest(quicklistGetIterator(ql,AL_START_HEAD));
}

/* The numbers in a node that isn't compressed. */
static const char *inNode(quicklistNode *node) {
    static char s[2000];
    s[0] = '\0';
    quicklistEntry e = {.value = node->entry, .sz = node->sz};
    if (QL_NODE_IS_PLAIN(node)) {
        sprintf(s,"%d ",numberOf(&e));
    } else {
        for (unsigned char *p = lpFirst(node->entry); p; p = lpNext(node->entry,p)) {
            unsigned int sz = 0;
            e.value = lpGetValue(p,&sz,&e.longval);
            e.sz = sz;
            sprintf(s+strlen(s),"%d ",numberOf(&e));
        }
    }
    return s;
}
#endif
