/*---
 * tasks: [quicklistNext-d720b0.16]
 * instead: [src/quicklist.o]
 * tests:
 *   the two nodes before are merged: 'Comment: "(center->prev->prev, center->prev)".'
 *   the two nodes behind are merged: 'Comment: "(center->next, center->next->next)".'
 *   the center and the node before are merged: 'Comment: "(center->prev, center)".'
 *   the center and the node behind are merged: 'Comment: "(center, center->next)".'
 *   what was merged is merged further where it fits: 'Comment: all four pairs, with "new ''center'' after merging".'
 *   nodes further off are left alone: 'Comment: "within two nodes on either side of ''center''".'
 *   what does not fit is not merged: '_quicklistNodeAllowMerge: the limits of fill.'
 *   a pair that just fits is merged: 'quicklistNodeExceedsLimit: count > limit.'
 *   all shapes of small lists merge as stated: 'Comment: the four pairs in their order.'
 *   the new center is returned: 'Comment: "Returns the new ''center'' after merging".'
 *   without a merge the center itself is returned: 'Comment: "Returns the new ''center''"; caller quicklistReplaceEntry goes on with it.'
 *   a center at an end of the list: 'Callers pass the first and the last node.'
 *   the only node: 'Callers: a list of one node.'
 *   plain nodes are not merged: '_quicklistNodeAllowMerge; quicklistNode: a plain node is a single item.'
 *   a fill of bytes limits as well: 'quicklistNodeLimit: a negative fill.'
 *   elements keep their order: '_quicklistListpackMerge: "a must be to the LEFT of b".'
 *   the list counts its nodes and elements: 'quicklist: count, len.'
 *   compressed nodes are merged: '_quicklistListpackMerge decompresses.'
 *   the ends stay uncompressed and inner nodes compressed: 'quicklist: compress, "depth of end nodes not to compress".'
 *   bookmarks follow: 'quicklist.h: bookmarks; __quicklistDelNode.'
 *   nothing is left behind: 'The unused node is freed.'
 ---*/
#include "quicknodes.h"

static quicklist *ql;

/* Nodes of these counts, merged about the one at this place; gives the counts then, the returned node in brackets. */
static const char *merged(const char *counts, int center, int fill, int compress) {
    static char s[200];
    if (ql) quicklistRelease(ql);
    ql = nodesOf(counts,compress);
    quicklistSetFill(ql,fill);
    quicklistNode *got = _quicklistMergeNodes(ql,nth(ql,center));
    s[0] = '\0';
    for (quicklistNode *node = ql->head; node; node = node->next) {
        const char *form = node == got ? "[%d]" : "%d";
        if (QL_NODE_IS_PLAIN(node)) strcat(s,node == got ? "[p]" : "p");
        else sprintf(s+strlen(s),form,node->count);
    }
    return s;
}

static int gives(const char *counts, int center, int fill, const char *want) {
    int same = !strcmp(merged(counts,center,fill,0),want) && sound(ql);
    if (!same) printf("# %s of %s (%d): %s\n",merged(counts,center,fill,0),counts,center,want);
    return same;
}

/* The same by counts alone. */
static const char *expected(const char *counts, int center, int fill) {
    static char s[200];
    int n = strlen(counts), v[20], c = center;
    for (int j = 0; j < n; j++) v[j] = counts[j]-'0';
#define FITS(a,b) ((a) >= 0 && (b) < n && v[a]+v[b] <= fill)
#define JOIN(a) do { v[a] += v[(a)+1]; memmove(v+(a)+1,v+(a)+2,sizeof(int)*(n-(a)-2)); n--; } while (0)
    if (FITS(c-2,c-1)) { JOIN(c-2); c--; }
    if (FITS(c+1,c+2)) JOIN(c+1);
    if (FITS(c-1,c)) { JOIN(c-1); c--; }
    if (FITS(c,c+1)) JOIN(c);
    s[0] = '\0';
    for (int j = 0; j < n; j++) sprintf(s+strlen(s),j == c ? "[%d]" : "%d",v[j]);
    return s;
}

int main(void) {
    size_t memory = zmalloc_used_memory();
    test_cond("the two nodes before are merged", gives("224",2,4,"4[4]") && gives("13444",2,4,"4[4]44"));
    test_cond("the two nodes behind are merged", gives("422",0,4,"[4]4") && gives("44431",2,4,"44[4]4"));
    test_cond("the center and the node before are merged", gives("4314",2,4,"4[4]4") && gives("13",1,4,"[4]"));
    test_cond("the center and the node behind are merged", gives("4134",1,4,"4[4]4") && gives("31",0,4,"[4]"));
    test_cond("what was merged is merged further where it fits", gives("11111",2,5,"[5]") && gives("11111",2,3,"[3]2") &&
              gives("1111",1,4,"[4]") && gives("12121",2,4,"[4]3") && gives("1214",1,4,"[4]4"));
    test_cond("nodes further off are left alone", gives("1113111",3,3,"12[3]21") && gives("1131111",2,3,"2[3]211"));
    test_cond("what does not fit is not merged", gives("323",1,4,"3[2]3") && gives("33333",2,5,"33[3]33") &&
              gives("232",1,4,"2[3]2"));
    test_cond("a pair that just fits is merged", gives("332",1,6,"[6]2") && gives("233",2,6,"5[3]") && gives("24",1,6,"[6]") &&
              gives("25",1,6,"2[5]"));
    test_cond("without a merge the center itself is returned", gives("44444",2,4,"44[4]44") && gives("44",0,4,"[4]4") &&
              gives("44",1,4,"4[4]"));
    test_cond("a center at an end of the list", gives("1234",0,3,"[3]34") && gives("2114",0,4,"[4]4") &&
              gives("4211",3,4,"4[4]") && gives("4113",2,3,"4[2]3"));
    test_cond("the only node", gives("3",0,4,"[3]") && gives("4",0,4,"[4]"));
    test_cond("plain nodes are not merged", gives("p1",1,8,"p[1]") && gives("1p1p1",2,8,"1p[1]p1") && gives("1p1",1,8,"1[p]1") &&
              gives("11p11",2,8,"2[p]2") && gives("p11p",1,8,"p[2]p"));

    int all = 1, order = 1, counts = 1, returned = 1, depth = 1, comp = 1;
    char shape[6];
    for (int n = 1; n <= 5; n++) {
        int shapes = 1;
        for (int j = 0; j < n; j++) shapes *= 3;
        for (int k = 0; k < shapes; k++) {
            int sum = 0;
            for (int j = 0, x = k; j < n; j++, x /= 3) shape[j] = '1'+x % 3, sum += 1+x % 3;
            shape[n] = '\0';
            int last = sum-1+(sum > 9);
            char want[200] = "";
            for (int j = 0; j <= last; j++) if (j % 10 != 9) sprintf(want+strlen(want),"%d ",j);
            for (int center = 0; center < n; center++) {
                const char *e = expected(shape,center,4);
                int same = !strcmp(merged(shape,center,4,0),e);
                all &= same;
                returned &= strchr(merged(shape,center,4,0),'[') != NULL;
                order &= consists(ql,want);
                counts &= sound(ql);
                if (k % 2 || n < 5) {
                    for (int compress = 1; compress < 3; compress++) {
                        comp &= !strcmp(merged(shape,center,4,compress),e) && consists(ql,want) && sound(ql);
                        depth &= depthIsRight(ql);
                    }
                }
            }
        }
    }
    test_cond("all shapes of small lists merge as stated", all);
    test_cond("the new center is returned", returned);
    test_cond("elements keep their order", order);
    test_cond("the list counts its nodes and elements", counts);
    test_cond("compressed nodes are merged", comp);
    test_cond("the ends stay uncompressed and inner nodes compressed", depth);

    /* Two nodes of some 3000 bytes fit into 8 kB, and not into 4 kB; one of 1000 bytes still fits to one of them. */
    int bytes = 1;
    for (int fill = -1; fill >= -2; fill--) {
        quicklistRelease(ql);
        ql = listOf(0,fill,0);
        quicklistisSetPackedThreshold(0);
        char big[3000];
        memset(big,'z',sizeof(big));
        size_t sizes[] = {3000,2900,1000};
        for (int j = 0; j < 3; j++) quicklistAppendListpack(ql,lpAppend(lpNew(0),(unsigned char*)big,sizes[j]));
        quicklistNode *got = _quicklistMergeNodes(ql,ql->tail);
        bytes &= !strcmp(nodes(ql),fill == -1 ? "1 2 " : "3 ") && got == ql->tail && sound(ql);
    }
    test_cond("a fill of bytes limits as well", bytes);
    quicklistRelease(ql);
    ql = nodesOf("411111",0);
    quicklistSetFill(ql,4);
    quicklistBookmarkCreate(&ql,"far",ql->head);
    quicklistBookmarkCreate(&ql,"center",nth(ql,3));
    quicklistNode *got = _quicklistMergeNodes(ql,nth(ql,3));
    quicklistNode *marked = quicklistBookmarkFind(ql,"center");
    int listed = 0;
    for (quicklistNode *node = ql->head; node; node = node->next) listed |= node == marked;
    test_cond("bookmarks follow", quicklistBookmarkFind(ql,"far") == ql->head && (!marked || listed) && got && sound(ql));
    quicklistRelease(ql);
    test_cond("nothing is left behind", zmalloc_used_memory() == memory);
    test_report();
    return 0;
}
