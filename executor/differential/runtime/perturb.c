/* Changes one value that the arguments lead to, the same one in each fork of a seed. */
#include "graft.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define types NAMED(types)
#define fields NAMED(fields)
#define MOST_TARGETS 256

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

static void collect(unsigned char *at, int of, int depth, const char *name) {
    const struct type *type = of < 0 ? NULL : &types[of];
    if (!type) return;
    if (type->kind == STRUCT) inside(at, type, depth, name, ".");
    if (type->kind <= FLOAT && type->size > 0 && type->size <= 8) add(at, type, 0, name);
    if (type->kind != POINTER || type->target < 0) return;
    unsigned char *to;
    memcpy(&to, at, sizeof to);
    add(at, type, 0, name);
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
        const uint64_t others[] = {0, 1, ~0ull, value + 1, value - 1, value / 2, value ^ 1ull << draw((unsigned)wide), top - 1, top};
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

int graft_perturb(void **values, unsigned seed, char *changed, size_t size) {
    int arguments;
    count = 0;
    for (int i = 0; i < NAMED(argument_count); i++) {
        const struct named *argument = &NAMED(arguments)[i];
        if (types[argument->type].kind != POINTER) collect(values[i], argument->type, 0, argument->name);
    }
    arguments = count;
    for (int i = 0; i < NAMED(argument_count); i++) {
        const struct named *argument = &NAMED(arguments)[i];
        if (types[argument->type].kind == POINTER) collect(values[i], argument->type, 0, argument->name);
    }
    if (!count) return 0;
    state = seed * 2654435761u;
    draw(2);
    /* What is given directly is few, and says most. */
    const struct target *target = &targets[arguments && draw(2) ? draw((unsigned)arguments) : draw((unsigned)count)];
    /* A literal, or another constant: the fork has its own copy. */
    uintptr_t page = (uintptr_t)target->at & ~(uintptr_t)4095;
    mprotect((void *)page, (size_t)((uintptr_t)target->at - page) + 256, PROT_READ | PROT_WRITE | PROT_EXEC);
    if (target->text) {
        change_text(target, changed, size);
    } else if (target->type->kind == POINTER) {
        memset(target->at, 0, sizeof(void *));
        snprintf(changed, size, "%s = NULL", target->name);
    } else if (target->type->kind == FLOAT) {
        change_real(target, changed, size);
    } else {
        change_number(target, changed, size);
    }
    return 1;
}
