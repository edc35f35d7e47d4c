/* The first difference between what forks told, in words. What the gold or the candidate itself doesn't tell twice
 * alike, as a clock, is no difference. */
#include "graft.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 8192
struct line {
    const char *name, *value;
    int name_size, value_size;
};
struct lines {
    struct line all[MOST];
    unsigned short table[2 * MOST];
    int count;
};
static struct lines gold, gold_again, candidate, candidate_again;

static unsigned hash(const char *text, int size) {
    uint32_t sum = 2166136261u;
    for (int i = 0; i < size; i++) sum = (sum ^ (unsigned char)text[i]) * 16777619u;
    return sum % (2 * MOST);
}

static void read_lines(const struct report *report, struct lines *into) {
    const char *at = report->text, *end = report->text + report->length;
    memset(into->table, 0, sizeof into->table);
    into->count = 0;
    while (at < end && into->count < MOST - 1) {
        const char *tab = memchr(at, '\t', (size_t)(end - at)), *stop = tab ? memchr(tab, '\n', (size_t)(end - tab)) : NULL;
        if (!stop) break;
        into->all[into->count++] = (struct line){at, tab + 1, (int)(tab - at), (int)(stop - tab - 1)};
        unsigned slot = hash(at, (int)(tab - at));
        while (into->table[slot]) slot = (slot + 1) % (2 * MOST);
        into->table[slot] = (unsigned short)into->count;
        at = stop + 1;
    }
}

static const struct line *find(const struct lines *lines, const struct line *like) {
    unsigned slot = hash(like->name, like->name_size);
    for (; lines->table[slot]; slot = (slot + 1) % (2 * MOST)) {
        const struct line *line = &lines->all[lines->table[slot] - 1];
        if (line->name_size == like->name_size && !memcmp(line->name, like->name, (size_t)like->name_size)) return line;
    }
    return NULL;
}

static int is_real(const struct line *line) { return line->value[0] == REAL_SHORT[0] || line->value[0] == REAL_LONG[0]; }

/* Terms in another order are rounded otherwise. */
static int is_near(const struct line *a, const struct line *b) {
    char texts[2][40];
    snprintf(texts[0], sizeof texts[0], "%.*s", a->value_size - 1, a->value + 1);
    snprintf(texts[1], sizeof texts[1], "%.*s", b->value_size - 1, b->value + 1);
    double x = strtod(texts[0], NULL), y = strtod(texts[1], NULL), most = fabs(x) > fabs(y) ? fabs(x) : fabs(y);
    double part = a->value[0] == REAL_SHORT[0] ? 1e-5 : 1e-9;
    return fabs(x - y) <= part * (most > 1e-3 ? most : 1e-3);
}

static int is_same(const struct line *a, const struct line *b) {
    if (!a || !b) return 0;
    if (a->value_size == b->value_size && !memcmp(a->value, b->value, (size_t)a->value_size)) return 1;
    return is_real(a) && is_real(b) && is_near(a, b);
}

static void show(const struct line *line, char *text, size_t size) {
    snprintf(text, size, "%.*s", line->value_size - is_real(line), line->value + is_real(line));
}

static int number(const char *what, const int was[2], const int is[2], char *words, size_t size) {
    if (was[0] == is[0] || was[0] != was[1] || is[0] != is[1]) return 0;
    snprintf(words, size, "%s was %d, is %d", what, was[0], is[0]);
    return 1;
}

static int is_stable(const struct line *line, const struct line *again) {
    return line ? is_same(line, again) : again == NULL;
}

int graft_differs(const struct report *const was[2], const struct report *const is[2], char *words, size_t size) {
    read_lines(was[0], &gold);
    read_lines(was[1], &gold_again);
    read_lines(is[0], &candidate);
    read_lines(is[1], &candidate_again);
    for (int i = 0; i < gold.count; i++) {
        const struct line *line = &gold.all[i], *found = find(&candidate, line);
        if (is_same(line, found) || !is_same(line, find(&gold_again, line))) continue;
        if (!is_stable(found, find(&candidate_again, line))) continue;
        if (!found && (is[0]->is_cut || candidate.count >= MOST - 1)) continue;
        static const struct line unset = {NULL, "unset", 0, 5};
        char texts[2][201];
        show(line, texts[0], sizeof texts[0]);
        show(found ? found : &unset, texts[1], sizeof texts[1]);
        snprintf(words, size, "%.*s was %s, is %s", line->name_size, line->name, texts[0], texts[1]);
        return 1;
    }
#define NUMBER(what, field) \
    number(what, (int[]){was[0]->field, was[1]->field}, (int[]){is[0]->field, is[1]->field}, words, size)
    if (was[0]->error != was[0]->error_before && NUMBER("errno", error)) return 1;
    return NUMBER("the number of calls of the system", noted) ||
           NUMBER("the number of new blocks of memory that stay", kept) ||
           NUMBER("the number of blocks of memory that are freed", freed);
}
