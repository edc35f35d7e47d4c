/* The first difference between what forks told, in words. What the gold or the candidate itself doesn't tell twice
 * alike, as a clock, is no difference. */
#include "graft.h"

#include <stdio.h>
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

static int is_same(const struct line *a, const struct line *b) {
    return a && b && a->value_size == b->value_size && !memcmp(a->value, b->value, (size_t)a->value_size);
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
        int shown = line->value_size < 200 ? line->value_size : 200;
        int instead = found ? (found->value_size < 200 ? found->value_size : 200) : 0;
        snprintf(words, size, "%.*s was %.*s, is %.*s", line->name_size, line->name, shown, line->value,
                 found ? instead : 5, found ? found->value : "unset");
        return 1;
    }
#define NUMBER(what, field) \
    number(what, (int[]){was[0]->field, was[1]->field}, (int[]){is[0]->field, is[1]->field}, words, size)
    if (was[0]->error != was[0]->error_before && NUMBER("errno", error)) return 1;
    return NUMBER("the number of calls of the system", noted) ||
           NUMBER("the number of new blocks of memory that stay", kept) ||
           NUMBER("the number of blocks of memory that are freed", freed);
}
