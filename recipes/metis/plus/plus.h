/* One line for each named test. */
#include <malloc.h>
#include <setjmp.h>
#include <signal.h>
#include "metislib.h"

static int plus_count;

static void ok(const char *name, int passed) {
    printf("%sok %d - %s\n", passed ? "" : "not ", ++plus_count, name);
    fflush(stdout);
}

static int done(void) {
    printf("1..%d\n", plus_count);
    return 0;
}

static sigjmp_buf plus_back;

static void plus_caught(int number) {
    siglongjmp(plus_back, number);
}

/* The signal that a statement raises, or 0. */
#define SIGNAL_OF(number, statement) \
    do { \
        signal(SIGTERM, plus_caught); \
        signal(SIGABRT, plus_caught); \
        number = sigsetjmp(plus_back, 1); \
        if (number == 0) { statement; } \
        signal(SIGTERM, SIG_DFL); \
        signal(SIGABRT, SIG_DFL); \
    } while (0)

/* Whether there is memory of so many bytes. */
static inline int has(void *p, size_t bytes) {
    return p != NULL && malloc_usable_size(p) >= bytes;
}

/* The bytes that are allocated at the moment. */
static inline size_t held(void) {
    struct mallinfo2 m = mallinfo2();
    return m.uordblks + m.hblkhd;
}
