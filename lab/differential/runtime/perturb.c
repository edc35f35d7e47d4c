/* Changes one value that the arguments lead to, the same one in each fork of a seed. */
#include "graft.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define types NAMED(types)
#define fields NAMED(fields)
#define MOST_TARGETS 256
#define MOST_ELEMENTS 8
#define MOST_COPIED 4096

static struct target {
    unsigned char *at;
    const struct type *type;
    int text; /* so many characters; 0 for what isn't text */
    char name[80];
} targets[2][MOST_TARGETS]; /* those that are given directly or that a body mentions; others */
static int counts[2], only_mentioned;
static void *(*constants)(int);
static unsigned state;

static unsigned draw(unsigned most) {
    /* Neighbouring seeds must not draw alike. */
    unsigned mixed = state += 0x9e3779b9u;
    mixed = (mixed ^ mixed >> 16) * 0x85ebca6bu;
    mixed = (mixed ^ mixed >> 13) * 0xc2b2ae35u;
    return (mixed ^ mixed >> 16) % most;
}

static void collect(unsigned char *at, int of, int depth, const char *name, int is_mentioned);

static void inside(unsigned char *at, const struct type *type, int depth, const char *name, const char *join) {
    char inner[80];
    for (int i = type->first; i < type->first + type->count; i++) {
        const struct field *field = &fields[i];
        if (field->bits) continue;
        if (!field->name[0] && types[field->type].kind == STRUCT) {
            inside(at + field->offset, &types[field->type], depth, name, join);
            continue;
        }
        snprintf(inner, sizeof inner, "%s%s%s", name, field->name[0] ? join : "", field->name);
        collect(at + field->offset, field->type, depth, inner, field->is_mentioned);
    }
}

static void add(unsigned char *at, const struct type *type, int text, const char *name, int is_mentioned) {
    int group = !is_mentioned;
    if (counts[group] >= MOST_TARGETS || (only_mentioned && !is_mentioned)) return;
    struct target *target = &targets[group][counts[group]++];
    *target = (struct target){.at = at, .type = type, .text = text};
    snprintf(target->name, sizeof target->name, "%s", name);
}

static void elements(unsigned char *at, const struct type *type, int depth, const char *name, int is_mentioned) {
    const struct type *element = &types[type->target];
    char inner[96];
    if (element->kind == CHAR) {
        int size = (int)strnlen((char *)at, (size_t)(type->count < 256 ? type->count : 256));
        if (size) add(at, element, size, name, is_mentioned);
        return;
    }
    for (int i = 0; i < type->count && i < MOST_ELEMENTS && element->size > 0; i++) {
        snprintf(inner, sizeof inner, "%.80s[%d]", name, i);
        collect(at + i * element->size, type->target, depth, inner, is_mentioned);
    }
}

static void collect(unsigned char *at, int of, int depth, const char *name, int is_mentioned) {
    const struct type *type = of < 0 ? NULL : &types[of];
    if (!type) return;
    if (type->kind == STRUCT) inside(at, type, depth, name, ".");
    if (type->kind <= FLOAT && type->size > 0 && type->size <= 8) add(at, type, 0, name, is_mentioned);
    if (type->kind == ARRAY && type->count > 0) elements(at, type, depth, name, is_mentioned);
    if (type->kind != POINTER || type->target < 0) return;
    unsigned char *to;
    memcpy(&to, at, sizeof to);
    /* What refers to an object always does. */
    if (!type->count) add(at, type, 0, name, is_mentioned);
    const struct type *target = &types[type->target];
    if (!to || depth >= 2 || (only_mentioned && !is_mentioned)) return;
    if (target->kind == STRUCT) inside(to, target, depth + 1, name, "->");
    if (target->kind <= POINTER && target->kind != CHAR) collect(to, type->target, depth + 1, name, is_mentioned);
    if (target->kind == CHAR && *to) add(to, target, (int)strnlen((char *)to, 256), name, is_mentioned);
}

static uint64_t constant(void) {
    return (uint64_t)constants(NAMED(global_count) + (int)draw((unsigned)NAMED(constant_count)));
}

static void change_number(const struct target *target, char *changed, size_t size) {
    int wide = target->type->size * 8;
    uint64_t value = 0, top = 1ull << (wide - 1);
    memcpy(&value, target->at, (size_t)target->type->size);
    if (target->type->count) {
        value ^= 1; /* a truth value */
    } else if (NAMED(constant_count) && draw(2)) {
        value = constant() + (draw(2) ? draw(3) - 1 : 0);
    } else {
        const uint64_t others[] = {value + 1, value - 1, 0, 1, ~0ull, value / 2, value ^ 1ull << draw((unsigned)wide), top - 1, top};
        value = others[draw(sizeof others / sizeof *others)];
    }
    memcpy(target->at, &value, (size_t)target->type->size);
    if (wide < 64) value &= (top << 1) - 1;
    long long shown = target->type->kind == UNSIGNED || !(value & top) || wide == 64 ? (long long)value : (long long)(value | ~0ull << wide);
    snprintf(changed, size, target->type->kind == UNSIGNED ? "%s = %llu" : "%s = %lld", target->name, shown);
}

static void change_real(const struct target *target, char *changed, size_t size) {
    double value = 0;
    float narrow;
    if (target->type->size == 4) {
        memcpy(&narrow, target->at, 4);
        value = narrow;
    } else {
        memcpy(&value, target->at, 8);
    }
    const double others[] = {0, 1, -value, value + 1, value / 2, 1e30, 0.0 / 0.0};
    value = others[draw(sizeof others / sizeof *others)];
    narrow = (float)value;
    memcpy(target->at, target->type->size == 4 ? (void *)&narrow : (void *)&value, (size_t)target->type->size);
    snprintf(changed, size, "%s = %g", target->name, value);
}

static void change_text(const struct target *target, char *changed, size_t size) {
    static const char letters[] = " 09azA-.:,\n\"%\\\x7f";
    unsigned at = draw((unsigned)target->text);
    int is_cut = draw(3) == 0;
    target->at[at] = (unsigned char)(is_cut ? 0 : letters[draw(sizeof letters - 1)]);
    snprintf(changed, size, "character %u of %s = %d", at, target->name, target->at[at]);
}

/* NULL, or where it is NULL an object of zeros. */
static void change_pointer(const struct target *target, char *changed, size_t size) {
    static _Alignas(64) unsigned char zeros[MOST_COPIED];
    static const unsigned char *object = zeros;
    const struct type *to = target->type->target < 0 ? NULL : &types[target->type->target];
    const void *before;
    memcpy(&before, target->at, sizeof before);
    if (to && to->kind == FUNCTION && NAMED(constant_count) && draw(4)) {
        uint64_t function = constant();
        memcpy(target->at, &function, sizeof function);
        snprintf(changed, size, "%s = %llx", target->name, (unsigned long long)function);
        return;
    }
    int is_made = !before && to && to->kind <= STRUCT && to->size > 0 && to->size <= MOST_COPIED;
    if (is_made)
        memcpy(target->at, &object, sizeof object);
    else
        memset(target->at, 0, sizeof before);
    snprintf(changed, size, is_made ? "%s = an object of zeros" : "%s = NULL", target->name);
}

/* A literal, or another constant: the fork has its own copy. */
static void make_writable(const unsigned char *at) {
    uintptr_t page = (uintptr_t)at & ~(uintptr_t)4095;
    mprotect((void *)page, (size_t)((uintptr_t)at - page) + 256, PROT_READ | PROT_WRITE | PROT_EXEC);
}

static void change(const struct target *target, char *changed, size_t size) {
    make_writable(target->at);
    if (target->text) {
        change_text(target, changed, size);
    } else if (target->type->kind == POINTER) {
        change_pointer(target, changed, size);
    } else if (target->type->kind == FLOAT) {
        change_real(target, changed, size);
    } else {
        change_number(target, changed, size);
    }
}

/* All at once: one alone is lost where the others are 0. Returns how many. */
static int change_reals(void) {
    int changed = 0;
    for (int i = 0; i < counts[0] + counts[1]; i++) {
        const struct target *target = i < counts[0] ? &targets[0][i] : &targets[1][i - counts[0]];
        if (target->text || target->type->kind != FLOAT) continue;
        double value = ((int)draw(33) - 16) / 8.0;
        float narrow = (float)value;
        make_writable(target->at);
        memcpy(target->at, target->type->size == 4 ? (void *)&narrow : (void *)&value, (size_t)target->type->size);
        changed++;
    }
    return changed;
}

/* Suites often give one object twice. As two equal ones they can be changed apart. */
static void part(void **values) {
    static _Alignas(64) unsigned char copies[2][MOST_COPIED];
    int parted = 0;
    for (int i = 1; i < NAMED(argument_count); i++) {
        const struct type *type = &types[NAMED(arguments)[i].type];
        int size = type->kind == POINTER && type->target >= 0 && types[type->target].kind == STRUCT ? types[type->target].size : 0;
        for (int j = 0; j < i && size > 0 && size <= MOST_COPIED && parted < 2; j++) {
            unsigned char *at, *other, *copy = copies[parted];
            memcpy(&at, values[i], sizeof at);
            memcpy(&other, values[j], sizeof other);
            if (types[NAMED(arguments)[j].type].target != type->target || at != other || !at) continue;
            memcpy(copy, at, (size_t)size);
            memcpy(values[i], &copy, sizeof copy);
            parted++;
            break;
        }
    }
}

static void choose(unsigned turn, int group, char *changed, size_t size) {
    if (!counts[group]) group = !group;
    change(&targets[group][turn % (unsigned)counts[group]], changed, size);
}

void graft_perturb(void **values, void *(*global)(int), unsigned seed, char *changed, size_t size) {
    state = seed * 2654435761u;
    constants = global;
    if (draw(2)) part(values);
    for (int i = 0; i < NAMED(argument_count); i++) {
        const struct named *argument = &NAMED(arguments)[i];
        const struct type *type = &types[argument->type];
        if (type->kind == POINTER && !type->count) add(values[i], type, 0, argument->name, 1);
        if (type->kind != POINTER) collect(values[i], argument->type, 0, argument->name, 1);
    }
    for (int i = 0; i < NAMED(argument_count); i++) {
        const struct named *argument = &NAMED(arguments)[i];
        if (types[argument->type].kind == POINTER) collect(values[i], argument->type, 0, argument->name, 0);
    }
    only_mentioned = 1;
    for (int i = 0; global && i < NAMED(global_count); i++) {
        const struct named *variable = &NAMED(globals)[i];
        if (variable->is_mentioned) collect(global(i), variable->type, 1, variable->name, 1);
    }
    srandom(seed);
    srand(seed);
    if (counts[0] + counts[1] == 0) {
        snprintf(changed, size, "other random numbers");
        return;
    }
    if (draw(3) == 0 && change_reals()) {
        snprintf(changed, size, "other real numbers");
        return;
    }
    /* By turns, not by chance. What is given directly or mentioned is few, and says most. */
    choose(seed / 2, seed % 2 == 0, changed, size);
    if (counts[0] + counts[1] > 1 && draw(3) == 0) {
        size_t used = strlen(changed);
        snprintf(changed + used, size - used, ", ");
        choose(seed / 2 + 1 + draw(7), (int)draw(2), changed + used + 2, size - used - 2);
    }
}
