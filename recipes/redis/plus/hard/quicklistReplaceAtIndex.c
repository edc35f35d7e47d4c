/*---
 * tasks: [quicklistNext-d720b0.16]
 * tests:
 *   the element at the index is replaced: 'Comment: "Replace quicklist entry at offset ''index''".'
 *   one is returned where an element was replaced: 'Comment: "Returns 1 if replace happened".'
 *   the first and the last element: 'Signature: index; LSET.'
 *   an index may count from the end: 'commands/lset; quicklistGetIteratorAtIdx: negative indexes.'
 *   the index of an element in another node: 'Comment: at offset ''index'' of the quicklist.'
 *   an index behind the end gives zero: 'Comment: "Returns 0 if replace failed"; caller lsetCommand: outofrangeerr.'
 *   an index before the beginning gives zero: 'Comment: "Returns 0 if replace failed".'
 *   an empty list gives zero: 'Comment: "Returns 0 if replace failed".'
 *   where it failed nothing is changed: 'Comment: "no changes happened".'
 *   only so many bytes as are given: 'Comment: "with length ''sz''".'
 *   values of any bytes: 'Signature: data, sz.'
 *   the value is copied: 'Caller listTypeReplaceAtIndex frees it.'
 *   the number of elements stays: 'Comment: "Replace".'
 *   a large value and back: 'isLargeElement; t_list.c: listTypeReplaceAtIndex.'
 *   in a list with compressed nodes: 'quicklist: compress.'
 *   LSET replies OK, or out of range: 'commands/lset; t_list.c: lsetCommand.'
 *   nothing is kept: 'The iterator is released; a second call after the first.'
 ---*/
#include "commandtest.h"
#include "quicklisttest.h"

static quicklist *ql;

static int replace(long index, int number) {
    char value[300];
    size_t len = element(number,value);
    return quicklistReplaceAtIndex(ql,index,value,len);
}

static void make(int n, int fill, int compress) {
    if (ql) quicklistRelease(ql);
    ql = listOf(n,fill,compress);
}

static int bytesAt(long index, const char *text, size_t len) {
    quicklistEntry e;
    quicklistIter *iter = quicklistGetIteratorEntryAtIdx(ql,index,&e);
    quicklistReleaseIterator(iter);
    return e.value && e.sz == len && !memcmp(e.value,text,len);
}

int main(void) {
    startCommands();
    make(6,3,0);
    int one = replace(1,41);
    test_cond("the element at the index is replaced", consists(ql,"0 41 2 3 4 5 "));
    int ends = replace(0,42) == 1 && replace(5,45) == 1 && consists(ql,"42 41 2 3 4 45 ");
    test_cond("the first and the last element", ends);
    test_cond("an index may count from the end", replace(-1,51) == 1 && replace(-6,52) == 1 && replace(-3,53) == 1 &&
              consists(ql,"52 41 2 53 4 51 "));
    make(30,3,0);
    int other = replace(16,102) == 1 && replace(-8,101) == 1 && replace(3,104) == 1;
    test_cond("the index of an element in another node", other && consists(ql,
              "0 1 2 104 4 5 6 7 8 9 10 11 12 13 14 15 102 17 18 19 20 21 101 23 24 25 26 27 28 29 "));
    test_cond("one is returned where an element was replaced", one == 1 && replace(2,2) == 1 && replace(9,19) == 1);
    make(4,2,0);
    test_cond("an index behind the end gives zero", replace(4,41) == 0 && replace(5,41) == 0 && replace(1000000,41) == 0 && replace(LONG_MAX,41) == 0);
    test_cond("an index before the beginning gives zero", replace(-5,41) == 0 && replace(-6,41) == 0 && replace(-1000000,41) == 0);
    int same = consists(ql,"0 1 2 3 ") && ql->len == 2;
    make(0,2,0);
    test_cond("an empty list gives zero", replace(0,41) == 0 && replace(-1,41) == 0 && replace(1,41) == 0);
    test_cond("where it failed nothing is changed", same && consists(ql,"") && ql->len == 0 && !ql->head);
    make(4,8,0);
    quicklistReplaceAtIndex(ql,1,"word and more",4), quicklistReplaceAtIndex(ql,2,"",0);
    test_cond("only so many bytes as are given", bytesAt(1,"word",4) && bytesAt(2,"",0) && ql->count == 4);
    char own[] = "a\0b\xff";
    quicklistReplaceAtIndex(ql,3,own,4);
    test_cond("values of any bytes", bytesAt(3,"a\0b\xff",4));
    memset(own,'x',4);
    test_cond("the value is copied", bytesAt(3,"a\0b\xff",4));
    make(9,3,0);
    for (int j = 0; j < 9; j++) replace(j,60+j), replace(-1-j,60+j);
    test_cond("the number of elements stays", quicklistCount(ql) == 9 && consists(ql,"68 67 66 65 64 65 66 67 68 "));
    make(6,3,0);
    int large = replace(1,19) == 1 && consists(ql,"0 19 2 3 4 5 ") && replace(-1,29) == 1 && consists(ql,"0 19 2 3 4 29 ");
    large = large && replace(1,1) == 1 && consists(ql,"0 1 2 3 4 29 ") && replace(5,39) == 1 && replace(5,6) == 1;
    test_cond("a large value and back", large && consists(ql,"0 1 2 3 4 6 "));
    int comp = 1;
    for (int depth = 1; depth < 3; depth++)
        for (int at = 0; at < 40; at++) {
            char want[400];
            make(40,4,depth);
            int packed = compressed(ql);
            want[0] = '\0';
            for (int j = 0; j < 40; j++) sprintf(want+strlen(want),"%d ",j == at ? 102 : j);
            comp &= replace(at % 2 ? at : at-40,102) == 1 && consists(ql,want) && compressed(ql) >= packed-1 && packed > 2;
            comp &= !quicklistNodeIsCompressed(ql->head) && !quicklistNodeIsCompressed(ql->tail);
            packed = compressed(ql);
            comp &= replace(100,102) == 0 && compressed(ql) == packed;
        }
    test_cond("in a list with compressed nodes", comp);
    quicklistisSetPackedThreshold(0);
    server.list_max_listpack_size = 3;
    run("rpush","l","a","b","c","d","e","f","g");
    int set = gives("+OK\r\n","lset","l","3","x") && gives("+OK\r\n","lset","l","-1","y");
    set = set && gives("-ERR index out of range\r\n","lset","l","7","z") && gives("-ERR index out of range\r\n","lset","l","-8","z");
    test_cond("LSET replies OK, or out of range", set &&
              gives("*7\r\n$1\r\na\r\n$1\r\nb\r\n$1\r\nc\r\n$1\r\nx\r\n$1\r\ne\r\n$1\r\nf\r\n$1\r\ny\r\n","lrange","l","0","-1"));
    make(30,3,1);
    for (int j = 0; j < 30; j++) replace(j,j);
    size_t memory = zmalloc_used_memory();
    for (int k = 0; k < 20; k++)
        for (int j = -35; j < 35; j++) replace(j,j < 0 ? 30+j : j);
    test_cond("nothing is kept", zmalloc_used_memory() == memory && replace(0,0) == 1);
    test_report();
    return 0;
}
