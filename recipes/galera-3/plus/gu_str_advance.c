/*---
 * tasks: [gu_str_advance-04b357]
 * goals: [graft-build/galerautils/tests/gu_tests]
 * tests:
 *   over none it stays: 'Docstring: "Advance position starting from over n".'
 *   over one it is at the next string: 'gu_str_next: "Get next string after position".'
 *   over many it is at that string: 'gu_str_table_get_n_rows: the third string of a table.'
 *   over all it is behind the last: 'gu_str_table_print: rows follow the columns; gu_str_next.'
 *   empty strings count: 'Comment on tables: "constructed from null terminated strings".'
 *   strings of one character count once: 'gu_str_next: one string at a time.'
 *   from within a string the rest of it counts: 'Docstring: "Advance position".'
 *   from another position it counts on from there: 'Docstring: "starting from".'
 *   two steps are as good as one: 'Docstring: "Advance position".'
 *   bytes above 127 belong to a string: 'Null terminated strings: nothing else ends one.'
 *   newlines and spaces belong to a string: 'Null terminated strings: nothing else ends one.'
 *   thousands of strings can be passed: 'Signature: size_t n.'
 *   long strings can be passed: 'Null terminated strings of any length.'
 *   nothing is written: 'Signature: const char*.'
 *   it points into the same text: 'Callers read on from what is returned.'
 *   the columns of a table are found: 'gu_str_table_get_cols: the strings after the third.'
 *   the rows of a table are found: 'gu_str_table_rows_begin: 3 + n.'
 *   the counts of a table are found: 'gu_str_table_get_n_cols, gu_str_table_get_n_rows.'
 ---*/
#include "gu_str.h"
#include "ok.h"

int main(void)
{
    limit();
    static const char four[] = "zero\0one\0\0three\0behind";
    ok("over none it stays", gu_str_advance(four, 0) == four && gu_str_advance(four + 9, 0) == four + 9);
    ok("over one it is at the next string", gu_str_advance(four, 1) == four + 5);
    ok("over many it is at that string", gu_str_advance(four, 3) == four + 10 &&
                                             strcmp(gu_str_advance(four, 3), "three") == 0);
    ok("over all it is behind the last", gu_str_advance(four, 4) == four + 16);
    ok("empty strings count", gu_str_advance(four, 2) == four + 9 && gu_str_advance(four + 9, 1) == four + 10);
    static const char empty[8] = "";
    static const char single[] = "a\0b\0\0c\0d";
    ok("strings of one character count once", gu_str_advance(single, 1) == single + 2 &&
       gu_str_advance(single, 2) == single + 4 && gu_str_advance(single, 4) == single + 7 &&
       gu_str_advance(empty, 7) == empty + 7);
    ok("from within a string the rest of it counts", gu_str_advance(four + 2, 1) == four + 5 &&
       gu_str_advance(four + 3, 3) == four + 10);
    ok("from another position it counts on from there", gu_str_advance(four + 5, 2) == four + 10 &&
       gu_str_advance(four + 10, 1) == four + 16);
    ok("two steps are as good as one", gu_str_advance(gu_str_advance(four, 2), 2) == gu_str_advance(four, 4) &&
       gu_str_advance(gu_str_advance(four, 1), 1) == four + 9);
    static const char high[] = "\xff\x80\xc3\xa4\0\x81\0end";
    ok("bytes above 127 belong to a string", gu_str_advance(high, 1) == high + 5 && gu_str_advance(high, 2) == high + 7);
    static const char blank[] = "a b\n\tc\r\0 \n\0d";
    ok("newlines and spaces belong to a string", gu_str_advance(blank, 1) == blank + 8 &&
       gu_str_advance(blank, 2) == blank + 11);

    enum { COUNT = 5000 };
    char *many = malloc(COUNT * 4 + 1), *before = malloc(COUNT * 4 + 1);
    size_t at = 0, starts[COUNT + 1];
    for (size_t i = 0; i < COUNT; i++) {
        starts[i] = at;
        for (size_t j = 0; j < i % 4; j++) many[at++] = (char)(1 + (i + j) % 255);
        many[at++] = '\0';
    }
    starts[COUNT] = at;
    memcpy(before, many, at);
    bool all = true;
    for (size_t i = 0; i <= COUNT; i += 7) all = all && gu_str_advance(many, i) == many + starts[i];
    all = all && gu_str_advance(many, COUNT) == many + at;
    ok("thousands of strings can be passed", all);
    ok("nothing is written", memcmp(before, many, at) == 0);
    const char *back = gu_str_advance(many, 4999);
    many[starts[4999]] = 'Q';
    ok("it points into the same text", *back == 'Q');
    const size_t length = 1 << 20;
    char *large = malloc(2 * length + 3);
    memset(large, 'x', 2 * length + 2);
    large[length] = large[2 * length + 1] = '\0';
    large[2 * length + 2] = '\0';
    ok("long strings can be passed", gu_str_advance(large, 1) == large + length + 1 &&
       gu_str_advance(large, 2) == large + 2 * length + 2);

    char *table = NULL;
    size_t size = 0;
    const char *columns[] = {"id", "", "name"}, *rows[] = {"1", "2", "first", "", "x", "second"};
    table = gu_str_table_set_name(table, &size, "tbl");
    table = gu_str_table_set_n_cols(table, &size, 3);
    table = gu_str_table_set_n_rows(table, &size, 2);
    table = gu_str_table_set_cols(table, &size, 3, columns);
    table = gu_str_table_append_row(table, &size, 3, rows);
    table = gu_str_table_append_row(table, &size, 3, rows + 3);
    ok("the counts of a table are found", gu_str_table_get_n_cols(table) == 3 && gu_str_table_get_n_rows(table) == 2);
    const char *seen[3];
    const char *row = gu_str_table_get_cols(table, 3, seen);
    ok("the columns of a table are found", !strcmp(seen[0], "id") && !strcmp(seen[1], "") && !strcmp(seen[2], "name"));
    bool found = row == gu_str_table_rows_begin(table, 3) && row == gu_str_advance(table, 6);
    row = gu_str_table_row_get(row, 3, seen);
    found = found && !strcmp(seen[0], "1") && !strcmp(seen[1], "2") && !strcmp(seen[2], "first");
    row = gu_str_table_row_get(row, 3, seen);
    found = found && !strcmp(seen[0], "") && !strcmp(seen[1], "x") && !strcmp(seen[2], "second");
    ok("the rows of a table are found", found && row == table + size && gu_str_advance(table, 12) == table + size);
    free(table);
    free(large);
    free(many);
    free(before);
    return plan();
}
