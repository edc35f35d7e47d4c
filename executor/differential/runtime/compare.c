/* The first difference between what two forks told, in words. What the gold itself doesn't tell twice alike, as a
 * clock, is no difference. */
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
static struct lines gold, candidate, other;

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

static int number(const char *what, int was, int is, int again, char *words, size_t size) {
    if (was == is || was != again) return 0;
    snprintf(words, size, "%s was %d, is %d", what, was, is);
    return 1;
}

int graft_differs(const struct report *was, const struct report *is, const struct report *again, char *words, size_t size) {
    read_lines(was, &gold);
    read_lines(is, &candidate);
    read_lines(again, &other);
    for (int i = 0; i < gold.count; i++) {
        const struct line *line = &gold.all[i], *found = find(&candidate, line);
        if (is_same(line, found) || !is_same(line, find(&other, line))) continue;
        if (!found && (is->is_cut || candidate.count >= MOST - 1)) continue;
        int shown = line->value_size < 200 ? line->value_size : 200;
        int instead = found ? (found->value_size < 200 ? found->value_size : 200) : 0;
        snprintf(words, size, "%.*s was %.*s, is %.*s", line->name_size, line->name, shown, line->value,
                 found ? instead : 5, found ? found->value : "unset");
        return 1;
    }
    if (was->error != was->error_before && number("errno", was->error, is->error, again->error, words, size)) return 1;
    return number("the number of calls of the system", was->noted, is->noted, again->noted, words, size) ||
           number("the number of new blocks of memory that stay", was->kept, is->kept, again->kept, words, size) ||
           number("the number of blocks of memory that are freed", was->freed, is->freed, again->freed, words, size);
}
