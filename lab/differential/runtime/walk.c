/* Writes down, a line for each value, what the arguments, the returned value and the unit's variables lead to. A line
 * is NAME, tab, value. Addresses of new memory don't appear, padding and unset memory neither. */
#include "graft.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#define types NAMED(types)
#define fields NAMED(fields)
#define MOST_LINES 6000
#define MOST_WAITING 4096
#define DEEPEST 5
#define MOST_ELEMENTS 64
#define MOST_BYTES 65536
#define ALIKE_BLOCKS 8

static struct item {
    uintptr_t address;
    int type, count, depth;
    unsigned name;
} waiting[MOST_WAITING];
static int first, last, lines;
static char names[1 << 19];
static unsigned names_used;
static char name[1024];
static struct seen {
    uintptr_t address;
    int type;
    unsigned name;
} seen[1 << 14];
static uintptr_t stack_end;
static void *fault[5];
static int depth;
/* How many bytes of text the argument at hand leads to at most, by the argument behind it; 0 where none says. */
static long most_text;

static void on_fault(int signal) {
    (void)signal;
    __builtin_longjmp(fault, 1);
}

void graft_line(const char *called, const char *text) {
    struct report *report = graft_report;
    size_t room = MOST_TEXT - 1 - (size_t)report->length, a = strlen(called), b = strlen(text);
    if (lines >= MOST_LINES || a + b + 2 > room) {
        report->is_cut = 1;
        return;
    }
    char *end = report->text + report->length;
    memcpy(end, called, a);
    end[a] = '\t';
    memcpy(end + a + 1, text, b);
    end[a + b + 1] = '\n';
    report->length += (int)(a + b + 2);
    lines++;
}

static int is_unset(const unsigned char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (bytes[i] != FILLING) return 0;
    return size > 0;
}

/* The bytes, in which no address of new memory can be told from another: a packed structure (redis' rax) holds some. */
static const unsigned char *without_addresses(const unsigned char *bytes, size_t size) {
    static unsigned char copy[MOST_BYTES];
    struct block block;
    uint64_t word;
    memcpy(copy, bytes, size);
    for (size_t at = -(uintptr_t)bytes & 7; at + 8 <= size; at += 8) {
        memcpy(&word, bytes + at, 8);
        if (word > 4096 && word >> 47 == 0 && graft_block(word, &block) && block.is_fresh && !block.is_dead)
            memcpy(copy + at, "(memory)", 8);
    }
    return copy;
}

/* The first bytes as text, the others as a number that they decide. */
void graft_bytes(const char *called, const unsigned char *bytes, size_t size) {
    char text[400];
    size_t used = 0, i = 0;
    uint64_t hash = 1469598103934665603u;
    if (size > MOST_BYTES) size = MOST_BYTES;
    bytes = without_addresses(bytes, size);
    while (size && bytes[size - 1] == FILLING) size--;
    text[used++] = '"';
    for (; i < size && used < 320; i++) {
        if (bytes[i] == '"' || bytes[i] == '\\') text[used++] = '\\';
        if (bytes[i] >= 32 && bytes[i] < 127)
            text[used++] = (char)bytes[i];
        else
            used += (size_t)snprintf(text + used, 5, "\\x%02x", bytes[i]);
    }
    text[used++] = '"';
    text[used] = 0;
    for (size_t at = i; at < size; at++) hash = (hash ^ bytes[at]) * 1099511628211u;
    if (i < size) snprintf(text + used, sizeof text - used, " and %zu bytes more (%016llx)", size - i, (unsigned long long)hash);
    graft_line(called, text);
}

/* The linker's names for where the program begins and ends. */
extern const char __executable_start[] __attribute__((weak)), _end[] __attribute__((weak));

static unsigned keep_name(void) {
    size_t size = strlen(name) + 1;
    if (names_used + size > sizeof names) return 0;
    memcpy(names + names_used, name, size);
    names_used += (unsigned)size;
    return names_used - (unsigned)size;
}

/* The name under which this was met before; it is remembered now when it wasn't. */
static const char *met(uintptr_t address, int type, unsigned called) {
    unsigned at = (unsigned)((address ^ (uintptr_t)type * 31) * 0x9e3779b97f4a7c15u >> 40) % (sizeof seen / sizeof *seen);
    for (int tried = 0; tried < 64; tried++, at = (at + 1) % (sizeof seen / sizeof *seen)) {
        if (seen[at].address == address && seen[at].type == type) return names + seen[at].name;
        if (!seen[at].address) {
            seen[at] = (struct seen){address, type, called};
            return NULL;
        }
    }
    return "";
}

static size_t extend(const char *format, ...) __attribute__((format(printf, 1, 2)));
#include <stdarg.h>
static size_t extend(const char *format, ...) {
    size_t before = strlen(name);
    va_list given;
    va_start(given, format);
    vsnprintf(name + before, sizeof name - before, format, given);
    va_end(given);
    return before;
}

enum { WORDS = -2, BYTES = -3, TEXT = -4 };

static void enqueue(uintptr_t address, int type, int count, int deep) {
    size_t end = extend(type == TEXT ? " (its text)" : type == BYTES ? " (its bytes)" : "->");
    if (last < MOST_WAITING)
        waiting[last++] = (struct item){address, type, count, deep, keep_name()};
    else
        graft_report->is_cut = 1;
    name[end] = 0;
}

static void pointer(uintptr_t address, int target, int owner) {
    char text[200];
    struct block block;
    if (!address) {
        graft_line(name, "NULL");
        return;
    }
    int known = graft_block(address, &block);
    if (known && block.is_dead) {
        graft_line(name, "memory that was freed");
        return;
    }
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (!known && address < stack_end && address > here - (8u << 20)) {
        graft_line(name, "a local variable of a call that has ended");
        return;
    }
    const struct type *type = target >= 0 ? &types[target] : NULL;
    int what = !type || type->kind == OPAQUE || (type->kind == STRUCT && type->size <= 0) ? WORDS : target;
    if (type && type->kind == FUNCTION) {
        snprintf(text, sizeof text, "function at %lx", (unsigned long)address);
        graft_line(name, text);
        return;
    }
    unsigned called = keep_name();
    const char *before = met(address, what, called);
    if (known && block.is_fresh) {
        snprintf(text, sizeof text, "new memory%s%.150s", before ? ", also " : "", before ? before : "");
        /* Where in its block it points tells nothing that a reader could see, but for a pointer into known data. */
    } else if (NAMED(own_constants) && address >= (uintptr_t)__executable_start && address < (uintptr_t)_end) {
        strcpy(text, "an address in the program");
    } else {
        snprintf(text, sizeof text, "address %lx", (unsigned long)address);
    }
    graft_line(name, text);
    if (before) return;
    int deeper = depth + (target != owner || target < 0);
    if (deeper > DEEPEST) return;
    long left = known ? (long)(block.base + block.size - address) : -1;
    if (type && type->kind == CHAR) {
        long header = known ? (long)(address - block.base) : 0;
        if (header > 0 && header <= 32) {
            size_t end = extend(" (what stands before it)");
            size_t room = 0;
            /* A string's length, what room it has, and a byte (redis): the room is nothing that a reader could see. */
            if (header == 3 || header == 5 || header == 9 || header == 17) room = (size_t)header / 2;
            graft_bytes(name, (const unsigned char *)block.base, room ? room : (size_t)header);
            name[end] = 0;
        }
        if (left < 0) left = most_text ? most_text : 4096;
        enqueue(address, TEXT, (int)(left < MOST_BYTES ? left : MOST_BYTES), deeper);
    } else if (what == WORDS) {
        if (left > 0) enqueue(address, WORDS, (int)(left < 512 ? left : 512), deeper);
    } else if (type->kind == UNSIGNED && type->size == 1) {
        enqueue(address, left > 0 ? BYTES : target, left > 0 ? (int)(left < MOST_BYTES ? left : MOST_BYTES) : 1, deeper);
    } else {
        long count = left > 0 && type->size > 0 ? left / type->size : 1;
        enqueue(address, what, (int)(count < 1 ? 1 : count < MOST_ELEMENTS ? count : MOST_ELEMENTS), deeper);
    }
}

static void words(const unsigned char *at, size_t size) {
    for (size_t i = 0; i + 8 <= size; i += 8) {
        uint64_t word;
        char text[32];
        struct block block;
        memcpy(&word, at + i, 8);
        if (is_unset(at + i, 8)) continue;
        size_t end = extend("{%zu}", i);
        if (word > 4096 && graft_block(word, &block) && block.is_fresh && !block.is_dead) {
            pointer(word, -1, 0);
        } else {
            snprintf(text, sizeof text, "%llx", (unsigned long long)word);
            graft_line(name, text);
        }
        name[end] = 0;
    }
    if (size % 8) {
        size_t end = extend("{%zu}", size - size % 8);
        graft_bytes(name, at + size - size % 8, size % 8);
        name[end] = 0;
    }
}

static void number(const unsigned char *at, const struct type *type, int bits, int shift) {
    char text[64];
    uint64_t value = 0;
    memcpy(&value, at, (size_t)(type->size > 8 ? 8 : type->size));
    if (bits) {
        value = 0;
        for (int bit = 0; bit < bits; bit++)
            value |= (uint64_t)(at[(shift + bit) / 8] >> ((shift + bit) % 8) & 1) << bit;
    }
    int width = bits ? bits : type->size * 8;
    if (type->kind == SIGNED || type->kind == CHAR) {
        if (width < 64 && value >> (width - 1) & 1) value |= ~0ull << width;
        snprintf(text, sizeof text, "%lld", (long long)value);
    } else {
        snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    }
    graft_line(name, text);
}

static void real_number(const unsigned char *at, int size) {
    char text[64];
    double value = 0;
    if (size == 4) {
        float narrow;
        memcpy(&narrow, at, 4);
        value = narrow;
    } else if (size == 8) {
        memcpy(&value, at, 8);
    } else {
        graft_bytes(name, at, (size_t)(size > 10 ? 10 : size));
        return;
    }
    /* How exact it is; compare.c allows for other roundings. */
    snprintf(text, sizeof text, isnan(value) ? "nan" : size == 4 ? REAL_SHORT "%.9g" : REAL_LONG "%.17g", value);
    graft_line(name, text);
}

static void value(const unsigned char *at, int of, int owner) {
    const struct type *type = &types[of];
    if (type->kind != STRUCT && type->kind != ARRAY && type->size > 0 && is_unset(at, (size_t)type->size)) return;
    if (lines >= MOST_LINES) {
        graft_report->is_cut = 1;
        return;
    }
    switch (type->kind) {
    case SIGNED:
    case UNSIGNED:
    case CHAR: number(at, type, 0, 0); break;
    case FLOAT: real_number(at, type->size); break;
    case POINTER: {
        uintptr_t address;
        memcpy(&address, at, sizeof address);
        pointer(address, type->target, owner);
        break;
    }
    case ARRAY: {
        const struct type *element = &types[type->target];
        struct block block;
        long count = type->count, size = element->size;
        if (count < 0)
            count = size > 0 && graft_block((uintptr_t)at, &block) ? (long)(block.base + block.size - (uintptr_t)at) / size : 0;
        if (size <= 0 || count <= 0) break;
        if (element->kind == CHAR) {
            graft_bytes(name, at, strnlen((const char *)at, (size_t)count));
        } else if (size == 1 || (count > MOST_ELEMENTS && element->kind <= UNSIGNED)) {
            graft_bytes(name, at, (size_t)(count * size));
        } else {
            for (long i = 0; i < count && i < MOST_ELEMENTS; i++) {
                size_t end = extend("[%ld]", i);
                value(at + i * size, type->target, owner);
                name[end] = 0;
            }
        }
        break;
    }
    case STRUCT:
        for (int i = type->first; i < type->first + type->count; i++) {
            const struct field *field = &fields[i];
            size_t size = strlen(name);
            const char *dot = size && name[size - 1] == '>' ? "" : ".";
            size_t end = field->name[0] ? extend("%s%s", dot, field->name) : size;
            if (field->bits) {
                if (!is_unset(at + field->offset, 1)) number(at + field->offset, &types[field->type], field->bits, field->shift);
            } else {
                value(at + field->offset, field->type, owner);
            }
            name[end] = 0;
        }
        break;
    case UNION: words(at, (size_t)type->size); break;
    default: break;
    }
}

/* A fault ends the item alone. */
static void item(const struct item *one) {
    const unsigned char *at = (const unsigned char *)one->address;
    snprintf(name, sizeof name, "%s", names + one->name);
    depth = one->depth;
    if (__builtin_setjmp(fault)) {
        snprintf(name, sizeof name, "%s", names + one->name);
        graft_line(name, "memory that can't be read");
        return;
    }
    if (one->type == TEXT) {
        graft_bytes(name, at, strnlen((const char *)at, (size_t)one->count));
    } else if (one->type == BYTES) {
        graft_bytes(name, at, (size_t)one->count);
    } else if (one->type == WORDS) {
        words(at, (size_t)one->count);
    } else if (one->count == 1) {
        value(at, one->type, one->type);
    } else {
        const struct type *type = &types[one->type];
        for (int i = 0; i < one->count; i++) {
            size_t end = i ? extend("[%d]", i) : strlen(name);
            value(at + (long)i * type->size, one->type, one->type);
            name[end] = 0;
        }
    }
}

/* Small whole numbers behind a pointer are often the count of what it points to. */
static long count_behind(void **values, int at) {
    if (at + 1 >= NAMED(argument_count)) return 0;
    const struct type *type = &types[NAMED(arguments)[at + 1].type];
    uint64_t count = 0;
    if ((type->kind != SIGNED && type->kind != UNSIGNED) || type->size < 2) return 0;
    memcpy(&count, values[at + 1], (size_t)type->size);
    return count > 1 && count <= MOST_BYTES ? (long)count : 0;
}

static void argument(void **values, int at) {
    const struct type *type = &types[NAMED(arguments)[at].type];
    long count = type->kind == POINTER ? count_behind(values, at) : 0;
    const struct type *target = count && type->target >= 0 ? &types[type->target] : NULL;
    uintptr_t address;
    struct block block;
    most_text = count;
    value(values[at], NAMED(arguments)[at].type, -1);
    most_text = 0;
    if (!count) return;
    memcpy(&address, values[at], sizeof address);
    if (!address || (graft_block(address, &block) && (block.is_dead || (long)(block.base + block.size - address) < count)))
        return;
    if (!target || target->size == 1 || target->kind == OPAQUE)
        enqueue(address, BYTES, (int)count, 1);
    else if (target->kind <= CHAR && count <= MOST_ELEMENTS)
        enqueue(address, type->target, (int)count, 1);
}

void graft_walk(void **values, void *(*global)(int), uintptr_t frame) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_fault;
    action.sa_flags = SA_NODEFER;
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    stack_end = frame;
    depth = 0;
    names_used = 1;
    if (NAMED(result_type) >= 0) {
        strcpy(name, "the returned value");
        value(values[NAMED(argument_count)], NAMED(result_type), -1);
    }
    for (int i = 0; i < NAMED(argument_count); i++) {
        snprintf(name, sizeof name, "%s", NAMED(arguments)[i].name);
        argument(values, i);
    }
    /* What arguments lead to comes before what variables of the unit lead to. */
    while (first < last) item(&waiting[first++]);
    for (int i = 0; global && i < NAMED(global_count); i++) {
        snprintf(name, sizeof name, "%s", NAMED(globals)[i].name);
        depth = DEEPEST - 1;
        if (__builtin_setjmp(fault) == 0) value(global(i), NAMED(globals)[i].type, -1);
    }
    while (first < last) item(&waiting[first++]);
}
