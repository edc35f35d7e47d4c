/* Changes one value that the arguments lead to, the same one in each fork of a seed. */
#include "graft.h"

#include <stdio.h>
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
} targets[MOST_TARGETS];
static int count;
static unsigned state;

static unsigned draw(unsigned most) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % most;
}

static void collect(unsigned char *at, int of, int depth, const char *name);

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
        collect(at + field->offset, field->type, depth, inner);
    }
}

static void add(unsigned char *at, const struct type *type, int text, const char *name) {
    if (count >= MOST_TARGETS) return;
    struct target *target = &targets[count++];
    *target = (struct target){.at = at, .type = type, .text = text};
    snprintf(target->name, sizeof target->name, "%s", name);
}

static void elements(unsigned char *at, const struct type *type, int depth, const char *name) {
    const struct type *element = &types[type->target];
    char inner[96];
    if (element->kind == CHAR) {
        int size = (int)strnlen((char *)at, (size_t)(type->count < 256 ? type->count : 256));
        if (size) add(at, element, size, name);
        return;
    }
    for (int i = 0; i < type->count && i < MOST_ELEMENTS && element->size > 0; i++) {
        snprintf(inner, sizeof inner, "%.80s[%d]", name, i);
        collect(at + i * element->size, type->target, depth, inner);
    }
}

static void collect(unsigned char *at, int of, int depth, const char *name) {
    const struct type *type = of < 0 ? NULL : &types[of];
    if (!type) return;
    if (type->kind == STRUCT) inside(at, type, depth, name, ".");
    if (type->kind <= FLOAT && type->size > 0 && type->size <= 8) add(at, type, 0, name);
    if (type->kind == ARRAY && type->count > 0) elements(at, type, depth, name);
    if (type->kind != POINTER || type->target < 0) return;
    unsigned char *to;
    memcpy(&to, at, sizeof to);
    /* What refers to an object always does. */
    if (!type->count) add(at, type, 0, name);
    const struct type *target = &types[type->target];
    if (!to || depth >= 2) return;
    if (target->kind == STRUCT) inside(to, target, depth + 1, name, "->");
    if (target->kind <= FLOAT && target->kind != CHAR) collect(to, type->target, depth + 1, name);
    if (target->kind == CHAR && *to) add(to, target, (int)strnlen((char *)to, 256), name);
}

static void change_number(const struct target *target, char *changed, size_t size) {
    int wide = target->type->size * 8;
    uint64_t value = 0, top = 1ull << (wide - 1);
    memcpy(&value, target->at, (size_t)target->type->size);
    if (target->type->count) {
        value ^= 1; /* a truth value */
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
    for (int i = 0; i < count; i++) {
        if (targets[i].text || targets[i].type->kind != FLOAT) continue;
        double value = ((int)draw(33) - 16) / 8.0;
        float narrow = (float)value;
        make_writable(targets[i].at);
        memcpy(targets[i].at, targets[i].type->size == 4 ? (void *)&narrow : (void *)&value, (size_t)targets[i].type->size);
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

int graft_perturb(void **values, unsigned seed, char *changed, size_t size) {
    int arguments;
    count = 0;
    state = seed * 2654435761u;
    if (draw(2)) part(values);
    for (int i = 0; i < NAMED(argument_count); i++) {
        const struct named *argument = &NAMED(arguments)[i];
        const struct type *type = &types[argument->type];
        if (type->kind != POINTER)
            collect(values[i], argument->type, 0, argument->name);
        else if (!type->count)
            add(values[i], type, 0, argument->name);
    }
    arguments = count;
    for (int i = 0; i < NAMED(argument_count); i++) {
        const struct named *argument = &NAMED(arguments)[i];
        if (types[argument->type].kind == POINTER) collect(values[i], argument->type, 0, argument->name);
    }
    if (!count) return 0;
    if (draw(3) == 0 && change_reals()) {
        snprintf(changed, size, "other real numbers");
        return 1;
    }
    /* By turns, not by chance. What is given directly is few, and says most. */
    change(&targets[seed / 2 % (unsigned)(arguments && seed % 2 ? arguments : count)], changed, size);
    if (count > 1 && draw(4) == 0) {
        size_t used = strlen(changed);
        snprintf(changed + used, size - used, ", ");
        change(&targets[draw((unsigned)count)], changed + used + 2, size - used - 2);
    }
    return 1;
}
