/* One line for each named test. */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int plus_count;

static void ok(const char *name, int passed) {
    printf("%sok %d - %s\n", passed ? "" : "not ", ++plus_count, name);
    fflush(stdout);
}

static int done(void) {
    printf("1..%d\n", plus_count);
    return 0;
}

/* The bytes that are allocated at the moment. */
static inline size_t held(void) {
    struct mallinfo2 m = mallinfo2();
    return m.uordblks + m.hblkhd;
}
