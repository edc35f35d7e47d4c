/* Shared by tests of quicklists: lists whose elements, in all kinds of nodes, are known by their number. */
#ifndef PLUS_QUICKLISTTEST_H
#define PLUS_QUICKLISTTEST_H
#include "../server.h"
#include "../testhelp.h"

/* The element: numbers, short strings, strings that compress well, and, where n ends in 9, one so large that it has a node of its own. */
static size_t element(int n, char *into) {
    if (n % 10 == 9) {
        memset(into,'p',200);
        return 200+sprintf(into+200,"%d",n);
    }
    if (n % 4 == 0) return sprintf(into,"%d",n);
    if (n % 4 == 1) return sprintf(into,"s%d",n);
    memset(into,'c',90);
    return 90+sprintf(into+90,"%d",n);
}

static void push(quicklist *ql, int n) {
    char value[300];
    size_t len = element(n,value);
    quicklistPushTail(ql,value,len);
}

/* The elements 0 to n-1, so many in a node, all but so many nodes at the ends compressed. */
static quicklist *listOf(int n, int fill, int compress) {
    quicklistisSetPackedThreshold(200);
    quicklist *ql = quicklistNew(fill,compress);
    for (int j = 0; j < n; j++) push(ql,j);
    return ql;
}

/* The number of the element that this entry is; -1 if it's none. */
static int numberOf(quicklistEntry *e) {
    char value[300], want[300];
    long long n;
    if (!e->value) {
        n = e->longval;
    } else {
        if (e->sz == 0 || e->sz >= sizeof(value)) return -1;
        memcpy(value,e->value,e->sz);
        value[e->sz] = '\0';
        n = atoi(value+strcspn(value,"0123456789"));
        if (element(n,want) != e->sz || memcmp(want,value,e->sz)) return -1;
    }
    if (!e->value && (n % 4 || n % 10 == 9)) return -1;
    return n;
}

/* What is left of the iteration, as a text of numbers; the iterator is released. */
static char walked[4096];
static const char *rest(quicklistIter *iter) {
    quicklistEntry e;
    walked[0] = '\0';
    int n = 0;
    while (n++ < 500 && quicklistNext(iter,&e)) sprintf(walked+strlen(walked),"%d ",numberOf(&e));
    quicklistReleaseIterator(iter);
    return walked;
}

/* From one number to another, both among them, as that text. */
static const char *range(int from, int to) {
    static char s[4096];
    s[0] = '\0';
    for (int j = from; from <= to ? j <= to : j >= to; j += from <= to ? 1 : -1) sprintf(s+strlen(s),"%d ",j);
    return s;
}

/* How many nodes are compressed; those at the ends never may be. */
static int compressed(quicklist *ql) {
    int n = 0;
    for (quicklistNode *node = ql->head; node; node = node->next) n += quicklistNodeIsCompressed(node);
    return n;
}

/* Whether the list, walked over by its nodes alone, holds these numbers; all counts are right. */
static int consists(quicklist *ql, const char *numbers) {
    char got[4096] = "";
    unsigned long nodes = 0, count = 0;
    for (quicklistNode *node = ql->head; node; node = node->next) {
        unsigned char *entry = node->entry, *raw = NULL;
        nodes++;
        count += node->count;
        if (quicklistNodeIsCompressed(node)) {
            void *data;
            size_t len = quicklistGetLzf(node,&data);
            entry = raw = zmalloc(node->sz);
            if (!lzf_decompress(data,len,raw,node->sz)) return 0;
        }
        quicklistEntry e = {.value = entry, .sz = node->sz};
        if (QL_NODE_IS_PLAIN(node)) {
            sprintf(got+strlen(got),"%d ",numberOf(&e));
        } else {
            for (unsigned char *p = lpFirst(entry); p; p = lpNext(entry,p)) {
                unsigned int sz = 0;
                e.value = lpGetValue(p,&sz,&e.longval);
                e.sz = sz;
                sprintf(got+strlen(got),"%d ",numberOf(&e));
            }
        }
        zfree(raw);
    }
    return nodes == ql->len && count == ql->count && !strcmp(got,numbers);
}
#endif
