/* Notes which of the repository's functions a body calls itself, and with what: NAME(value, value). Before it stands '*'
 * where the function returns nothing, so that only what it does can be why it is called. */
#include "graft.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SHOWN 160
#define MOST_LINES 512
#define REGISTERS 6
#define REALS 8

/* The linker's names for where the program begins and ends. */
extern const char __executable_start[] __attribute__((weak)), _end[] __attribute__((weak));

static char line[1024];
static size_t used;

static size_t put(const char *format, ...) __attribute__((format(printf, 1, 2)));
#include <stdarg.h>
static size_t put(const char *format, ...) {
    va_list given;
    va_start(given, format);
    int size = vsnprintf(line + used, sizeof line - used, format, given);
    va_end(given);
    used += size < 0 ? 0 : (size_t)size;
    if (used >= sizeof line) used = sizeof line - 1;
    return used;
}

/* Up to its end, to `most`, or to where nothing was ever set. */
static void put_text(const unsigned char *text, long most) {
    put("\"");
    for (long i = 0; i < most && text[i] && text[i] != FILLING && i < MOST_SHOWN; i++)
        put(text[i] >= 32 && text[i] < 127 ? "%c" : "\\x%02x", text[i]);
    put("\"");
}

/* `behind`: the whole number behind the pointer, which may be the text's length; -1 for none. */
static void put_pointer(uintptr_t address, char letter, long behind, uintptr_t here) {
    struct block block;
    int is_known = graft_block(address, &block), is_program = 0;
    if (!address) {
        put("NULL");
        return;
    }
    if (is_known && block.is_dead) {
        put("freed memory");
        return;
    }
    is_program = !is_known && address >= (uintptr_t)__executable_start && address < (uintptr_t)_end;
    long room = is_known ? (long)(block.base + block.size - address) : is_program ? MOST_SHOWN : 0;
    if (behind > 0 && behind < room) room = behind;
    if (room && (letter == 't' || (letter == 's' && is_known)))
        put_text((const unsigned char *)address, room);
    else if (is_known && block.is_fresh)
        put("new memory");
    else if (address < graft_frame && address > here - (8u << 20))
        put("a local variable");
    else if (is_program && letter != 'x' && NAMED(own_constants))
        put("an address in the program");
    else
        put("address %lx", (unsigned long)address);
}

static void put_whole(uint64_t word, char letter) {
    switch (letter) {
    case 'b': put("%d", (int8_t)word); break;
    case 'B': put("%u", (uint8_t)word); break;
    case 'h': put("%d", (int16_t)word); break;
    case 'H': put("%u", (uint16_t)word); break;
    case 'i': put("%d", (int32_t)word); break;
    case 'I': put("%u", (uint32_t)word); break;
    case 'l': put("%lld", (long long)word); break;
    default: put("%llu", (unsigned long long)word);
    }
}

static long whole(uint64_t word, char letter) {
    switch (letter) {
    case 'i': return (int32_t)word;
    case 'I': return (uint32_t)word;
    case 'l':
    case 'L': return (long)word;
    }
    return -1;
}

/* What stubs hand over: the registers of whole numbers and pointers, then those of real numbers, and the stack. */
void graft_note(long number, const uint64_t *registers, const uint64_t *stack) {
    if (!graft_is_outermost()) return;
    int error = errno;
    const struct callee *callee = &NAMED(callees)[number];
    const unsigned char *reals = (const unsigned char *)(registers + 8);
    uint64_t words[32];
    int count = 0, at_register = 0, at_real = 0;
    for (; callee->taken[count] && count < 32; count++) {
        int is_real = callee->taken[count] == 'f' || callee->taken[count] == 'd';
        if (is_real && at_real < REALS)
            memcpy(&words[count], reals + 16 * at_real++, 8);
        else if (!is_real && at_register < REGISTERS)
            words[count] = registers[at_register++];
        else
            words[count] = *stack++;
    }
    used = 0;
    put("%s%s(", callee->is_void ? "*" : "", callee->name);
    for (int i = 0; i < count; i++) {
        char letter = callee->taken[i];
        if (i) put(", ");
        if (letter == 'f') {
            float narrow;
            memcpy(&narrow, &words[i], 4);
            put("%.6g", (double)narrow);
        } else if (letter == 'd') {
            double value;
            memcpy(&value, &words[i], 8);
            put("%.6g", value);
        } else if (strchr("tspx", letter)) {
            put_pointer(words[i], letter, i + 1 < count ? whole(words[i + 1], callee->taken[i + 1]) : -1, (uintptr_t)&count);
        } else {
            put_whole(words[i], letter);
        }
    }
    put(")");
    struct report *report = graft_report;
    if (report->called_length + (int)used + 1 >= MOST_CALLED || report->called_count >= MOST_LINES) {
        report->is_called_cut = 1;
    } else {
        memcpy(report->called + report->called_length, line, used + 1);
        report->called_length += (int)used + 1;
        report->called_count++;
    }
    errno = error;
}

#if defined(__x86_64__) && !defined(__ILP32__)
#define TEXT2(name) #name
#define TEXT(name) TEXT2(name)
#define NOTED TEXT(NAMED(noted))
/* From a stub, which has put its number onto the stack: all registers that may hold an argument are kept. */
__asm__(".pushsection .text\n"
        ".globl " NOTED "\n.type " NOTED ", @function\n" NOTED ":\n"
        "pushq %rbp\nmovq %rsp, %rbp\nsubq $208, %rsp\n"
        "movq %rdi, (%rsp)\nmovq %rsi, 8(%rsp)\nmovq %rdx, 16(%rsp)\nmovq %rcx, 24(%rsp)\n"
        "movq %r8, 32(%rsp)\nmovq %r9, 40(%rsp)\nmovq %rax, 48(%rsp)\nmovq %r10, 56(%rsp)\n"
        "movups %xmm0, 64(%rsp)\nmovups %xmm1, 80(%rsp)\nmovups %xmm2, 96(%rsp)\nmovups %xmm3, 112(%rsp)\n"
        "movups %xmm4, 128(%rsp)\nmovups %xmm5, 144(%rsp)\nmovups %xmm6, 160(%rsp)\nmovups %xmm7, 176(%rsp)\n"
        "movq 16(%rbp), %rdi\nmovq %rsp, %rsi\nleaq 32(%rbp), %rdx\ncall graft_note\n"
        "movq (%rsp), %rdi\nmovq 8(%rsp), %rsi\nmovq 16(%rsp), %rdx\nmovq 24(%rsp), %rcx\n"
        "movq 32(%rsp), %r8\nmovq 40(%rsp), %r9\nmovq 48(%rsp), %rax\nmovq 56(%rsp), %r10\n"
        "movups 64(%rsp), %xmm0\nmovups 80(%rsp), %xmm1\nmovups 96(%rsp), %xmm2\nmovups 112(%rsp), %xmm3\n"
        "movups 128(%rsp), %xmm4\nmovups 144(%rsp), %xmm5\nmovups 160(%rsp), %xmm6\nmovups 176(%rsp), %xmm7\n"
        "leave\nret\n"
        ".size " NOTED ", .-" NOTED "\n.popsection");
#endif

struct noted {
    const char *all[MOST_LINES + 1];
    int count;
};

static int by_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

/* In order of the text. A value may be asked for as often as one likes: of equal calls for a value one is kept. */
static void sorted(const struct report *report, struct noted *into) {
    const char *at = report->called;
    into->count = 0;
    for (int i = 0; i < report->called_count; i++, at += strlen(at) + 1) into->all[into->count++] = at;
    qsort(into->all, (size_t)into->count, sizeof *into->all, by_text);
    int kept = 0;
    for (int i = 0; i < into->count; i++)
        if (!kept || into->all[i][0] == '*' || strcmp(into->all[kept - 1], into->all[i])) into->all[kept++] = into->all[i];
    into->count = kept;
}

static size_t name_size(const char *text) { return strcspn(text, "("); }

static int is_same_function(const char *a, const char *b) {
    return name_size(a) == name_size(b) && !strncmp(a, b, name_size(a));
}

/* A right body may call other functions, or do itself what they do, and what it leaves behind is compared anyway. So
 * only bodies that call the same functions equally often are held against each other, by what they give them. */
int graft_calls_differ(const struct report *was, const struct report *is, char *words, size_t size) {
    static struct noted gold, candidate;
    if (was->is_called_cut || is->is_called_cut) return 0;
    sorted(was, &gold);
    sorted(is, &candidate);
    if (gold.count != candidate.count) return 0;
    for (int i = 0; i < gold.count; i++)
        if (!is_same_function(gold.all[i], candidate.all[i])) return 0;
    for (int i = 0, j = 0; i < gold.count; i++) {
        while (j < candidate.count && strcmp(candidate.all[j], gold.all[i]) < 0) j++;
        if (j < candidate.count && !strcmp(candidate.all[j], gold.all[i])) {
            j++;
            continue;
        }
        /* One of the candidate's calls of this function isn't the gold's. */
        int k = 0;
        for (int at = 0; k < candidate.count; k++) {
            if (!is_same_function(candidate.all[k], gold.all[i])) continue;
            while (at < gold.count && strcmp(gold.all[at], candidate.all[k]) < 0) at++;
            if (at == gold.count || strcmp(gold.all[at], candidate.all[k])) break;
            at++;
        }
        snprintf(words, size, "a call was %s, is %s", gold.all[i], k < candidate.count ? candidate.all[k] : "another");
        return 1;
    }
    return 0;
}
