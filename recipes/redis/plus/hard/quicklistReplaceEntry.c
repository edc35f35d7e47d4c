/*---
 * tasks: [quicklistNext-d720b0.16]
 * instead: [src/quicklist.o]
 * tests:
 *   the entry is replaced: 'Comment: "Replace quicklist entry by ''data'' with length ''sz''".'
 *   each element of each node, found from before or from behind: 'quicklistEntry: offset; callers find entries by index and by iteration.'
 *   a shorter and a longer value: 'Comment: sz; the entry''s size in the listpack changes.'
 *   a number and a string: 'lpReplace encodes numbers.'
 *   only so many bytes as are given: 'Signature: sz.'
 *   values of any bytes: 'Signature: data, sz.'
 *   the value is copied: 'Callers (t_list.c) free it.'
 *   the number of elements stays: 'Comment: "Replace"; quicklist: count.'
 *   a large value gets a plain node: 'isLargeElement; quicklistNode: "PLAIN=1 (a single item as char array)".'
 *   a large value at the first, a middle and the last place: 'Comment in the body of callers; the node is split there.'
 *   a large value for the only element of a node: 'quicklistNode: no node is empty.'
 *   a large value for a large one: 'QL_NODE_IS_PLAIN.'
 *   a small value for a large one: 'QL_NODE_IS_PLAIN; "PACKED=2 (listpack with multiple items)".'
 *   a value of just the threshold is large: 'isLargeElement: size >= packed_threshold.'
 *   the rest of a split node is merged where it fits: '_quicklistMergeNodes: "not have a quicklist with 3 element listpacks".'
 *   the nodes know their counts and sizes: 'quicklistNode: count, sz.'
 *   the ends stay uncompressed and inner nodes compressed: 'quicklist: compress, "depth of end nodes not to compress".'
 *   nodes can be compressed later on: 'quicklistNode: dont_compress; tests of upstream with compress.'
 *   the iterator is reset: 'resetIterator: "prevent it from being used again after insert, replace".'
 *   many replacements: 'Comment: "Replace quicklist entry".'
 *   bookmarks of other nodes stay: 'quicklist.h: bookmarks.'
 *   what was replaced is freed: 'quicklistRelease frees all.'
 ---*/
#include "quicknodes.h"

static quicklist *ql;

/* Replaces an element by number; 1 if the iterator is reset. */
static int put(long index, int number) {
    char value[300];
    size_t len = element(number,value);
    quicklistEntry e;
    quicklistIter *iter = quicklistGetIteratorEntryAtIdx(ql,index,&e);
    quicklistReplaceEntry(iter,&e,value,len);
    int reset = !iter->current && !iter->zi;
    quicklistReleaseIterator(iter);
    return reset;
}

static void putText(long index, const char *text, size_t len) {
    quicklistEntry e;
    quicklistIter *iter = quicklistGetIteratorEntryAtIdx(ql,index,&e);
    quicklistReplaceEntry(iter,&e,(void*)text,len);
    quicklistReleaseIterator(iter);
}

static int textAt(long index, const char *text, size_t len) {
    quicklistEntry e;
    quicklistIter *iter = quicklistGetIteratorEntryAtIdx(ql,index,&e);
    quicklistReleaseIterator(iter);
    char number[30];
    if (!e.value) e.sz = sprintf(number,"%lld",e.longval), e.value = (unsigned char*)number;
    return e.sz == len && !memcmp(e.value,text,len);
}

static void make(const char *counts, int fill, int compress) {
    if (ql) quicklistRelease(ql);
    ql = nodesOf(counts,compress);
    quicklistSetFill(ql,fill);
}

/* The list of these numbers, in nodes of these counts. */
static int is(const char *want, const char *counts) {
    int same = consists(ql,want) && !strcmp(nodes(ql),counts) && sound(ql);
    if (!same) printf("# <%s> <%s>\n",numbers(ql),nodes(ql));
    return same;
}

int main(void) {
    size_t memory = zmalloc_used_memory();
    make("323",4,0);
    int reset = put(1,41);
    test_cond("the entry is replaced", is("0 41 2 3 4 5 6 7 ","3 2 3 "));
    reset &= put(3,42) & put(4,45) & put(7,81) & put(0,82);
    test_cond("the number of elements stays", is("82 41 2 42 45 5 6 81 ","3 2 3 ") && quicklistCount(ql) == 8);

    int each = 1, sizes = 1, comp = 1, depth = 1;
    int kinds[] = {100,101,102};
    for (int compress = 0; compress < 3; compress++)
        for (int at = 0; at < 13; at++)
            for (int k = 0; k < 6; k++) {
                make("22333",4,compress);
                int model[13], n = 0;
                for (quicklistNode *node = ql->head; node; node = node->next) n += node->count;
                for (int j = 0; j < 13; j++) model[j] = j < 9 ? j : j+1;
                model[at] = kinds[k/2];
                put(k % 2 ? at : at-13,model[at]);
                char want[200] = "";
                for (int j = 0; j < 13; j++) sprintf(want+strlen(want),"%d ",model[j]);
                each &= n == 13 && consists(ql,want);
                sizes &= sound(ql) && ql->len == 5;
                depth &= depthIsRight(ql);
            }
    test_cond("each element of each node, found from before or from behind", each);
    make("33",4,0);
    put(1,102);
    int longer = is("0 102 2 3 4 5 ","3 3 ");
    put(1,1);
    test_cond("a shorter and a longer value", longer && is("0 1 2 3 4 5 ","3 3 "));
    putText(0,"12345",5), putText(4,"word",4), putText(5,"-1",2);
    test_cond("a number and a string", textAt(0,"12345",5) && textAt(4,"word",4) && textAt(5,"-1",2) && sound(ql));
    putText(2,"prefix and more",6);
    test_cond("only so many bytes as are given", textAt(2,"prefix",6) && textAt(3,"ccc",0) == 0 && sound(ql));
    putText(2,"a\0b\r\n\xff",6), putText(3,"",0);
    test_cond("values of any bytes", textAt(2,"a\0b\r\n\xff",6) && textAt(3,"",0) && sound(ql) && ql->count == 6);
    char own[250];
    memset(own,'o',sizeof(own));
    putText(1,own,100), putText(4,own,250);
    memset(own,'x',sizeof(own));
    char was[250];
    memset(was,'o',sizeof(was));
    test_cond("the value is copied", textAt(1,was,100) && textAt(4,was,250));

    make("5",8,0);
    reset &= put(2,19);
    int middle = is("0 1 19 3 4 ","2 p 2 ");
    test_cond("a large value gets a plain node", middle && QL_NODE_IS_PLAIN(nth(ql,1)) && nth(ql,1)->sz == 202);
    int places = 1;
    for (int k = 0; k < 2; k++) {
        make("5",8,0);
        put(k ? 0 : -5,19);
        places &= is("19 1 2 3 4 ","p 4 ");
        make("5",8,0);
        put(k ? 4 : -1,19);
        places &= is("0 1 2 3 19 ","4 p ");
        make("5",8,0);
        put(k ? 3 : -2,19);
        places &= is("0 1 2 19 4 ","3 p 1 ");
        make("5",8,0);
        put(k ? 1 : -4,19);
        places &= is("0 19 2 3 4 ","1 p 3 ");
    }
    test_cond("a large value at the first, a middle and the last place", places);
    make("313",3,0);
    reset &= put(3,19);
    int only = is("0 1 2 19 4 5 6 ","3 p 3 ");
    make("1",3,0);
    put(0,19);
    only &= is("19 ","p ");
    make("12",3,0);
    put(0,19);
    only &= is("19 1 2 ","p 2 ");
    make("21",3,0);
    put(-1,19);
    test_cond("a large value for the only element of a node", only && is("0 1 19 ","2 p "));
    make("2p2",3,0);
    reset &= put(2,19);
    int again = is("0 1 19 10 11 ","2 p 2 ");
    putText(2,own,250);
    again &= zmalloc_size(nth(ql,1)->entry) >= 250;
    test_cond("a large value for a large one", again && textAt(2,own,250) && nth(ql,1)->sz == 250 && QL_NODE_IS_PLAIN(nth(ql,1)) &&
              !strcmp(nodes(ql),"2 p 2 "));
    make("3p3",3,0);
    reset &= put(3,4);
    int small = consists(ql,"0 1 2 4 10 11 12 ") && sound(ql) && !strchr(nodes(ql),'p');
    make("p",3,0);
    put(0,4);
    small &= is("4 ","1 ");
    make("pp",3,0);
    put(0,4);
    small &= is("4 19 ","1 p ");
    make("pp",3,0);
    put(-1,4);
    small &= is("9 4 ","p 1 ");
    make("3p3",3,1);
    put(3,102);
    test_cond("a small value for a large one", small && consists(ql,"0 1 2 102 10 11 12 ") && sound(ql) && depthIsRight(ql));
    make("3",4,0);
    putText(1,own,199);
    int below = !strcmp(nodes(ql),"3 ");
    putText(1,own,200);
    test_cond("a value of just the threshold is large", below && !strcmp(nodes(ql),"1 p 1 ") && sound(ql));
    make("14",4,0);
    put(2,19);
    int merge = is("0 1 19 3 4 ","2 p 2 ");
    make("41",4,0);
    put(1,19);
    merge &= is("0 19 2 3 4 ","1 p 3 ");
    make("44",4,0);
    put(6,19);
    test_cond("the rest of a split node is merged where it fits", merge && is("0 1 2 3 4 5 19 7 ","4 2 p 1 "));
    test_cond("the nodes know their counts and sizes", sizes);

    for (int compress = 1; compress < 4; compress++)
        for (int at = 0; at < 19; at++)
            for (int k = 0; k < 4; k++) {
                make("33p23p33",4,compress);
                char want[200], text[20], *p;
                strcpy(want,numbers(ql));
                int number = k < 2 ? 29 : 102, n = at;
                for (p = want; n--; ) p = strchr(p,' ')+1;
                memmove(p+sprintf(text,"%d",number),strchr(p,' '),strlen(strchr(p,' '))+1);
                memcpy(p,text,strlen(text));
                put(k % 2 ? at : at-(int)ql->count,number);
                int right = consists(ql,want) && sound(ql);
                comp &= right;
                depth &= depthIsRight(ql);
                char value[300];
                quicklistPushHead(ql,value,element(50,value)), quicklistPushTail(ql,value,element(50,value));
                for (int j = 0; j < 20; j++) quicklistPushHead(ql,value,element(j*10+2,value)), quicklistPushTail(ql,value,element(j*10+2,value));
                comp &= sound(ql) && depthIsRight(ql);
            }
    test_cond("the ends stay uncompressed and inner nodes compressed", depth);
    test_cond("nodes can be compressed later on", comp);
    test_cond("the iterator is reset", reset);

    int model[60], many = 1;
    unsigned seed = 11;
    for (int compress = 0; compress < 3; compress++) {
        quicklistRelease(ql);
        ql = listOf(60,4,compress);
        for (int j = 0; j < 60; j++) model[j] = j;
        for (int j = 0; j < 300; j++) {
            seed = seed*1103515245+12345;
            int at = (seed >> 8) % 60, number = (seed >> 16) % 500;
            put(j & 1 ? at : at-60,number);
            model[at] = number;
            if (j % 10) continue;
            char want[400] = "";
            for (int k = 0; k < 60; k++) sprintf(want+strlen(want),"%d ",model[k]);
            many &= consists(ql,want) && sound(ql) && endsAreRaw(ql);
        }
    }
    test_cond("many replacements", many);
    make("333",4,0);
    quicklistBookmarkCreate(&ql,"first",ql->head), quicklistBookmarkCreate(&ql,"last",ql->tail);
    put(4,19), put(3,42);
    test_cond("bookmarks of other nodes stay", quicklistBookmarkFind(ql,"first") == ql->head &&
              quicklistBookmarkFind(ql,"last") == ql->tail && sound(ql));
    quicklistRelease(ql);
    test_cond("what was replaced is freed", zmalloc_used_memory() == memory);
    test_report();
    return 0;
}
