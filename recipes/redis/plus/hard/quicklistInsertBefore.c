/*---
 * tasks: [lzf_decompress-7fb8aa.4, lzf_decompress-7fb8aa.8]
 * tests:
 *   the value stands before the entry: 'The name; _quicklistInsert: "otherwise the new value is inserted before ''entry''".'
 *   before the first entry: 'The name.'
 *   before the last entry: 'The name.'
 *   before an entry of a full node: 'quicklist: fill.'
 *   only so many bytes as are given: 'Signature: sz.'
 *   the list counts one more each time: 'quicklist: count.'
 *   the value itself is not taken: 'Callers (t_list.c) free it.'
 ---*/
#include "../server.h"
#include "../testhelp.h"

static quicklist *ql;

static void put(const char *text, size_t len, long index) {
    quicklistEntry entry;
    quicklistIter *iter = quicklistGetIteratorEntryAtIdx(ql, index, &entry);
    quicklistInsertBefore(iter, &entry, (void *)text, len);
    quicklistReleaseIterator(iter);
}

static int holds(const char *want) {
    char got[400] = "";
    quicklistEntry entry;
    quicklistIter *iter = quicklistGetIterator(ql, AL_START_HEAD);
    while (quicklistNext(iter, &entry)) sprintf(got + strlen(got), "[%.*s]", (int)entry.sz, entry.value);
    quicklistReleaseIterator(iter);
    return !strcmp(got, want);
}

int main(void) {
    ql = quicklistNew(-2, 0);
    quicklistPushTail(ql, "a", 1), quicklistPushTail(ql, "b", 1), quicklistPushTail(ql, "c", 1);
    put("x", 1, 1);
    test_cond("the value stands before the entry", holds("[a][x][b][c]"));
    put("first", 5, 0);
    test_cond("before the first entry", holds("[first][a][x][b][c]"));
    put("late", 4, -1);
    test_cond("before the last entry", holds("[first][a][x][b][late][c]"));
    unsigned long count = quicklistCount(ql);
    quicklistRelease(ql);
    ql = quicklistNew(2, 0);
    for (int j = 0; j < 6; j++) quicklistPushTail(ql, &"pqrstu"[j], 1);
    put("1x", 2, 1), put("2x", 2, 3), put("3x", 2, 0), put("4x", 2, -1);
    test_cond("before an entry of a full node", holds("[3x][p][1x][q][2x][r][s][t][4x][u]"));
    put("word and more", 4, 1);
    test_cond("only so many bytes as are given", holds("[3x][word][p][1x][q][2x][r][s][t][4x][u]"));
    test_cond("the list counts one more each time", count == 6 && quicklistCount(ql) == 11);
    char own[] = "own";
    put(own, 3, 0);
    own[0] = 'O';
    test_cond("the value itself is not taken", holds("[own][3x][word][p][1x][q][2x][r][s][t][4x][u]"));
    quicklistRelease(ql);
    test_report();
    return 0;
}
