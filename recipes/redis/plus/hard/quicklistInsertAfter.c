/*---
 * tasks: [lzf_decompress-7fb8aa.8]
 * tests:
 *   the value stands behind the entry: 'The name; _quicklistInsert: "If after==1, the new value is inserted after ''entry''".'
 *   behind the first entry: 'The name.'
 *   behind the last entry: 'The name.'
 *   behind an entry of a full node: 'quicklist: fill.'
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
    quicklistInsertAfter(iter, &entry, (void *)text, len);
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
    test_cond("the value stands behind the entry", holds("[a][b][x][c]"));
    put("first", 5, 0);
    test_cond("behind the first entry", holds("[a][first][b][x][c]"));
    put("late", 4, -1);
    test_cond("behind the last entry", holds("[a][first][b][x][c][late]"));
    unsigned long count = quicklistCount(ql);
    quicklistRelease(ql);
    ql = quicklistNew(2, 0);
    for (int j = 0; j < 6; j++) quicklistPushTail(ql, &"pqrstu"[j], 1);
    put("1x", 2, 1), put("2x", 2, 3), put("3x", 2, 0), put("4x", 2, -1);
    test_cond("behind an entry of a full node", holds("[p][3x][q][1x][r][2x][s][t][u][4x]"));
    put("word and more", 4, 1);
    test_cond("only so many bytes as are given", holds("[p][3x][word][q][1x][r][2x][s][t][u][4x]"));
    test_cond("the list counts one more each time", count == 6 && quicklistCount(ql) == 11);
    char own[] = "own";
    put(own, 3, 0);
    own[0] = 'O';
    test_cond("the value itself is not taken", holds("[p][own][3x][word][q][1x][r][2x][s][t][u][4x]"));
    quicklistRelease(ql);
    test_report();
    return 0;
}
