/*---
 * tasks: [quicklistNext-d720b0.16]
 * instead: [src/quicklist.o]
 * tests:
 *   after 1 the node keeps the elements up to the offset: 'Comment: "The input node keeps elements [0, OFFSET]".'
 *   after 1 the new node has the elements behind the offset: 'Comment: "The returned node will have elements [OFFSET+1, END]".'
 *   after 0 the new node has the elements before the offset: 'Comment: "The returned node will have elements [0, OFFSET-1]".'
 *   after 0 the node keeps the elements from the offset on: 'Comment: "The input node keeps elements [OFFSET, END]".'
 *   at each offset no element is lost or doubled: 'Comment: "The input node keeps all elements not taken by the returned node".'
 *   an offset may count from the end: 'Callers pass entry->offset, which is negative where the entry was found from behind.'
 *   the offset of the last element in both ways: 'quicklistEntry: offset; -1 is the last.'
 *   both know their count: 'quicklistNode: "count of items in listpack".'
 *   both know their size: 'quicklistNode: "entry size in bytes".'
 *   the new node is a packed node: 'quicklistNode: container, encoding.'
 *   the new node is in no list: 'Comment: "Returns newly created node"; callers insert it with __quicklistInsertNode.'
 *   the node stays in its list: 'Comment: "input node keeps"; callers go on with it.'
 *   the new node is not in use and may be compressed: 'quicklistNode: recompress, dont_compress.'
 *   values of any kind are kept: 'Comment: elements.'
 *   both nodes are independent: 'Comment: "Split ''node'' into two parts".'
 *   both can be split again: 'Comment: "Split ''node''".'
 *   elements are inserted into the middle of a full node: 'Caller _quicklistInsert.'
 *   nothing is left behind: 'quicklistRelease frees all nodes.'
 ---*/
#include "quicknodes.h"

static quicklistNode *node, *got;
static quicklist *ql;

/* A list of one node of so many elements, split; the new node is put in its place, so that the list can be checked. */
static int splits(int n, int offset, int after, const char *kept, const char *taken) {
    char counts[] = {'0'+n,'\0'};
    if (ql) quicklistRelease(ql);
    ql = nodesOf(counts,0);
    node = ql->head;
    got = _quicklistSplitNode(node,offset,after);
    int same = !strcmp(inNode(node),kept) && !strcmp(inNode(got),taken);
    if (!same) printf("# %d %d %d: <%s>\n",n,offset,after,inNode(got));
    __quicklistInsertNode(ql,node,got,after);
    return same;
}

int main(void) {
    size_t memory = zmalloc_used_memory();
    splits(5,1,1,"0 1 ","2 3 4 ");
    test_cond("after 1 the node keeps the elements up to the offset", !strcmp(inNode(node),"0 1 "));
    test_cond("after 1 the new node has the elements behind the offset", !strcmp(inNode(got),"2 3 4 "));
    splits(5,1,0,"1 2 3 4 ","0 ");
    test_cond("after 0 the new node has the elements before the offset", !strcmp(inNode(got),"0 "));
    test_cond("after 0 the node keeps the elements from the offset on", !strcmp(inNode(node),"1 2 3 4 "));
    int all = 1, negative = 1, counts = 1, sizes = 1;
    for (int n = 2; n <= 9; n++)
        for (int offset = 0; offset < n; offset++)
            for (int after = 0; after < 2; after++) {
                char kept[100], taken[100];
                int cut = after ? offset+1 : offset;
                if (cut == 0 || cut == n) continue;
                strcpy(after ? kept : taken,range(0,cut-1));
                strcpy(after ? taken : kept,range(cut,n-1));
                all &= splits(n,offset,after,kept,taken) && sound(ql) && ql->len == 2;
                counts &= node->count == (after ? cut : n-cut) && got->count == (after ? n-cut : cut);
                sizes &= node->sz == lpBytes(node->entry) && got->sz == lpBytes(got->entry);
                negative &= splits(n,offset-n,after,kept,taken) && sound(ql);
                counts &= node->count+got->count == n;
            }
    test_cond("at each offset no element is lost or doubled", all);
    test_cond("an offset may count from the end", negative);
    test_cond("the offset of the last element in both ways", splits(4,3,0,"3 ","0 1 2 ") && splits(4,-1,0,"3 ","0 1 2 ") &&
              splits(4,0,1,"0 ","1 2 3 ") && splits(4,-4,1,"0 ","1 2 3 "));
    test_cond("both know their count", counts);
    test_cond("both know their size", sizes);
    test_cond("the new node is a packed node", got->container == QUICKLIST_NODE_CONTAINER_PACKED &&
              got->encoding == QUICKLIST_NODE_ENCODING_RAW && !QL_NODE_IS_PLAIN(node) && !quicklistNodeIsCompressed(node));
    test_cond("the new node is not in use and may be compressed", !got->recompress && !got->dont_compress);

    quicklistRelease(ql);
    ql = nodesOf("252",0);
    node = nth(ql,1);
    got = _quicklistSplitNode(node,2,1);
    test_cond("the new node is in no list", !got->prev && !got->next && ql->len == 3 && ql->head->next == node);
    test_cond("the node stays in its list", node->prev == ql->head && node->next == ql->tail && ql->tail->prev == node &&
              !strcmp(inNode(node),"2 3 4 "));
    __quicklistInsertNode(ql,node,got,1);
    int right = consists(ql,"0 1 2 3 4 5 6 7 8 ");
    quicklistNode *third = _quicklistSplitNode(got,1,0);
    int third_right = !strcmp(inNode(third),"5 ") && !strcmp(inNode(got),"6 ");
    __quicklistInsertNode(ql,got,third,0);
    third = _quicklistSplitNode(node,0,1);
    third_right &= !strcmp(inNode(third),"3 4 ") && !strcmp(inNode(node),"2 ");
    __quicklistInsertNode(ql,node,third,1);
    test_cond("both can be split again", right && third_right && consists(ql,"0 1 2 3 4 5 6 7 8 ") && sound(ql) &&
              !strcmp(nodes(ql),"2 1 2 1 1 2 "));

    quicklistRelease(ql);
    ql = nodesOf("4",0);
    node = ql->head;
    node->entry = lpAppend(node->entry,(unsigned char*)"a\0b",3);
    node->entry = lpAppend(node->entry,(unsigned char*)"",0);
    node->entry = lpAppend(node->entry,(unsigned char*)"-9223372036854775808",20);
    char big[500];
    memset(big,'B',sizeof(big));
    node->entry = lpAppend(node->entry,(unsigned char*)big,sizeof(big));
    quicklistisSetPackedThreshold(1000);
    node->count += 4, ql->count += 4;
    node->sz = lpBytes(node->entry);
    got = _quicklistSplitNode(node,3,1);
    __quicklistInsertNode(ql,node,got,1);
    quicklistEntry e;
    quicklistIter *iter = quicklistGetIteratorAtIdx(ql,AL_START_HEAD,4);
    int kinds = quicklistNext(iter,&e) && e.sz == 3 && !memcmp(e.value,"a\0b",3) && got->count == 4;
    kinds &= quicklistNext(iter,&e) && e.sz == 0 && e.value && quicklistNext(iter,&e) && !e.value && e.longval == LLONG_MIN;
    kinds &= quicklistNext(iter,&e) && e.sz == 500 && !memcmp(e.value,big,500) && !quicklistNext(iter,&e);
    quicklistReleaseIterator(iter);
    test_cond("values of any kind are kept", kinds && sound(ql));
    splits(6,2,1,"0 1 2 ","3 4 5 ");
    memset(node->entry,0,lpBytes(node->entry)-1);
    test_cond("both nodes are independent", node->entry != got->entry && !strcmp(inNode(got),"3 4 5 "));

    quicklistRelease(ql);
    ql = quicklistNew(4,0);
    for (int j = 0; j < 8; j++) push(ql,j);
    for (int index = 2; index >= -2; index -= 4)
        for (int after = 0; after < 2; after++) {
            iter = quicklistGetIteratorEntryAtIdx(ql,index,&e);
            if (after) quicklistInsertAfter(iter,&e,"s41",3);
            else quicklistInsertBefore(iter,&e,"s45",3);
            quicklistReleaseIterator(iter);
        }
    test_cond("elements are inserted into the middle of a full node",
              !strcmp(numbers(ql),"0 1 45 41 2 3 4 5 45 6 41 7 ") && sound(ql));
    quicklistRelease(ql);
    test_cond("nothing is left behind", zmalloc_used_memory() == memory);
    test_report();
    return 0;
}
